#[test]
fn a_box_has_a_volume() {
    assert_eq!(shapes::volume::cuboid(1, 1, 0), 1);
}
