#[test]
fn seven_days() {
    assert_eq!(week::days(), 7);
}
