pub fn grip(jaws: u32) -> u32 {
    jaws - 1
}
