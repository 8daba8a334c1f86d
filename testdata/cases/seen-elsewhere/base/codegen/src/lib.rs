//! What the macros expand to.

/// The price of some pieces.
pub fn price(amount: u32) -> u32 {
    amount * 3
}
