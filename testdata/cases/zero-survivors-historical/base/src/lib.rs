pub fn dial(hour: i32) -> i32 {
    hour % 12
}
