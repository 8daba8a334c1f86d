/// Whether the lift may start.
pub fn may_start(kilograms: u32, rated: u32) -> bool {
    kilograms < rated
}
