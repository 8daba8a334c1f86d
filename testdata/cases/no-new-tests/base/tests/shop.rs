#[test]
fn nothing_is_free() {
    assert!(shop::discounted(10) > 0);
}
