use ledger::{Clock, Entry, borrowed_in_comparison, head, locked_in_comparison, raise, shift};
use std::cell::RefCell;
use std::sync::Mutex;

#[test]
fn entries_are_changed_in_place() {
    let mut entries = [Entry(10), Entry(20), Entry(30)];
    shift(&mut entries, 1, 5);
    assert_eq!(entries, [Entry(10), Entry(15), Entry(35)]);
    raise(&mut entries, 0, 1);
    assert_eq!(entries[0], Entry(11));
}

#[test]
fn the_guard_lives_to_the_end_of_the_comparison() {
    assert!(locked_in_comparison(&Mutex::new(6)));
    assert!(!locked_in_comparison(&Mutex::new(5)));
}

#[test]
fn the_borrow_lives_to_the_end_of_the_statement() {
    assert!(borrowed_in_comparison(&RefCell::new(vec![1, 2, 3])));
    assert!(!borrowed_in_comparison(&RefCell::new(vec![0; 10])));
}

#[test]
fn operands_are_evaluated_once_and_in_order() {
    let clock = Clock::default();
    assert!(clock.runs());
    assert_eq!(clock.tick(), 3);
}

#[test]
fn a_value_that_is_moved_leaves_nothing_and_a_borrow_lives_on() {
    let head = head("May", &RefCell::new(vec![3, 4]));
    assert_eq!(head.title.as_deref(), Some("May"));
    assert_eq!(head.first, Some(7));
    assert!(head.borrowed);
}
