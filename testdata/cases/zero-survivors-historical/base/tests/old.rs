#[test]
fn noon_is_zero() {
    assert_eq!([clock::dial(12), clock::dial(11), clock::dial(13)], [0, 11, 1]);
}
