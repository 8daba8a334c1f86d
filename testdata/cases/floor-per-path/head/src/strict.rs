//! Strict.

pub fn hard(a: u32, b: u32) -> bool {
    a > b && a > 10
}
