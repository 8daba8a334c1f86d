pub fn days() -> u32 {
    5
}
