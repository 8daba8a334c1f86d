//! Squares.
