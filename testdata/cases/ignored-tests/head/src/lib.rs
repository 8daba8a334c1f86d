//! Slow things.

pub fn slow(n: u32) -> u32 {
    n + 1
}
