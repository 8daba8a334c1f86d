pub fn zero() -> u32 {
    0
}

pub fn used(before: u32, now: u32) -> u32 {
    now - before
}
