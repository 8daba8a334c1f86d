//! What the rest of the suite makes of the survivors: a column of its own, which never enters a ratio.
//!
//! Every test target of the packages that hold mutants, and of those that depend on them, is built with the same woven
//! text. The tests that are not the patch's run once without a mutant; those that pass and execute a survivor are tried
//! on it. Survivors that were compiled alone are not tried: each would take a build of all these targets.

use super::judge::Wanted;
use super::progress::Progress;
use super::session::Session;
use super::stage::Stage;
use crate::build::{Builder, Texts};
use crate::campaign::{self, Job, Test};
use crate::error::Result;
use crate::evidence;
use crate::exec::{Ending, Processes, Replay};
use crate::report::model::{BaselineOutcome, Historical, HistoricalVerdict, Killer, Verdict};
use crate::runner;
use crate::test_id::TestId;
use crate::workspace::TargetKind;
use std::collections::{BTreeMap, BTreeSet};

/// How often a historical test has to pass without a mutant.
const RUNS: u32 = 2;

/// The surroundings.
pub struct Suite<'a> {
    /// The question.
    pub session: &'a Session,
    /// Runs tests.
    pub stage: &'a Stage,
    /// Builds.
    pub builder: &'a Builder<'a>,
    /// The woven text of the main build.
    pub texts: &'a Texts,
    /// How.
    pub wanted: &'a Wanted,
    /// When to stop.
    pub ending: &'a Ending,
    /// Who hears of it.
    pub progress: &'a Progress,
}

/// The column, by mutant.
pub type Column = BTreeMap<usize, Historical>;

impl Suite<'_> {
    /// Tries the suite on some woven mutants, by index; `delta` are the patch's own tests. Also gives notes.
    ///
    /// # Errors
    /// When the suite cannot be built, listed or run.
    pub fn judge(&self, survivors: &[usize], delta: &BTreeSet<TestId>) -> Result<(Column, Vec<String>)> {
        let targets = self.targets();
        let what = format!("{} test targets for the historical suite", targets.len());
        self.progress.status("Building", &what);
        let builder = Builder { targets: &targets, ..*self.builder };
        let messages = builder.build_again(self.texts)?;
        let built = self.stage.built(self.session, &messages);
        let listing = runner::list(self.stage.context(), &built, self.wanted.jobs);
        let tests = listing.tests().filter(|test| !test.ignored && !delta.contains(&test.id));
        let ids: Vec<TestId> = tests.map(|test| test.id.clone()).collect();
        let mut notes: Vec<String> = listing
            .failures
            .iter()
            .map(|failure| format!("`{}` is no part of the historical suite: {}", failure.binary_id, failure.why))
            .collect();
        if ids.is_empty() {
            let none = || Historical { verdict: HistoricalVerdict::Unexecuted, killed_by: Vec::new() };
            return Ok((survivors.iter().map(|index| (*index, none())).collect(), notes));
        }
        self.progress.status("Running", &format!("{} historical tests without a mutant", ids.len()));
        let (_, mut recordings) = self.stage.record(self.wanted, &built, &listing, &ids, self.ending)?;
        let red = recordings.iter().filter(|recording| !recording.end.passed()).count();
        if red > 0 {
            notes.push(format!("{red} of {} historical tests do not pass without a mutant and have no say", ids.len()));
        }
        let switches: BTreeSet<u64> = survivors.iter().map(|index| self.switch(*index)).collect();
        recordings.retain(|recording| {
            recording.end.passed() && recording.trace.executed().any(|(switch, _)| switches.contains(&switch))
        });
        let mut baseline = self.stage.repeat(recordings, RUNS, self.ending);
        baseline.tests.retain(|test| test.outcome == BaselineOutcome::Pass);
        Ok((self.column(survivors, &baseline), notes))
    }

    fn column(&self, survivors: &[usize], baseline: &runner::Baseline) -> Column {
        let tests: Vec<Test> =
            baseline.tests.iter().map(|test| Test { name: test.id.name.clone(), duration: test.slowest }).collect();
        let job = |(place, index): (usize, &usize)| {
            let switch = self.switch(*index);
            Job::Woven { switch, executed_by: baseline.executing(switch), place }
        };
        let jobs: Vec<Job> = survivors.iter().enumerate().map(job).collect();
        let replays = baseline
            .tests
            .iter()
            .map(|test| Replay { recorded: test.recorded.clone(), limits: self.stage.limits(test) });
        let exec = Processes::new(self.stage.pool(), replays.collect());
        let mutants = survivors.iter().map(|index| {
            let mutant = &self.session.plan.mutants[*index];
            (mutant.id.clone(), mutant.switch)
        });
        let mutants: Vec<(String, u64)> = mutants.collect();
        let exec = evidence::Recorder {
            exec: &exec,
            log: &self.wanted.log,
            tests: baseline.tests.iter().map(|test| test.id.clone()).collect(),
            suite: evidence::Suite::Historical,
            mutants: mutants.iter().map(|(id, switch)| (*switch, id.clone())).collect(),
            ending: self.ending,
        };
        let options = campaign::Options { jobs: self.wanted.jobs, exhaustive: self.wanted.exhaustive };
        self.progress.start(jobs.len());
        let run = campaign::verdicts(&exec, &tests, &jobs, options, self.ending, self.progress);
        self.progress.finish();
        let mut known = baseline.clone();
        run.varying.iter().for_each(|test| known.tests[*test].outcome = BaselineOutcome::Flaky);
        self.wanted.log.tests(evidence::Suite::Historical, &known, &mutants);
        let named = |(test, how): &(usize, _)| Killer { id: baseline.tests[*test].id.clone(), how: *how };
        let entry = |(index, outcome): (&usize, campaign::Outcome)| {
            let killed_by: Vec<Killer> =
                outcome.killed_by.iter().filter(|(test, _)| !run.varying.contains(test)).map(named).collect();
            let verdict = match outcome.verdict {
                _ if !killed_by.is_empty() => HistoricalVerdict::Killed,
                Verdict::Unexecuted => HistoricalVerdict::Unexecuted,
                Verdict::Unverified => HistoricalVerdict::NotRun,
                Verdict::Survived
                | Verdict::Flaky
                | Verdict::Invalid
                | Verdict::Killed
                | Verdict::Timeout
                | Verdict::Excused => HistoricalVerdict::Survived,
            };
            (*index, Historical { verdict, killed_by })
        };
        survivors.iter().zip(run.outcomes.clone()).map(entry).collect()
    }

    fn switch(&self, index: usize) -> u64 {
        self.session.plan.mutants[index].switch
    }

    /// All test targets of the packages that hold mutants and of those that depend on them, as `cargo test` would run
    /// them.
    fn targets(&self) -> BTreeSet<(usize, usize)> {
        let packages = &self.session.workspace.packages;
        let mut affected: BTreeSet<usize> = self
            .session
            .plan
            .mutants
            .iter()
            .flat_map(|mutant| self.session.modules.uses(&self.session.scope.files[mutant.file].path))
            .map(|of| of.package)
            .collect();
        loop {
            let depends = |index: &usize| packages[*index].dependencies.iter().any(|on| affected.contains(on));
            let more: Vec<usize> =
                (0..packages.len()).filter(|index| !affected.contains(index) && depends(index)).collect();
            if more.is_empty() {
                break;
            }
            affected.extend(more);
        }
        let of_package = |package: usize| {
            let features = &packages[package].features;
            let wanted = move |target: &crate::workspace::Target| {
                target.test
                    && target.kind != TargetKind::BuildScript
                    && target.required_features.iter().all(|feature| features.contains(feature))
            };
            let targets = packages[package].targets.iter().enumerate();
            targets.filter(move |(_, target)| wanted(target)).map(move |(index, _)| (package, index))
        };
        affected.into_iter().flat_map(of_package).collect()
    }
}
