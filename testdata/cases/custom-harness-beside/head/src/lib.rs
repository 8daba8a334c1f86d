//! Counting.

pub fn next(n: u32) -> u32 {
    n + 1
}
