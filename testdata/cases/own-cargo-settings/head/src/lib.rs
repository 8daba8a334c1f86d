//! Scales.

#[cfg(large)]
fn scale() -> u32 {
    10 * 10
}

#[cfg(not(large))]
fn scale() -> u32 {
    1 + 1
}

pub fn scaled(n: u32) -> u32 {
    scale() * n
}
