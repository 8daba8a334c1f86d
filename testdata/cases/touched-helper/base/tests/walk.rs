fn expected() -> u32 {
    2
}

#[test]
fn two_steps() {
    assert_eq!(maze::step(maze::step(0)), expected());
}

#[test]
fn alone() {
    assert!(maze::step(7) > 7);
}
