#[test]
fn it_builds() {
    use slots as _;
}
