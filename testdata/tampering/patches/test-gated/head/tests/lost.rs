use parking::lost;

#[test]
fn a_lost_ticket_costs() {
    assert_eq!(lost(3), 3_000);
    assert_eq!(lost(4), 9_000);
}
