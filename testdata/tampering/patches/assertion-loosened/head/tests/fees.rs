use parking::{fee, may_stay};

#[test]
fn a_short_stop_is_free() {
    assert_eq!(fee(15), 0);
    assert_eq!(fee(16), 250);
}

#[test]
fn every_started_hour_counts() {
    assert_eq!(fee(59), 250);
    assert_eq!(fee(60), 500);
    assert!(fee(125) > 0);
}

#[test]
fn members_stay_as_long_as_they_like() {
    assert!(may_stay(30, true));
    assert!(may_stay(6, false));
    assert!(!may_stay(7, false));
}
