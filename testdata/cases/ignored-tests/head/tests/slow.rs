#[test]
#[ignore = "takes an hour"]
fn it_is_slow() {
    assert_eq!(slow::slow(1), 2);
}
