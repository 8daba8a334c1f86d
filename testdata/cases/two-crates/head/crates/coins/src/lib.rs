//! Coins.

pub fn change(price: u32, paid: u32) -> u32 {
    paid - price
}
