#[test]
fn water_boils() {
    assert_eq!([weather::fahrenheit(100), weather::fahrenheit(7)], [212, 44]);
}
