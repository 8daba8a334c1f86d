//! Reuse across runs: what was found out about the very same programs, tests and surroundings is not found out again.
//!
//! A wrong reuse is a wrong verdict, so everything that could matter is compared, down to the bytes of the executables
//! that cargo has just linked or found unchanged, and whatever cannot be compared keeps verdicts from being reused. Only
//! finished, reproducible verdicts are kept: none of a run that was cut short, was not green, met a flaky test, or ended
//! a test by the clock.
//!
//! Evidence is about test processes that its own run has seen, so a run that leaves evidence takes nothing over; it may
//! well leave something for others. Neither `rerun` nor `verify --rerun` ever asks here.

mod basis;
mod products;
mod store;

use super::judge::Wanted;
use super::session::Session;
use super::stage::Stage;
use crate::report::model::{BaselineOutcome, HistoricalVerdict, How, Killer, Report, Verdict};
use crate::runner::Built;
use basis::Basis;
use camino::Utf8Path;
use cargo_metadata::Message;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use store::Store;

/// Verdicts of earlier runs in one workspace.
#[derive(Debug)]
pub struct Cache {
    runs: Store,
    /// Whether anything is taken over.
    read: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What this run's verdicts rest on, and how many notes there were when that was known.
    whole: Option<(Basis, usize)>,
}

/// A whole run.
#[derive(Debug, Serialize, Deserialize)]
struct Run {
    basis: Basis,
    /// The notes before these are this run's own.
    notes: usize,
    report: Report,
}

impl Cache {
    /// The cache of a workspace; `read` is unset when nothing may be taken over.
    pub fn open(hunkmut_dir: &Utf8Path, read: bool) -> Cache {
        Cache { runs: Store::at(hunkmut_dir.join("cache/runs")), read, state: Mutex::default() }
    }

    /// The report of an earlier run on the very same basis, with `notes` in place of what that run said before.
    pub fn whole(
        &self,
        session: &Session,
        wanted: &Wanted,
        stage: &Stage,
        built: &Built,
        messages: &[Message],
        notes: &[String],
    ) -> Option<Report> {
        let common = Basis::common(session, wanted, stage, built, messages)?;
        let basis = common.whole(session, wanted, built)?;
        let found = self.read.then(|| self.runs.read::<Run>(&basis.digest())).flatten();
        let found = found.filter(|run| run.basis == basis);
        self.state().whole = Some((basis, notes.len()));
        let Run { notes: own, mut report, .. } = found?;
        report.notes.drain(..own.min(report.notes.len()));
        report.notes.splice(0..0, notes.iter().cloned());
        report.facts.reused = report.mutants.iter().filter(|m| m.verdict != Verdict::Unverified).count();
        report.notes.push(format!(
            "{} verdicts of an earlier run with the same programs, tests and surroundings: `--no-cache` takes them anew",
            report.facts.reused
        ));
        Some(report)
    }

    /// Keeps what a run has found, if others may rely on it. A failure to write costs time and nothing else.
    pub fn keep(&self, report: &Report, wanted: &Wanted) {
        let Some((basis, notes)) = self.state().whole.take() else { return };
        if report.facts.reused == 0 && is_sound(report, wanted.historical) {
            let name = basis.digest();
            let _ = self.runs.write(&name, &Run { basis, notes, report: report.clone() });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether every verdict of a report would be the same tomorrow, as far as anybody can tell.
fn is_sound(report: &Report, historical: bool) -> bool {
    let facts = &report.facts;
    let whole = report.complete && !facts.ended_early && !facts.resumed && !facts.carried_over && !facts.unlisted;
    let green = !report.tests.baseline.is_empty()
        && report.tests.baseline.iter().all(|test| test.outcome == BaselineOutcome::Pass);
    let by_limit = |killer: &Killer| killer.how == How::Timeout;
    let sound = report.mutants.iter().all(|mutant| {
        let own = match mutant.verdict {
            Verdict::Flaky | Verdict::Unverified => false,
            // Hits and memory are counted; seconds depend on who else is at work. Of further killers the limit is unknown.
            Verdict::Timeout => mutant.reason.as_deref() != Some("time") && mutant.killed_by.len() == 1,
            Verdict::Survived | Verdict::Unexecuted | Verdict::Excused => {
                !historical || mutant.historical.verdict != HistoricalVerdict::NotRun
            }
            Verdict::Killed | Verdict::Invalid => !mutant.killed_by.iter().any(by_limit),
        };
        own && !mutant.historical.killed_by.iter().any(by_limit)
    });
    let untouched = report.tree.clean && report.tree.before == report.tree.after;
    whole && green && sound && untouched && !report.reverted.killed_by.iter().any(by_limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = crate::report::sample::report();
        report.complete = true;
        report.mutants.retain(|m| matches!(m.verdict, Verdict::Killed | Verdict::Survived | Verdict::Invalid));
        report.mutants.iter_mut().for_each(|m| m.killed_by.iter_mut().for_each(|killer| killer.how = How::Panic));
        report
    }

    fn kept(change: impl FnOnce(&mut Report)) -> bool {
        let mut report = report();
        change(&mut report);
        is_sound(&report, false)
    }

    #[test]
    fn only_what_would_be_the_same_tomorrow_is_kept() {
        assert!(kept(|_| ()));
        assert!(!kept(|report| report.complete = false));
        assert!(!kept(|report| report.facts.resumed = true));
        assert!(!kept(|report| report.tree.clean = false));
        assert!(!kept(|report| report.tests.baseline.clear()));
        assert!(!kept(|report| report.tests.baseline[0].outcome = BaselineOutcome::Flaky));
        assert!(!kept(|report| report.mutants[0].verdict = Verdict::Flaky));
        assert!(!kept(|report| report.mutants[0].verdict = Verdict::Unverified));
    }

    #[test]
    fn a_limit_that_is_counted_is_kept_and_one_of_the_clock_is_not() {
        let limit = |word: &'static str| {
            move |report: &mut Report| {
                let killed = report.mutants.iter_mut().find(|m| m.verdict == Verdict::Killed).unwrap();
                killed.verdict = Verdict::Timeout;
                killed.reason = Some(word.to_owned());
                killed.killed_by.truncate(1);
                killed.killed_by[0].how = How::Timeout;
            }
        };
        assert!(kept(limit("hits")));
        assert!(!kept(limit("time")));
    }
}
