pub fn dial(hour: i32) -> i32 {
    if hour >= 12 { hour - 12 } else { hour }
}
