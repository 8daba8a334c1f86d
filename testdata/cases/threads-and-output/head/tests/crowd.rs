#[test]
fn everybody_counts() {
    for line in 0..20_000 {
        println!("line {line} of what nobody reads, on and on and on");
    }
    assert_eq!(crowd::total(&[3, 5, 7, 11]), 52);
}
