use running::*;

#[test]
fn a_fast_start_counts() {
    assert_eq!(start([5, 6], 4), 11);
    assert_eq!(start([4, 6], 4), 0);
    assert_eq!(start([9], 4), 0);
}

#[test]
fn measures_are_doubled() {
    assert_eq!(doubled(&["a", "bcd"], |s| s.len() as u32), 8);
}

#[test]
fn laps_have_names() {
    assert_eq!([laps(0), laps(1), laps(2), laps(3)], ["none", "odd", "even", "odd"]);
}

#[test]
fn zones_have_edges() {
    let zones = ["x", "4", "5", "8", "9", "12", "13"].map(zone);
    assert_eq!(zones, [0, 1, 2, 2, 1, 1, 3]);
}

#[test]
fn a_counter_counts() {
    let mut next = counter(3);
    assert_eq!([next(), next()], [3, 6]);
}
