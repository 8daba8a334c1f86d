pub fn cuts(teeth: u32) -> u32 {
    teeth + 1
}
