#[test]
fn it_is_deep() {
    assert_eq!([abyss::dive(40), abyss::dive(4)], [41, 41]);
}
