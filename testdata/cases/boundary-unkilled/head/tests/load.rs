#[test]
fn half_the_load_is_allowed() {
    assert!(lift::may_start(250, 500));
}
