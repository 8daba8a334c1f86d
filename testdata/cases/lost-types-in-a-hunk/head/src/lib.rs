//! Numbers.

/// One more.
pub const fn two(x: u32) -> u32 {
    x + 1
}

/// What can be counted.
pub trait Counted {
    /// How many.
    fn count(&self) -> u32;
}

impl Counted for u32 {
    fn count(&self) -> u32 {
        let mut all = Vec::new();
        all.push(*self);
        all.len() as u32 + 1
    }
}
