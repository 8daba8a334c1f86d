pub fn open(alarm: bool) -> u32 {
    1
}
