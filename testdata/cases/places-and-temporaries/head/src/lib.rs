//! Books, kept in order.

use std::cell::{Cell, RefCell};
use std::sync::Mutex;

/// One line of the books. It is `Copy`: a change of a copy would be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry(pub i64);

impl Entry {
    pub fn raise(&mut self, amount: i64) {
        self.0 += amount;
    }
}

/// Moves an amount from one entry to the next.
pub fn shift(entries: &mut [Entry], at: usize, amount: i64) {
    entries[at].raise(-amount);
    entries[at + 1].raise(amount);
}

/// Raises one entry.
pub fn raise(entries: &mut [Entry], at: usize, amount: i64) {
    entries[at].0 += amount;
}

/// Whether the balance is above 5, which nobody else can lock until the comparison is done.
pub fn locked_in_comparison(balance: &Mutex<i64>) -> bool {
    *balance.lock().unwrap() > 5 + i64::from(balance.try_lock().is_ok()) * 9
}

/// Whether the list is still borrowed while the whole comparison is evaluated.
pub fn borrowed_in_comparison(list: &RefCell<Vec<u8>>) -> bool {
    list.borrow().len() < 1 + usize::from(list.try_borrow_mut().is_err()) * 9
}

/// A clock that moves when it is read.
#[derive(Default)]
pub struct Clock(Cell<u32>);

impl Clock {
    pub fn tick(&self) -> u32 {
        let now = self.0.get() + 1;
        self.0.set(now);
        now
    }

    /// Two readings, the first of which is earlier.
    pub fn runs(&self) -> bool {
        self.tick() < self.tick()
    }
}

/// The head of a page.
pub struct Head {
    pub title: Option<String>,
    pub first: Option<u8>,
    pub borrowed: bool,
}

/// A head; the list is borrowed until all of it is there.
pub fn head(title: &str, list: &RefCell<Vec<u8>>) -> Head {
    let mut head = Head { title: None, first: None, borrowed: false };
    head = Head {
        title: Some(title.to_owned()),
        first: Some(list.borrow().iter().copied().sum()),
        borrowed: head.first.is_none() && list.try_borrow_mut().is_err(),
    };
    head
}
