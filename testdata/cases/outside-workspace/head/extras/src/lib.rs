//! Extras.

pub fn extra(n: u32) -> u32 {
    n + 1
}
