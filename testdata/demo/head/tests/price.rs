use carpark::*;

#[test]
fn every_hour_begun_counts() {
    assert_eq!(day_price(60), HOUR);
    assert_eq!(day_price(61), 2 * HOUR);
}

#[test]
fn a_short_stay_is_free() {
    assert_eq!(day_price(10), 0);
    assert_eq!(day_price(20), HOUR);
}

#[test]
fn no_stay_costs_more_than_the_maximum() {
    for minutes in 0..DAY_MINUTES {
        assert!(day_price(minutes) <= DAY);
    }
}

#[test]
fn every_full_day_costs_the_maximum() {
    assert_eq!(stay_price(2 * DAY_MINUTES + 90), 2 * DAY + 2 * HOUR);
}

#[test]
fn loyal_residents_pay_less() {
    assert_eq!(resident_price(90, 0), 360);
    assert_eq!(resident_price(90, 10_000), 288);
}
