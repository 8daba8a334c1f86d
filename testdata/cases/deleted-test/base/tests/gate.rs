#[test]
fn seven_opens() {
    assert!(gate::open(7));
}
