//! Lengths.

pub fn doubled(metres: u32) -> u32 {
    metres * 2
}

#[cfg(feature = "imperial")]
pub fn inches(metres: u32) -> u32 {
    metres * 39
}
