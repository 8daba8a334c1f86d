#[test]
fn eight_has_four_digits() {
    assert_eq!(binary::digits(8), 4);
}

#[test]
fn long_words_count() {
    assert_eq!(binary::words(&["a", "be", "sea"]), 2);
}

#[test]
fn the_second_sign_ends_the_wait() {
    let (send, receive) = std::sync::mpsc::channel();
    send.send(true).unwrap();
    send.send(false).unwrap();
    send.send(true).unwrap();
    assert_eq!(binary::second(&receive), 2);
    assert!(receive.try_recv().is_err());
}
