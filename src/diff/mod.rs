//! From the text of a diff to the new-side lines that really changed.

pub mod changed;
mod header;
pub mod parse;
mod quoted;
mod tokens;

pub use changed::{ChangedLines, LineChange, changed_lines};
pub use parse::{FileDiff, Hunk, NewSide, Status, new_sides, parse};
