//! Tests that the patch leaves alone, with types that the compiler works out.

const COINS: [u8; macros::price!(1)] = [1; 3];
const HALL: [bool; app::seats(4, 3)] = [false; 12];

#[test]
fn lengths_fit() {
    assert_eq!(COINS.len() + HALL.len(), 15);
}
