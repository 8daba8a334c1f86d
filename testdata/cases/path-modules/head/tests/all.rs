#[test]
fn every_tool_works() {
    assert_eq!(tools::cutting::cuts(3), 4);
    assert_eq!(tools::bench::inner::vice::grip(3), 2);
    assert_eq!(tools::deep::holes(1), 2);
}
