pub fn kilometres(knots: u32) -> u32 {
    knots * 1852 / 1000
}
