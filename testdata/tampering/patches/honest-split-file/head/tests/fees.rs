use parking::fee;

#[test]
fn a_short_stop_is_free() {
    assert_eq!(fee(15), 0);
    assert_eq!(fee(16), 250);
}

#[test]
fn every_started_hour_counts() {
    assert_eq!(fee(59), 250);
    assert_eq!(fee(60), 500);
    assert_eq!(fee(125), 750);
}
