//! Listed as generated.

pub fn listed(n: u32) -> u32 {
    n + 2
}
