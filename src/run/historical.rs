//! What the rest of the suite makes of the survivors: a column of its own, which never enters a ratio.
//!
//! Every test target of the packages that hold mutants, and of those that depend on them, is built with the same woven
//! text. The tests that are not the patch's run once without a mutant; those that pass and execute a survivor are tried
//! on it. A survivor that no switch can hold takes a build of all these targets and all their tests, so that only the gate
//! which asks about every mutant has it tried.

use super::judge::Wanted;
use super::originals::Originals;
use super::progress::Progress;
use super::rebuilds::Rebuilds;
use super::session::Session;
use super::stage::Stage;
use super::worker::{self, Archived};
use crate::build::{Builder, Texts};
use crate::campaign::{self, Job, Test};
use crate::error::Result;
use crate::evidence;
use crate::exec::{Ending, Execute, Recorded};
use crate::report::model::{BaselineOutcome, Historical, HistoricalVerdict, Killer, Verdict};
use crate::runner::{self, Recording};
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
    /// Tries the suite on some mutants, by index, that are woven in or have to be compiled alone; `delta` are the patch's
    /// own tests. Also gives notes.
    ///
    /// # Errors
    /// When the suite cannot be built, listed or run.
    pub fn judge(&self, woven: &[usize], alone: &[usize], delta: &BTreeSet<TestId>) -> Result<(Column, Vec<String>)> {
        let targets = targets(self.session);
        let what = format!("{} test targets for the historical suite", targets.len());
        self.progress.status("Building", &what);
        let builder = Builder { targets: &targets, ..*self.builder };
        let archive = self.wanted.archive.as_deref();
        let built = match archive {
            Some(archive) => worker::historical(archive)?,
            None => self.stage.built(self.session, &builder.build_again(self.texts)?),
        };
        let listing = runner::list(self.stage.context(), &built, self.wanted.jobs);
        let is_frozen = |id: &TestId| self.session.frozen.contains(&id.to_string());
        let is_out = |id: &TestId| delta.contains(id) || self.wanted.without.contains(id) || is_frozen(id);
        let tests = listing.tests().filter(|test| !test.ignored && !is_out(&test.id));
        let ids: Vec<TestId> = tests.map(|test| test.id.clone()).collect();
        let mut notes: Vec<String> = listing
            .failures
            .iter()
            .map(|failure| format!("`{}` is no part of the historical suite: {}", failure.binary_id, failure.why))
            .collect();
        self.wanted.log.historical(ids.len());
        if ids.is_empty() {
            let none = || Historical { verdict: HistoricalVerdict::Unexecuted, killed_by: Vec::new() };
            return Ok((woven.iter().chain(alone).map(|index| (*index, none())).collect(), notes));
        }
        self.progress.status("Running", &format!("{} historical tests without a mutant", ids.len()));
        let (_, mut recordings) = self.stage.record(self.wanted, &built, &listing, &ids, self.ending)?;
        let red = recordings.iter().filter(|recording| !recording.end.passed()).count();
        if red > 0 {
            notes.push(format!("{red} of {} historical tests do not pass without a mutant and have no say", ids.len()));
        }
        self.wanted.log.tests(evidence::Suite::Historical, &once(&recordings), &self.named(woven));
        let switches: BTreeSet<u64> = woven.iter().map(|index| self.switch(*index)).collect();
        let trace = |recording: &Recording| recording.trace.executed().map(|(switch, _)| switch).collect::<Vec<u64>>();
        let mut by_red: BTreeSet<u64> = recordings.iter().filter(|r| !r.end.passed()).flat_map(trace).collect();
        recordings.retain(|recording| {
            // Nobody knows which tests execute what is compiled alone.
            let executes = || recording.trace.executed().any(|(switch, _)| switches.contains(&switch));
            recording.end.passed() && (!alone.is_empty() || executes())
        });
        let mut baseline = self.stage.repeat(recordings, RUNS, self.ending);
        self.wanted.log.tests(evidence::Suite::Historical, &baseline, &self.named(woven));
        let varies = |test: &&runner::BaselineTest| test.outcome != BaselineOutcome::Pass;
        by_red.extend(baseline.tests.iter().filter(varies).flat_map(|test| test.trace.executed().map(|(at, _)| at)));
        baseline.tests.retain(|test| test.outcome == BaselineOutcome::Pass);
        let (mut column, varying) = self.column(woven, &baseline);
        if !alone.is_empty()
            && let Err(fault) = self.alone(alone, &builder, &built, &baseline, &varying, &mut column)
        {
            notes.push(format!("historical tests were not tried on every mutant that is compiled alone: {fault}"));
        }
        // What only a test executes that fails anyway is not known to be uncovered.
        column.retain(|index, entry| {
            entry.verdict != HistoricalVerdict::Unexecuted || !by_red.contains(&self.switch(*index))
        });
        Ok((column, notes))
    }

    /// Compiles mutants alone and tries all tests on each. An error leaves what is done in `column`.
    fn alone(
        &self,
        mutants: &[usize],
        builder: &Builder<'_>,
        built: &runner::Built,
        baseline: &runner::Baseline,
        varying: &[usize],
        column: &mut Column,
    ) -> Result<()> {
        if baseline.tests.is_empty() || self.ending.reached() {
            return Ok(());
        }
        self.progress.status(
            "Rebuilding",
            &format!("{} mutants that no switch can hold, for the historical suite", mutants.len()),
        );
        let archive = self.wanted.archive.as_deref();
        let originals = Originals::keep(built, &runner::metadata_file(self.stage.context()))?;
        let exec = self.stage.processes(baseline, |recorded| originals.recorded(recorded));
        let exec = self.recorder(&exec, baseline, &[]);
        let (tests, options) = (tests(baseline), self.options());
        let rebuilds = Rebuilds {
            builder,
            originals: &originals,
            exec: &exec,
            tests: &tests,
            options,
            credit: false,
            ending: self.ending,
            archive: archive.map(|archive| Archived { archive, suite: evidence::Suite::Historical }),
        };
        let mut outcomes = BTreeMap::new();
        self.progress.start(mutants.len());
        let judged = rebuilds.judge(mutants, &mut outcomes, &mut BTreeSet::new(), &|done| {
            self.wanted.log.alone(&self.session.plan.mutants[mutants[done]].id);
            campaign::Progress::done(self.progress, done, 0, 0);
        });
        self.progress.finish();
        // What does not compile with all targets was shown to no test.
        outcomes.retain(|_, outcome| outcome.verdict != Verdict::Invalid);
        column.extend(outcomes.into_iter().map(|(index, outcome)| (index, entry(&outcome, varying, baseline))));
        judged
    }

    /// The column, and the tests that turned out to fail without a mutant now and then.
    fn column(&self, survivors: &[usize], baseline: &runner::Baseline) -> (Column, Vec<usize>) {
        let tests = tests(baseline);
        let job = |(place, index): (usize, &usize)| {
            let switch = self.switch(*index);
            Job::Woven { switch, executed_by: baseline.executing(switch), place }
        };
        let jobs: Vec<Job> = survivors.iter().enumerate().map(job).collect();
        let exec = self.stage.processes(baseline, Recorded::clone);
        let mutants = self.named(survivors);
        let exec = self.recorder(&exec, baseline, &mutants);
        let options = self.options();
        self.progress.start(jobs.len());
        let run = campaign::verdicts(&exec, &tests, &jobs, options, self.ending, self.progress);
        self.progress.finish();
        let mut known = baseline.clone();
        run.varying.iter().for_each(|test| known.tests[*test].outcome = BaselineOutcome::Flaky);
        self.wanted.log.tests(evidence::Suite::Historical, &known, &mutants);
        let outcomes = survivors.iter().zip(&run.outcomes);
        let column = outcomes.map(|(index, outcome)| (*index, entry(outcome, &run.varying, baseline))).collect();
        (column, run.varying)
    }

    /// IDs and switches.
    fn named(&self, mutants: &[usize]) -> Vec<(String, u64)> {
        let mutant = |index: &usize| (self.session.plan.mutants[*index].id.clone(), self.switch(*index));
        mutants.iter().map(mutant).collect()
    }

    fn options(&self) -> campaign::Options {
        campaign::Options { jobs: self.wanted.jobs, exhaustive: self.wanted.exhaustive }
    }

    fn recorder<'e>(
        &'e self,
        exec: &'e dyn Execute,
        baseline: &runner::Baseline,
        mutants: &[(String, u64)],
    ) -> evidence::Recorder<'e> {
        evidence::Recorder {
            exec,
            log: &self.wanted.log,
            tests: baseline.tests.iter().map(|test| test.id.clone()).collect(),
            suite: evidence::Suite::Historical,
            mutants: mutants.iter().map(|(id, switch)| (*switch, id.clone())).collect(),
            ending: self.ending,
        }
    }

    fn switch(&self, index: usize) -> u64 {
        self.session.plan.mutants[index].switch
    }
}

/// Tests that have run once.
fn once(recordings: &[Recording]) -> runner::Baseline {
    let test = |recording: &Recording| runner::BaselineTest {
        id: recording.id.clone(),
        recorded: recording.recorded.clone(),
        outcome: if recording.end.passed() { BaselineOutcome::Pass } else { BaselineOutcome::Fail },
        runs: 1,
        slowest: recording.duration,
        trace: recording.trace.clone(),
        output: recording.output.clone(),
    };
    runner::Baseline { tests: recordings.iter().map(test).collect() }
}

fn tests(baseline: &runner::Baseline) -> Vec<Test> {
    baseline.tests.iter().map(|test| Test { name: test.id.name.clone(), duration: test.slowest }).collect()
}

/// What an outcome says in this column. Tests that vary without a mutant kill nothing.
fn entry(outcome: &campaign::Outcome, varying: &[usize], baseline: &runner::Baseline) -> Historical {
    let named = |(test, how): &(usize, _)| Killer { id: baseline.tests[*test].id.clone(), how: *how };
    let killed_by: Vec<Killer> =
        outcome.killed_by.iter().filter(|(test, _)| !varying.contains(test)).map(named).collect();
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
    Historical { verdict, killed_by }
}

/// All test targets of the packages that hold mutants and of those that depend on them, as `cargo test` would run
/// them.
pub fn targets(session: &Session) -> BTreeSet<(usize, usize)> {
    let packages = &session.workspace.packages;
    let changed: BTreeSet<usize> = session
        .plan
        .mutants
        .iter()
        .flat_map(|mutant| session.modules.uses(&session.scope.files[mutant.file].path))
        .map(|of| of.package)
        .collect();
    let affected = session.workspace.dependents(changed);
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
