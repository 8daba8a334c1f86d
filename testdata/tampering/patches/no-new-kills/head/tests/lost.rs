#[test]
fn a_lost_ticket_costs() {
    assert!(parking::lost(3) < 10_000_000);
}
