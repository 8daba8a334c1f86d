pub fn step(at: u32) -> u32 {
    at + 2
}
