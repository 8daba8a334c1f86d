#[test]
fn each_step_is_ten_percent_brighter() {
    assert_eq!(lamp::brightness(3), 30);
}

#[test]
fn the_first_step_is_warm() {
    assert_eq!(lamp::colour(0), 2700);
}
