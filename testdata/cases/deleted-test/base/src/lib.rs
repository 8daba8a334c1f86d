pub fn open(code: u32) -> bool {
    code == 7
}
