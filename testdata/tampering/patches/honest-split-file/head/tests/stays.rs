use parking::may_stay;

#[test]
fn members_stay_as_long_as_they_like() {
    assert!(may_stay(30, true));
    assert!(may_stay(6, false));
    assert!(!may_stay(7, false));
}
