#[test]
fn größe_zählt() {
    assert_eq!([bakery::klein::kosten(3), bakery::klein::kosten(7)], [21, 49]);
}
