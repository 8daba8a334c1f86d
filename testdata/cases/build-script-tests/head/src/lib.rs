pub fn times_seven(n: u32) -> u32 {
    n * 7
}
