#[test]
fn two_cost_four() {
    assert_eq!(zero_survivors_red_suite::price(2), 4);
}
