#[test]
fn an_empty_lift_takes_somebody() {
    assert!(lift::takes(1));
}
