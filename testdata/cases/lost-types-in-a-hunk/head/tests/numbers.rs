use lost_types_in_a_hunk::{Counted, two};

#[test]
fn numbers_are_counted() {
    assert_eq!(3u32.count(), 2);
    assert_eq!(two(3), 4);
}
