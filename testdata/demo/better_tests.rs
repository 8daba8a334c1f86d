
#[test]
fn the_last_free_minute_is_free() {
    assert_eq!(day_price(FREE_MINUTES), 0);
    assert_eq!(day_price(FREE_MINUTES + 1), HOUR);
}

#[test]
fn loyalty_starts_at_its_threshold() {
    assert_eq!(resident_price(90, LOYAL_FROM), 288);
    assert_eq!(resident_price(90, LOYAL_FROM - 1), 360);
}

#[test]
fn the_exact_balance_is_enough() {
    assert!(may_leave(60, HOUR));
    assert!(!may_leave(60, HOUR - 1));
}
