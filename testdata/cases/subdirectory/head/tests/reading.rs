#[test]
fn used_is_the_difference() {
    assert_eq!(meter::used(3, 10), 7);
}
