#[test]
fn counted_by_the_helper() {
    assert_eq!(helper::parts::count(&["a"]), 2);
}
