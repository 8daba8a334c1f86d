use lift::may_start;

#[test]
fn an_empty_lift_starts() {
    assert!(may_start(0, 500));
}

#[test]
fn the_rated_load_is_allowed() {
    assert!(may_start(500, 500));
    assert!(!may_start(501, 500));
}
