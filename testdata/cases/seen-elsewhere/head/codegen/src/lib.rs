//! What the macros expand to.

/// The price of some pieces; of many, every second costs a coin less.
pub fn price(amount: u32) -> u32 {
    let full = amount * 3;
    let rebate = if amount > 10 { amount / 2 } else { 0 };
    full - rebate
}
