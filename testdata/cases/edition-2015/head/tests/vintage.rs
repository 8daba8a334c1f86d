extern crate vintage;

#[test]
fn one_more_is_more() {
    assert_eq!(vintage::one_more(&4), 5);
    assert_eq!(vintage::shown(&"a"), "<a>");
    assert_eq!(vintage::first("4"), Ok(7));
    assert!(vintage::first("x").is_err());
}
