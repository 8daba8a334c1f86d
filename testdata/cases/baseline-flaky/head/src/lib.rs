//! Coins.

pub fn sides() -> u32 {
    1 + 1
}
