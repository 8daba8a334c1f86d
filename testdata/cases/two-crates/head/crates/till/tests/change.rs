#[test]
fn change_is_given() {
    assert_eq!(till::coins::change(7, 10), 3);
}
