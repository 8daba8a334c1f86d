#[test]
fn the_next_byte_is_found() {
    assert_eq!(bytes::next(b"abc", 1), Some(b'c'));
    assert_eq!(bytes::next(b"abc", 2), None);
    assert_eq!(bytes::next(b"abc", 0), Some(b'b'));
}
