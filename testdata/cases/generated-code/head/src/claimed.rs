//! Claimed to be generated.

pub fn claimed(n: u32) -> u32 {
    n + 3
}
