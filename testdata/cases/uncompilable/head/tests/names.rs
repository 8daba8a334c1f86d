#[test]
fn names_are_joined() {
    assert_eq!(names::full("Ada", "L"), "AdaL");
}

#[test]
fn three_initials_fit() {
    assert!(!names::too_long("ABC"));
    assert!(names::too_long("ABCD"));
}

#[test]
fn names_can_be_added() {
    assert_eq!(names::total(2, &3), 5);
}
