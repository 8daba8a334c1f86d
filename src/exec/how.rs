//! How a test failed, read from its end and its last words.
//!
//! A reader trusts a kill by an assertion more than one by a crash: the report says which it was.

use super::{End, Ran};
use crate::report::model::How;

/// Which limit a run exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    /// Wall clock.
    Time,
    /// Site evaluations.
    Hits,
    /// Memory.
    Memory,
}

impl Exceeded {
    /// The word that the report gives as reason.
    pub fn word(self) -> &'static str {
        match self {
            Exceeded::Time => "time",
            Exceeded::Hits => "hits",
            Exceeded::Memory => "memory",
        }
    }
}

/// The limit that ended a run; `None` for one that passed or failed by itself.
pub fn exceeded(ran: &Ran) -> Option<Exceeded> {
    match ran.end {
        End::Passed | End::CannotStart(_) => None,
        End::TimedOut => Some(Exceeded::Time),
        End::Failed { .. } | End::Signal { .. } if ran.limit => Some(Exceeded::Hits),
        // std's words when the allocator returns nothing; the process then aborts
        End::Failed { .. } | End::Signal { .. } => {
            let text = ran.text();
            let starved =
                text.lines().any(|line| line.starts_with("memory allocation of ") && line.ends_with("failed"));
            starved.then_some(Exceeded::Memory)
        }
    }
}

/// How a failed run of the test `name` failed.
pub fn how(ran: &Ran, name: &str) -> How {
    if exceeded(ran).is_some() {
        return How::Timeout;
    }
    match &ran.end {
        End::TimedOut => How::Timeout,
        End::Signal { .. } | End::CannotStart(_) => How::Abort,
        End::Passed | End::Failed { .. } => failed(&ran.text(), name),
    }
}

/// libtest exits with 101 after a panic and after a test that returned an error; anything else that ends without a
/// panic ended the process under the harness.
fn failed(text: &str, name: &str) -> How {
    match killing_panic(text, name) {
        Some(panic) if is_assertion(&panic) => How::Assertion,
        Some(_) => How::Panic,
        None if text.contains("test did not panic as expected") || text.contains("panic did not contain") => {
            How::Assertion
        }
        None if text.contains(&format!("test {name} ... FAILED")) || text.contains("test result: FAILED") => {
            How::Assertion
        }
        None => How::Abort,
    }
}

/// A panic as the default hook prints it.
struct Panic<'t> {
    /// Where, e.g. `src/lib.rs:4:21`.
    place: &'t str,
    /// The first line of what was said.
    said: &'t str,
}

/// The panic that ended the test: the last of the thread that bears the test's name, else the last of all. A thread
/// or a child process of the test may have panicked before.
fn killing_panic<'t>(text: &'t str, name: &str) -> Option<Panic<'t>> {
    let own = format!("thread '{name}'");
    let mut found: Option<(bool, Panic<'t>)> = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((thread, place)) = line.split_once(" panicked at ") else { continue };
        let is_own = thread.contains(&own);
        if is_own || !matches!(found, Some((true, _))) {
            let said = lines.peek().copied().unwrap_or("");
            found = Some((is_own, Panic { place, said }));
        }
    }
    found.map(|(_, panic)| panic)
}

fn is_assertion(panic: &Panic<'_>) -> bool {
    // before Rust 1.73 the message stood in the same line
    let said_so =
        [panic.said, panic.place].iter().any(|line| line.contains("assertion") || line.contains("Test failed"));
    // relative, as the compiler names files of the workspace: not a checkout that lies below some `tests`
    let in_tests = !std::path::Path::new(panic.place).is_absolute()
        && panic.place.split(['/', '\\']).rev().skip(1).any(|dir| dir == "tests");
    said_so || in_tests
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ran(end: End, output: &str) -> Ran {
        Ran {
            end,
            duration: Duration::ZERO,
            hit: true,
            limit: false,
            began: true,
            starved: false,
            disk_full: false,
            output: output.into(),
        }
    }

    fn failed(output: &str) -> How {
        how(&ran(End::Failed { code: 101 }, output), "m::t")
    }

    #[test]
    fn a_failed_assert_is_an_assertion_wherever_it_stands() {
        let text = "\nrunning 1 test\n\nthread 'm::t' (7) panicked at src/lib.rs:4:21:\nassertion `left == right` failed: no\n  left: 1\n";
        assert_eq!(failed(text), How::Assertion);
        assert_eq!(failed("thread 'm::t' panicked at 'assertion failed: x', src/lib.rs:1:1\n"), How::Assertion);
    }

    #[test]
    fn an_unwrap_in_a_test_target_is_an_assertion_and_one_in_production_is_a_panic() {
        let said = "called `Option::unwrap()` on a `None` value";
        assert_eq!(failed(&format!("thread 'm::t' (7) panicked at app/tests/it.rs:3:9:\n{said}\n")), How::Assertion);
        for place in ["app/src/tests.rs:3:9:", "/home/me/tests/dep/src/lib.rs:3:9:"] {
            assert_eq!(failed(&format!("thread 'm::t' (7) panicked at {place}\n{said}\n")), How::Panic);
        }
    }

    #[test]
    fn the_tests_own_thread_decides_not_its_helpers() {
        let text = "thread 'm::t' (7) panicked at src/a.rs:1:1:\nindex out of bounds\nthread 'worker' (8) panicked at src/b.rs:1:1:\nassertion failed: ok\n";
        assert_eq!(failed(text), How::Panic);
    }

    #[test]
    fn a_missing_panic_and_a_returned_error_are_assertions() {
        assert_eq!(failed("note: test did not panic as expected at src/lib.rs:1:1\n"), How::Assertion);
        assert_eq!(failed("Error: \"no\"\ntest m::t ... FAILED\n"), How::Assertion);
    }

    #[test]
    fn a_process_that_just_ends_is_an_abort() {
        assert_eq!(how(&ran(End::Failed { code: 3 }, "running 1 test\n"), "m::t"), How::Abort);
        assert_eq!(how(&ran(End::Signal { number: 6 }, ""), "m::t"), How::Abort);
    }

    #[test]
    fn limits_are_told_apart() {
        let starved = ran(End::Signal { number: 6 }, "memory allocation of 17179869184 bytes failed\n");
        assert_eq!(exceeded(&starved), Some(Exceeded::Memory));
        assert_eq!(exceeded(&Ran { limit: true, ..ran(End::Signal { number: 6 }, "") }), Some(Exceeded::Hits));
        assert_eq!(exceeded(&ran(End::TimedOut, "")), Some(Exceeded::Time));
        assert_eq!(exceeded(&Ran { limit: true, ..ran(End::Passed, "") }), None);
        assert_eq!(how(&starved, "m::t"), How::Timeout);
    }
}
