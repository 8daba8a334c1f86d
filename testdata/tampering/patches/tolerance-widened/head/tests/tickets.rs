use parking::tickets::{load, number};

const FOUND: &str = include_str!("fixtures/found.txt");

#[test]
fn tickets_have_numbers() {
    let first = FOUND.lines().filter(|line| !line.starts_with('#')).next().unwrap();
    assert_eq!(number(first), Ok(42));
}

#[test]
fn a_ticket_can_be_read() {
    number("T-7").unwrap();
    assert!(number("7").is_err());
}

#[test]
#[should_panic(expected = "no number")]
fn a_ticket_without_digits_is_none() {
    number("T-x").unwrap();
}

#[test]
fn half_full_is_a_half() {
    assert!((load(50, 100) - 0.5).abs() < 1e-1);
    assert!((load(1, 3) - 0.3333).abs() < 1e-3);
}
