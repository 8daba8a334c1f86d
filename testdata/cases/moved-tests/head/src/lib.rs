pub fn high(hour: u32) -> bool {
    hour % 12 == 3 || hour == 24
}
