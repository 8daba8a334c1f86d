#[test]
fn a_board_has_64_fields() {
    assert_eq!((board::LENGTH, board::BOARD.len()), (8, 64));
    assert_eq!(board::fields(3, 2), 6);
    assert!(board::BOARD.iter().all(|field| *field == 0));
}

#[test]
fn a_queen_is_worth_nine_pawns() {
    assert_eq!(board::Piece::Queen as i32, 9 * board::Piece::Pawn as i32);
}
