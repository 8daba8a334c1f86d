//! Seats.

/// The seats of a hall.
pub const fn seats(columns: usize, rows: usize) -> usize {
    columns * rows
}

/// The steps from one corner to the other.
pub const fn steps(columns: usize, rows: usize) -> usize {
    columns + rows
}
