#[test]
fn it_has_a_level() {
    assert!(lamp::level(60) <= 100);
}
