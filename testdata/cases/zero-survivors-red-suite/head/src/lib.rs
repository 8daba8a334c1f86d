//! Prices.

/// Three each.
pub fn price(n: u32) -> u32 {
    n * 3
}

/// A fee.
pub fn fee() -> u32 {
    1
}
