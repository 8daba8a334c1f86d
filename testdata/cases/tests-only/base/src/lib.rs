pub fn price() -> u32 {
    85
}
