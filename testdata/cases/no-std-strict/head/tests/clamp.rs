use clamp::{clamp, excess};

#[test]
fn values_are_limited() {
    assert_eq!([clamp(9, 5), clamp(3, 5), clamp(5, 5)], [5, 3, 5]);
}

#[test]
fn the_excess_is_what_is_over() {
    assert_eq!([excess(9, 5), excess(5, 5), excess(6, 5), excess(1, 5)], [Some(4), None, Some(1), None]);
}
