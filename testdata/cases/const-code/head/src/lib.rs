//! Boards.

/// The length of an edge.
pub const LENGTH: usize = 4 * 2;

/// The number of fields.
pub const fn fields(columns: usize, rows: usize) -> usize {
    columns * rows
}

/// A board.
pub static BOARD: [u8; fields(LENGTH, LENGTH)] = [0; fields(LENGTH, LENGTH)];

/// What a piece is worth.
#[derive(Clone, Copy)]
pub enum Piece {
    Pawn = 1,
    Queen = 9,
}
