//! Boards.
