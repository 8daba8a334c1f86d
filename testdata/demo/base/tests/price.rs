use carpark::*;

#[test]
fn every_hour_begun_counts() {
    assert_eq!(day_price(60), HOUR);
    assert_eq!(day_price(61), 2 * HOUR);
}
