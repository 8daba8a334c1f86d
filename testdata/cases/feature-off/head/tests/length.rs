#[test]
fn a_metre_has_a_hundred() {
    assert_eq!(length::centimetres(3), 300);
}
