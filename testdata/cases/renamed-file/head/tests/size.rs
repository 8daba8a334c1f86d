#[test]
fn a_box_has_a_volume() {
    assert_eq!(shapes::solid::volume::cuboid(2, 3, 4), 24);
}
