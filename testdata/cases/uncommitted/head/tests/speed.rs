#[test]
fn knots_are_slower_than_they_look() {
    assert_eq!([knots::kilometres(10), knots::kilometres(1000)], [18, 1852]);
}
