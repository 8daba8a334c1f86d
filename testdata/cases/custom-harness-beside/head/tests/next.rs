#[test]
fn one_follows_zero() {
    assert_eq!(counter::next(0), 1);
    assert_eq!(counter::next(5), 6);
}
