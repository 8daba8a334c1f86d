use tariff::price;

#[test]
fn each_tier_has_its_price() {
    assert_eq!([price(5), price(50), price(200)], [45, 600, 2830]);
}

#[test]
fn the_edges_belong_to_the_lower_tier() {
    assert_eq!([price(10), price(11)], [90, 132]);
    assert_eq!([price(100), price(101)], [1200, 1444]);
}
