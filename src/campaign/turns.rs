//! Who may run beside whom.
//!
//! nextest never runs a test beside itself, and tests rely on that: a fixed port, a file of one name. A campaign does,
//! on different mutants, because a patch often has only one test. So a failure only counts when it comes again with no
//! other run of the same test going on; and when the disk was full at the time, with no other run at all.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The locks of a campaign.
#[derive(Debug)]
pub struct Turns {
    all: RwLock<()>,
    tests: Vec<Test>,
}

#[derive(Debug, Default)]
struct Test {
    lock: RwLock<()>,
    running: AtomicUsize,
    begun: AtomicUsize,
    doubted: AtomicBool,
}

/// Held while a test runs.
#[allow(dead_code)]
pub enum Turn<'a> {
    /// Others may run the same test.
    Beside(Beside<'a>),
    /// Nobody runs the same test.
    Alone(RwLockReadGuard<'a, ()>, RwLockWriteGuard<'a, ()>),
    /// Nobody runs anything.
    Quiet(RwLockWriteGuard<'a, ()>),
}

/// A run that others may be beside.
pub struct Beside<'a> {
    test: &'a Test,
    /// How many runs of the test had begun with this one.
    mine: usize,
    /// Whether another was going on already.
    met: bool,
    _locks: (RwLockReadGuard<'a, ()>, RwLockReadGuard<'a, ()>),
}

impl Beside<'_> {
    /// Whether another run of the same test was going on meanwhile.
    pub fn had_company(&self) -> bool {
        self.met || self.test.begun.load(Ordering::SeqCst) != self.mine
    }
}

impl Drop for Beside<'_> {
    fn drop(&mut self) {
        self.test.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Turns {
    /// For so many tests.
    pub fn new(tests: usize) -> Turns {
        Turns { all: RwLock::default(), tests: (0..tests).map(|_| Test::default()).collect() }
    }

    /// Waits until the test may run beside others.
    pub fn beside(&self, test: usize) -> Beside<'_> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let test = &self.tests[test];
        let own = test.lock.read().unwrap_or_else(PoisonError::into_inner);
        let met = test.running.fetch_add(1, Ordering::SeqCst) > 0;
        let mine = test.begun.fetch_add(1, Ordering::SeqCst) + 1;
        Beside { test, mine, met, _locks: (all, own) }
    }

    /// Whether this is the first doubt about a test.
    pub fn is_first_doubt(&self, test: usize) -> bool {
        !self.tests[test].doubted.swap(true, Ordering::SeqCst)
    }

    /// Waits until nobody runs the test, or, if `quiet`, anything.
    pub fn alone(&self, test: usize, quiet: bool) -> Turn<'_> {
        if quiet {
            return Turn::Quiet(self.all.write().unwrap_or_else(PoisonError::into_inner));
        }
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        Turn::Alone(all, self.tests[test].lock.write().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn company_is_noticed_by_both() {
        let turns = Turns::new(2);
        let first = turns.beside(0);
        assert!(!first.had_company());
        let other = turns.beside(1);
        assert!(!first.had_company() && !other.had_company());
        let second = turns.beside(0);
        assert!(first.had_company() && second.had_company());
        drop((first, second));
        assert!(!turns.beside(0).had_company());
    }

    #[test]
    fn a_run_alone_waits_for_the_same_test_only_and_a_quiet_one_for_all() {
        let turns = Turns::new(2);
        let running = turns.beside(0);
        drop(turns.alone(1, false));
        std::thread::scope(|scope| {
            let alone = scope.spawn(|| drop(turns.alone(0, false)));
            let quiet = scope.spawn(|| drop(turns.alone(1, true)));
            assert!(!alone.is_finished() && !quiet.is_finished());
            drop(running);
        });
    }
}
