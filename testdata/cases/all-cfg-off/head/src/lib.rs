//! Slots.

#[cfg(windows)]
pub fn slots() -> u32 {
    26 - 2
}
