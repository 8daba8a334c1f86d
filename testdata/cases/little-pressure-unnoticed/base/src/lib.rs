pub fn level(percent: u32) -> u32 {
    percent
}
