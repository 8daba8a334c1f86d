use gears::{largest, stops};

#[test]
fn the_largest_cog_wins() {
    assert_eq!(largest(50, 34), 50);
}

#[test]
fn a_long_ride_can_be_planned() {
    let planned = stops(180, 50);
    println!("{planned} stops");
}
