use price::{Halves, Price, Priced, Receipt};
use std::cell::Cell;

#[test]
fn prices_are_shown() {
    assert_eq!(Price(0).to_string(), "free");
    assert_eq!(Price(1234).to_string(), "12.34");
}

#[test]
fn prices_add_up() {
    let mut sum = Price(3) + Price(4);
    sum += Price(10);
    assert_eq!(sum, Price(17));
}

#[test]
fn prices_are_read() {
    assert_eq!("12 €".parse(), Ok(Price(1200)));
    assert!("x".parse::<Price>().is_err());
}

#[test]
fn halves_end() {
    assert_eq!(Halves { left: 5 }.collect::<Vec<_>>(), [Price(5), Price(2), Price(1)]);
}

#[test]
fn receipts_count() {
    let count = Cell::new(7);
    drop(Receipt(Price(1), &count));
    assert_eq!(count.get(), 8);
}

#[test]
fn pairs_cost_twice() {
    assert_eq!("abc".pair(), Price(60));
}
