//! Verdicts redone by hand: the replacement's bytes put into a copy of the files, and plain `cargo test` asked.
//!
//! Slow and without any of the program's own machinery, so that the two can disagree.

use crate::harness::case::Case;
use crate::harness::invariants::describe;
use crate::harness::program::{Ran, clean, finish};
use crate::harness::{Fixture, Problems};
use cargo_hunkmut::report::model::{Mutant, Report, Verdict};
use std::collections::BTreeSet;

/// At most so many mutants of a case are redone, spread over all of them.
const SAMPLE: usize = 14;

/// A copy of the repository's files in which one mutant after the other lives.
struct ByHand {
    copy: Fixture,
}

impl ByHand {
    fn of(fixture: &Fixture) -> ByHand {
        let copy = Fixture::folder();
        for path in fixture.git(&["ls-files", "-z"]).split('\0').filter(|path| !path.is_empty()) {
            copy.write(path, std::fs::read(fixture.root().join(path)).unwrap());
        }
        ByHand { copy }
    }

    fn cargo(&self, args: &[&str]) -> Ran {
        let mut cargo = clean("cargo", &self.copy.root());
        cargo.args(args).env("RUSTFLAGS", "--cap-lints=allow").env("RUST_BACKTRACE", "0");
        finish(cargo)
    }

    /// The tests that fail in the copy as it is; `None` when it does not compile.
    fn failing(&self) -> Option<BTreeSet<String>> {
        if self.cargo(&["test", "--no-run", "--tests", "--workspace"]).code != Some(0) {
            return None;
        }
        let ran = self.cargo(&["test", "--tests", "--workspace", "--no-fail-fast"]);
        Some(failures(&ran))
    }

    /// What the delta's tests make of one mutant.
    fn redo(&self, mutant: &Mutant) -> Option<BTreeSet<String>> {
        let text = self.copy.read(&mutant.file);
        let (before, after) = (&text[..mutant.start_byte], &text[mutant.end_byte..]);
        self.copy.write(&mutant.file, format!("{before}{}{after}", mutant.replacement));
        let failing = self.failing();
        self.copy.write(&mutant.file, text);
        failing
    }
}

/// The failed tests in libtest's output, by name alone: the cases that are redone have no name twice.
fn failures(ran: &Ran) -> BTreeSet<String> {
    let failed = ran.stdout.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    failed.map(|name| name.trim_end_matches(" - should panic").to_owned()).collect()
}

fn agree(name: &str) {
    let case = Case::named(name);
    let fixture = case.repository();
    let (ran, report) = case.run_in(&fixture);
    let report: Report = report.unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
    let hand = ByHand::of(&fixture);
    assert_eq!(hand.failing(), Some(BTreeSet::new()), "the copy is green");
    // Without limits of its own, this checker would wait for the end of those that have none.
    let ending: Vec<&Mutant> = report.mutants.iter().filter(|m| m.verdict != Verdict::Timeout).collect();
    let step = ending.len().div_ceil(SAMPLE).max(1);
    let mut problems = Problems::default();
    for mutant in ending.into_iter().step_by(step) {
        let failing = hand.redo(mutant);
        let delta: BTreeSet<&str> = report.tests.delta.iter().map(|t| t.id.name.as_str()).collect();
        let by_delta = |f: &BTreeSet<String>| f.iter().any(|name| delta.contains(name.as_str()));
        let agrees = match (mutant.verdict, &failing) {
            (Verdict::Killed, Some(f)) => mutant.killed_by.iter().all(|k| f.contains(&k.id.name)),
            (Verdict::Survived | Verdict::Unexecuted, Some(f)) => !by_delta(f),
            (Verdict::Invalid, None) => true,
            _ => false,
        };
        problems.expect(agrees, || format!("{} is {:?}, by hand {failing:?}", describe(mutant), mutant.verdict));
    }
    problems.settle(&format!("{name}: verdicts redone by hand"), &ran);
}

#[test]
fn verdicts_of_places_and_temporaries_agree_with_real_changes() {
    agree("places-and-temporaries");
}

#[test]
fn verdicts_of_new_syntax_agree_with_real_changes() {
    agree("modern-syntax");
}

#[test]
fn verdicts_of_survivors_agree_with_real_changes() {
    agree("hold-many-survivors");
}

#[test]
fn verdicts_of_changes_that_do_not_compile_agree_with_real_changes() {
    agree("uncompilable");
}
