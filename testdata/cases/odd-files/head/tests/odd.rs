#[test]
fn odd_files_work() {
    assert_eq!(odd::windows::next(1), 2);
    assert_eq!(odd::marked::triple(3), 9);
}
