use lift::may_start;

#[test]
fn an_empty_lift_starts() {
    assert!(may_start(0, 500));
}
