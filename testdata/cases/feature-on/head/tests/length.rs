#[test]
fn doubled_is_two_times() {
    assert_eq!(length::doubled(3), 6);
}
