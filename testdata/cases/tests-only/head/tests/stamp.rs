#[test]
fn it_is_not_free() {
    assert!(stamp::price() > 0);
}
