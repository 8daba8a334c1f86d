#[test]
fn a_fragment_ends_a_path() {
    assert_eq!(const_fn_in_constant::scan(b"a#b"), 1);
    assert_eq!(const_fn_in_constant::scan(b"a?b"), 1);
    assert_eq!(const_fn_in_constant::scan(b"ab"), 2);
}

#[test]
fn twice_is_twice() {
    assert_eq!(const_fn_in_constant::twice(4), 8);
}
