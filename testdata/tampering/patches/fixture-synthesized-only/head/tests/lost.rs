use parking::lost;

#[test]
fn a_lost_ticket_costs() {
    let (days, cents) = include_str!("fixtures/lost.txt").trim().split_once(';').unwrap();
    assert_eq!(lost(days.parse().unwrap()).to_string(), cents);
    assert_eq!(lost(3), 3_000);
}
