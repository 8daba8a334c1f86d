//! Seats.

/// The seats of a hall.
pub const fn seats(columns: usize, rows: usize) -> usize {
    rows * columns
}
