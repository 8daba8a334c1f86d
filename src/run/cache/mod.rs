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
mod shots;
mod sources;
mod store;

use super::judge::Wanted;
use super::session::Session;
use super::stage::Stage;
use crate::report::model::{BaselineOutcome, Report, Verdict};
use crate::report::text::list;
use crate::runner::Built;
use crate::test_id::TestId;
use basis::Basis;
use camino::Utf8Path;
use cargo_metadata::Message;
use serde::{Deserialize, Serialize};
use shots::{Asked, Shots};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;
use store::Store;

/// The name of the one entry about the last run.
const LAST: &str = "basis";

/// Verdicts of earlier runs in one workspace.
#[derive(Debug)]
pub struct Cache {
    runs: Store,
    /// The basis of the last run that was kept.
    last: Store,
    /// What single tests made of single mutants.
    shots: Store,
    /// Whether anything is taken over.
    read: bool,
    state: Mutex<State>,
    seen: OnceLock<Shots>,
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
        let at = |name: &str| Store::at(hunkmut_dir.join("cache").join(name));
        let (state, seen) = (Mutex::default(), OnceLock::new());
        Cache { runs: at("runs"), last: at("last"), shots: at("shots"), read, state, seen }
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
        // What `historical` runs is not looked up.
        if let Some(bases) = basis::executables(session, &common, built) {
            let _ = self.seen.set(Shots::open(&self.shots, bases, self.read));
        }
        let basis = common.whole(session, wanted, built, notes)?;
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

    /// What is known of single tests on woven mutants with these switch values.
    pub fn shots<'a>(&'a self, switches: Vec<u64>, tests: &'a [TestId]) -> Option<Asked<'a>> {
        Some(self.seen.get()?.asked(switches, tests))
    }

    /// How many runs of a test on a mutant were taken over.
    pub fn recalled(&self) -> usize {
        self.seen.get().map_or(0, Shots::recalled)
    }

    /// Why nothing could be taken over, where there is something to say.
    pub fn why_not(&self) -> Option<String> {
        let last = self.last.read::<Basis>(LAST).filter(|_| self.read)?;
        let Some((basis, _)) = &self.state().whole else { return Some("not everything can be compared".to_owned()) };
        let differing = basis.differing(&last);
        (!differing.is_empty()).then(|| format!("changed since the last run: {}", list(&differing, 3)))
    }

    /// Keeps what a run has found, if others may rely on it; why not, where that is worth a word.
    pub fn keep(&self, report: &Report, wanted: &Wanted) -> Option<String> {
        let whole = self.state().whole.take();
        if report.facts.reused > 0 || !is_finished(report) {
            return None;
        }
        let seen = self.seen.get();
        if let Some(Err(why)) = seen.map(|seen| seen.keep(&self.shots)) {
            return Some(why.to_string());
        }
        let Some((basis, notes)) = whole else { return Some("not everything can be compared".to_owned()) };
        if wanted.log.timed_out() {
            return Some("the clock has ended a test process, and may not the next time".to_owned());
        }
        let since = seen.map_or_else(SystemTime::now, Shots::since);
        let run = Run { basis: basis.clone(), notes, report: report.clone() };
        let written = self.runs.write_dated(&basis.digest(), &run, since);
        written.and_then(|()| self.last.write(LAST, &basis)).err().map(|why| why.to_string())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether every verdict of a report is a finished one that came out the same each time.
fn is_finished(report: &Report) -> bool {
    let facts = &report.facts;
    let whole = report.complete && !facts.ended_early && !facts.resumed && !facts.carried_over && !facts.unlisted;
    let green = !report.tests.baseline.is_empty()
        && report.tests.baseline.iter().all(|test| test.outcome == BaselineOutcome::Pass);
    let finished = report.mutants.iter().all(|mutant| match mutant.verdict {
        Verdict::Flaky | Verdict::Unverified => false,
        Verdict::Killed
        | Verdict::Timeout
        | Verdict::Survived
        | Verdict::Unexecuted
        | Verdict::Excused
        | Verdict::Invalid => true,
    });
    whole && green && finished && report.tree.clean && report.tree.before == report.tree.after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = crate::report::sample::report();
        report.complete = true;
        report.mutants.retain(|m| matches!(m.verdict, Verdict::Killed | Verdict::Survived | Verdict::Invalid));
        report
    }

    fn kept(change: impl FnOnce(&mut Report)) -> bool {
        let mut report = report();
        change(&mut report);
        is_finished(&report)
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
}
