#[test]
fn it_works() {
    assert_eq!(1 + 1, 2);
}
