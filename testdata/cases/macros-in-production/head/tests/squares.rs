#[test]
fn squares_add_up() {
    assert_eq!(squares::sum_of_squares(4, 3), 25);
}
