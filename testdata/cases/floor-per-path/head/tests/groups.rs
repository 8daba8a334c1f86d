#[test]
fn easy() {
    assert_eq!([groups::easy(5, 3), groups::easy(3, 5), groups::easy(4, 4)], [10, 15, 12]);
}

#[test]
fn hard() {
    assert!(groups::strict::hard(20, 5));
}
