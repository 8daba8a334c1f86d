#[test]
fn the_fee_is_one() {
    assert_eq!(zero_survivors_red_suite::fee(), 1);
}
