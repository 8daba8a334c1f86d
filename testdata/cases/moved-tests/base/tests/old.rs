#[test]
fn three_is_high() {
    assert!(tides::high(3));
}

#[test]
fn fifteen_is_high() {
    assert!(tides::high(15));
}
