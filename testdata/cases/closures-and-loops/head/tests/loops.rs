use loops::*;

#[test]
fn squares_add_up() {
    assert_eq!(squares(4), 14);
}

#[test]
fn three_are_first() {
    assert_eq!(first(&["a", "b", "c", "d", "e"]), ["a", "b", "c"]);
}

#[test]
fn long_words_are_kept() {
    assert_eq!(long(&["is", "the", "sea"]), ["the", "sea"]);
}

#[test]
fn bounds_are_half_open() {
    assert_eq!(within(1, 4, vec![0, 1, 2, 3, 4, 5]), 3);
}

#[test]
fn pairs_are_found() {
    assert_eq!(pair(&[100, 1, 2, 3], 5), Some((2, 3)));
    assert_eq!(pair(&[1, 2], 9), None);
}

#[test]
fn sums_are_read() {
    assert_eq!(add("1 + 2 + 3"), Ok(6));
    assert!(add("1 + x").is_err());
}
