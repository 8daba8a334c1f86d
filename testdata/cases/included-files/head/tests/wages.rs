#[test]
fn a_fifth_is_taken() {
    assert_eq!([wages::net(100), wages::net(7)], [80, 6]);
}
