//! Numbers.

/// One more.
pub const fn two(x: u32) -> u32 {
    x
}
