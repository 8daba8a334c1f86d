#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, unreachable_pub)]
//! Clamping.

/// At most the limit.
#[must_use]
pub fn clamp(value: u32, limit: u32) -> u32 {
    if value > limit { limit } else { value }
}

/// How much is over the limit.
#[must_use]
pub fn excess(value: u32, limit: u32) -> Option<u32> {
    let over = value.checked_sub(limit)?;
    if over == 0 {
        return None;
    }
    Some(over)
}
