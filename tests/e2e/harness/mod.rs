//! What every test here needs: a repository, the program's run in it, and the rules that hold for every report.

pub mod case;
pub mod expect;
pub mod fixture;
pub mod invariants;
pub mod nextest;
pub mod program;
pub mod untouched;

pub use fixture::Fixture;
pub use program::Ran;

use std::fmt::Display;

/// What is wrong with one run, gathered so that a failing case tells everything at once.
#[derive(Default)]
pub struct Problems(Vec<String>);

impl Problems {
    pub fn add(&mut self, problem: impl Display) {
        self.0.push(problem.to_string());
    }

    pub fn expect(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.0.push(problem());
        }
    }

    pub fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: T, wanted: T) {
        self.expect(found == wanted, || format!("{what}: found {found:?}, wanted {wanted:?}"));
    }

    /// Fails the test when there are any.
    #[track_caller]
    pub fn settle(self, about: &str, ran: &Ran) {
        assert!(
            self.0.is_empty(),
            "{about}\n\n  - {}\n\n{}",
            self.0.iter().map(|p| p.replace('\n', "\n    ")).collect::<Vec<_>>().join("\n  - "),
            ran.transcript()
        );
    }
}
