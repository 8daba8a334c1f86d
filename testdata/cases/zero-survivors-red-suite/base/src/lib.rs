//! Prices.

/// Two each.
pub fn price(n: u32) -> u32 {
    n * 2
}
