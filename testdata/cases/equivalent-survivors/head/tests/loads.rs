use loads::{all_capped, capped, double_capped, has_room};

#[test]
fn loads_are_cut() {
    assert_eq!((capped(7), capped(170)), (7, 100));
    assert_eq!(all_capped(&[7, 170]), [7, 50]);
    assert_eq!((double_capped(7u8), double_capped(270u16)), (7, 200));
}

#[test]
fn there_is_room_below() {
    assert!(has_room(7));
    assert!(!has_room(170));
}
