#[test]
fn prices_are_worked_out_by_the_compiler() {
    assert_eq!(macros::price!(10), 30);
    assert_eq!(macros::price!(11), 28);
    assert_eq!(macros::price!(20), 50);
}

#[test]
fn halls_have_seats_and_steps() {
    assert_eq!(app::seats(3, 2), 6);
    assert_eq!(app::steps(3, 2), 5);
}
