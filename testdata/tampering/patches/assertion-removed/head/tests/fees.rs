use parking::{fee, may_stay};

#[test]
fn a_short_stop_is_free() {
    assert_eq!(fee(15), 0);
}

#[test]
fn every_started_hour_counts() {
    assert_eq!(fee(59), 250);
    assert_eq!(fee(60), 500);
    assert_eq!(fee(125), 750);
}

#[test]
fn members_stay_as_long_as_they_like() {
    assert!(may_stay(30, true));
    assert!(may_stay(6, false));
    assert!(!may_stay(7, false));
}
