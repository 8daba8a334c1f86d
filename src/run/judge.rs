//! The main job: from a session to a report.
//!
//! What needs no build comes first (no production hunk, no test), then the build, the baseline, and the mutants. Every
//! way out ends in the same assembly, so that whatever ends a run early, the report says so and is never a pass.

use super::assemble::{Findings, assemble};
use super::budget;
use super::clock::{Clock, Phase};
use super::confine;
use super::historical::Suite;
use super::originals::Originals;
use super::progress::Progress;
use super::rebuilds::Rebuilds;
use super::resume::Earlier;
use super::reverted;
use super::session::Session;
use super::test_delta;
use super::tools::{self, Tools};
use super::tree::{Tree, Watched};
use crate::build::{Builder, Fate, Validity, check, weave_and_build};
use crate::campaign::{self, Job, Outcome, Test};
use crate::error::{Error, Result};
use crate::exec::{Ending, Execute, Limits, Pool, Processes, Recorded, Replay, Sandbox};
use crate::gate;
use crate::plan::Planned;
use crate::policy::{Cap, Driver as DriverChoice};
use crate::report::model::{BaselineOutcome, Report, Reverted, Verdict};
use crate::runner::{self, Baseline, BaselineTest, Built, Context, Driver, Listing, Patience, Recording};
use crate::test_id::TestId;
use cargo_metadata::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a run is wanted, policy and command line taken together.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Tests at the same time.
    pub jobs: usize,
    /// All tests on every mutant.
    pub exhaustive: bool,
    /// The other tests of the suite on the survivors.
    pub historical: bool,
    /// Who runs tests.
    pub driver: DriverChoice,
    /// Compare the woven build with a plain one even when it is green.
    pub self_check: bool,
    /// The budget.
    pub cap: Option<Cap>,
}

/// How a test may be stopped while nothing is known of it yet.
const FIRST_RUN_LIMIT: Duration = Duration::from_secs(600);

/// For how long tests are tried without a mutant, to find flaky ones: this, or a tenth of the time spent so far.
const STEADINESS: Duration = Duration::from_millis(250);

/// Judges a session.
///
/// # Errors
/// Whatever keeps a verdict from being reached: the tree does not compile, no nextest where it is needed …
pub fn judge(
    session: &Session,
    wanted: &Wanted,
    clock: &Clock,
    progress: &Progress,
    ending: Arc<Ending>,
    tree: &Tree<'_>,
    earlier: &Earlier,
) -> Result<Report> {
    let mut findings = Findings::new(session);
    findings.cap = ending.deadline().map(|deadline| deadline.duration_since(clock.started()));
    let candidates = clock.time(Phase::Plan, || test_delta::find(session));
    let production = session.scope.files.iter().any(|file| file.changes_production());
    progress.status(
        "Planning",
        &format!(
            "{} mutants on the changed production lines, {} test targets may hold changed tests",
            session.plan.mutants.len(),
            candidates.targets().count()
        ),
    );
    if !production || candidates.is_empty() {
        findings.end("nothing was run: the patch has no production code, or no test, to judge");
        findings.test_side_changed |= !candidates.is_empty();
        if candidates.is_empty() {
            // Nothing is listed, so this holds only what syntax tells: documentation tests, and files left out.
            findings.delta(&candidates.resolve(&[], Some(&[]), false).unwrap_or_default());
        }
        return Ok(assemble(session, findings, clock));
    }
    if let Some(cause) = ending.cause() {
        findings.cut(cause);
        return Ok(assemble(session, findings, clock));
    }
    let targets: BTreeSet<(usize, usize)> = candidates.targets().collect();
    let tools = clock.time(Phase::Build, || Tools::find(session, ending.clone()))?;
    findings.rustc = tools.rustc_version.clone();
    let builder = tools.builder(session, &targets);
    let stage = clock.time(Phase::Baseline, || Stage::prepare(session, wanted.jobs, &ending))?;
    let (enforced, said) = confine::announce(session, &stage.sandbox, progress)?;
    findings.notes.push(said);
    if let Some(cap @ Cap::Times(_)) = wanted.cap {
        let measure = || budget::one_x(session, &stage, &builder, &candidates, wanted, &ending, progress);
        let measured = clock.time(Phase::Baseline, measure);
        let Some(one_x) = unless_ended(measured, &ending, &mut findings)? else {
            return Ok(assemble(session, findings, clock));
        };
        let limit = cap.limit(one_x);
        findings.cap = Some(limit);
        findings.notes.push(format!(
            "one x of the cap is {:.1} s: the plain build and one run of the tests",
            one_x.as_secs_f64()
        ));
        ending.limit(clock.started() + limit);
    }
    let woven = clock.time(Phase::Build, || {
        weave_and_build(&builder, &|round| match round {
            1 => progress.status("Building", "the tests, with all mutants woven in"),
            _ => progress.status("Building", &format!("again, without what the compiler refused (round {round})")),
        })
    });
    let Some(woven) = unless_ended(woven, &ending, &mut findings)? else {
        return Ok(assemble(session, findings, clock));
    };
    let mut built = stage.built(session, &woven.messages);
    let listing =
        clock.time(Phase::Baseline, || clock.step("list tests", || runner::list(&stage.context, &built, wanted.jobs)));
    let delta = clock.time(Phase::Baseline, || test_delta::resolve(session, &candidates, &builder, &listing));
    let Some(delta) = unless_ended(delta, &ending, &mut findings)? else {
        return Ok(assemble(session, findings, clock));
    };
    failing_lists(&listing, &mut findings)?;
    findings.delta(&delta);
    if delta.tests.is_empty() {
        findings.end("not run: no test in the delta");
        return Ok(assemble(session, findings, clock));
    }
    let ids: Vec<TestId> = delta.tests.iter().map(|entry| entry.test.id.clone()).collect();
    let mut fates = woven.fates;
    let first =
        clock.time(Phase::Baseline, || stage.baseline(session, wanted, &built, &listing, &ids, &ending, progress));
    let Some((driver, mut baseline)) = unless_ended(first, &ending, &mut findings)? else {
        return Ok(assemble(session, findings, clock));
    };
    findings.nextest = match &driver {
        Driver::Nextest { version } => Some(version.clone()),
        Driver::Direct => None,
    };
    if wanted.self_check || !baseline.is_green() {
        let plain = clock.time(Phase::Baseline, || -> Result<_> {
            progress.status("Checking", "the same tests without any mutant compiled in");
            let built = stage.built(session, &builder.build_plain()?);
            let listing = runner::list(&stage.context, &built, wanted.jobs);
            let (_, baseline) = stage.baseline(session, wanted, &built, &listing, &ids, &ending, progress)?;
            Ok((built, baseline))
        });
        let Some(plain) = unless_ended(plain, &ending, &mut findings)? else {
            return Ok(assemble(session, findings, clock));
        };
        let changed = changed_outcomes(&baseline, &plain.1);
        let plain = (plain.0, keep_flaky(plain.1, &baseline));
        if plain.1.is_green() && !changed.is_empty() {
            findings.notes.push(format!(
                "with all mutants woven in but none live, {} behaves differently: every mutant was compiled alone instead",
                changed.join(", ")
            ));
            fates = session.plan.mutants.iter().map(|_| Fate::Alone { said: None }).collect();
        }
        if !changed.is_empty() {
            (built, baseline) = plain;
        }
    }
    tree.look(|| "while the tests ran without a mutant".to_owned());
    findings.baseline(&baseline);
    findings.notes.extend(confine::exceptions(
        session,
        &stage.sandbox,
        &baseline,
        wanted.driver == DriverChoice::Nextest,
    )?);
    if !gate::red(&findings.baseline).is_empty() {
        findings.end("not run: the tests are not green without any mutant");
        return Ok(assemble(session, findings, clock));
    }
    let steadiness = STEADINESS.max(clock.started().elapsed() / 10);
    let judged = clock.time(Phase::Mutants, || {
        Campaign {
            clock,
            session,
            builder: &builder,
            built: &built,
            stage: &stage,
            baseline: &baseline,
            wanted,
            ending: &ending,
            progress,
            tree,
            enforced,
            steadiness,
            earlier,
        }
        .judge(&fates)
    })?;
    let survivors: Vec<usize> = judged.woven_survivors();
    let is_wanted = wanted.historical && !survivors.is_empty() && judged.flaky.is_empty();
    let finished = judged.finished;
    for index in &judged.flaky {
        baseline.tests[*index].outcome = BaselineOutcome::Flaky;
    }
    if !judged.flaky.is_empty() {
        findings.baseline(&baseline);
    }
    if let Some(fault) = &judged.fault {
        findings.notes.push(format!("mutants that have to be compiled alone are left unverified: {fault}"));
    }
    findings.judged(judged, &baseline);
    if is_wanted && !ending.reached() {
        let (ending, texts) = (&*ending, &woven.texts);
        let suite = Suite { session, stage: &stage, builder: &builder, texts, wanted, ending, progress };
        let delta = ids.into_iter().collect();
        match clock.time(Phase::Mutants, || suite.judge(&survivors, &delta)) {
            Ok((column, notes)) => {
                findings.historical(column);
                findings.notes.extend(notes);
            }
            Err(why) => findings.notes.push(format!("the historical suite was not run: {why}")),
        }
    }
    tree.look(|| "during the run".to_owned());
    if let Some(cause) = ending.cause().filter(|_| !finished) {
        findings.cut(cause);
    }
    Ok(assemble(session, findings, clock))
}

/// What a step came to; `None` when the run ended meanwhile, whatever the step says: half a build or a killed test means
/// nothing.
fn unless_ended<T>(step: Result<T>, ending: &Ending, findings: &mut Findings) -> Result<Option<T>> {
    match ending.cause() {
        Some(cause) => {
            findings.cut(cause);
            Ok(None)
        }
        None => step.map(Some),
    }
}

/// Tests that ended otherwise in the plain build.
fn changed_outcomes(woven: &Baseline, plain: &Baseline) -> Vec<String> {
    let pairs = woven.tests.iter().zip(&plain.tests);
    pairs.filter(|(woven, plain)| woven.outcome != plain.outcome).map(|(woven, _)| woven.id.to_string()).collect()
}

/// A test that has passed and failed by turns in the woven build is flaky, whatever chance makes of it in the plain one.
fn keep_flaky(mut plain: Baseline, woven: &Baseline) -> Baseline {
    for (test, before) in plain.tests.iter_mut().zip(&woven.tests) {
        if before.outcome == BaselineOutcome::Flaky && test.outcome != BaselineOutcome::Flaky {
            test.outcome = BaselineOutcome::Flaky;
            test.output.clone_from(&before.output);
        }
    }
    plain
}

/// Only binaries that may hold changed tests are built, so one that cannot list its tests may hide some.
fn failing_lists(listing: &Listing, findings: &mut Findings) -> Result<()> {
    match listing.failures.first() {
        None => Ok(()),
        Some(failure) if listing.binaries.is_empty() => {
            Err(Error::new(format!("list the tests of `{}`", failure.binary_id), &failure.why)
                .hint("does `cargo test -- --list` work?"))
        }
        Some(_) => {
            for failure in &listing.failures {
                let id = &failure.binary_id;
                findings.notes.push(format!("`{id}` may hold changed tests but cannot list them: {}", failure.why));
            }
            findings.unlisted = true;
            Ok(())
        }
    }
}

/// Takes kills back; a mutant with no other killer has no outcome that can be relied on.
fn forget_kills(outcomes: &mut BTreeMap<usize, Outcome>, flaky: &BTreeSet<usize>) {
    for outcome in outcomes.values_mut() {
        let before = outcome.killed_by.len();
        outcome.killed_by.retain(|(test, _)| !flaky.contains(test));
        if outcome.killed_by.is_empty() && before > 0 {
            outcome.verdict = Verdict::Flaky;
            outcome.reason = Some("only tests killed it that also fail without a mutant".to_owned());
        }
    }
}

fn verified(outcomes: &BTreeMap<usize, Outcome>) -> bool {
    outcomes.values().all(|outcome| outcome.verdict != Verdict::Unverified)
}

/// What all test runs share.
pub struct Stage {
    context: Context,
    pool: Pool,
    patience: Patience,
    sandbox: Sandbox,
}

impl Stage {
    /// Asks cargo and the user's configuration.
    ///
    /// # Errors
    /// When one of them does not answer.
    pub fn prepare(session: &Session, jobs: usize, ending: &Arc<Ending>) -> Result<Stage> {
        let scratch = session.hunkmut_dir.join("t");
        let file = scratch.join("metadata.json");
        let metadata = tools::metadata(session, &session.workspace.root, &file)?;
        let root = &session.workspace.root;
        let mut context = Context::new(root, metadata, file, session.options.target.as_deref(), scratch.clone())?;
        context.ending = ending.clone();
        context.env.push(("CARGO_TARGET_DIR".into(), session.hunkmut_dir.join("target").into()));
        let timeouts = &session.policy.timeouts;
        let patience = Patience {
            wall_floor: Duration::from_millis(timeouts.floor_ms),
            wall_factor: timeouts.multiplier.get().ceil() as u32,
            hits_factor: timeouts.hits_multiplier.get(),
            memory: (timeouts.memory_mb > 0).then_some(timeouts.memory_mb << 20),
            ..Patience::default()
        };
        let withhold = &session.policy.sandbox.withhold;
        let names = std::env::vars_os().map(|(name, _)| name);
        context.withheld = names.filter(|name| name.to_str().is_some_and(|name| withhold.matches(name))).collect();
        let sandbox = confine::sandbox(session);
        let pool = Pool::new(scratch.as_std_path(), jobs, &sandbox)?;
        ending.ends(&pool.running());
        Ok(Stage { context, pool, patience, sandbox })
    }

    /// What tests are run with.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The executables that cargo's messages name.
    pub fn built(&self, session: &Session, messages: &[Message]) -> Built {
        let target_dir = session.hunkmut_dir.join("target");
        let build_dir = session.workspace.build_dir.clone().unwrap_or_else(|| target_dir.clone());
        Built::from_messages(messages, &self.context.metadata, &target_dir, &build_dir)
    }

    #[allow(clippy::too_many_arguments)]
    fn baseline(
        &self,
        session: &Session,
        wanted: &Wanted,
        built: &Built,
        listing: &Listing,
        ids: &[TestId],
        ending: &Ending,
        progress: &Progress,
    ) -> Result<(Driver, Baseline)> {
        let runs = session.policy.baseline.repetitions.get();
        progress.status("Running", &format!("{} changed tests without a mutant, {runs} times", ids.len()));
        let (driver, recordings) = self.record(wanted, built, listing, ids, ending)?;
        Ok((driver, self.repeat(recordings, runs, ending)))
    }

    /// Repeats what has been recorded; see [`runner::repeat`].
    pub fn repeat(&self, recordings: Vec<Recording>, runs: u32, ending: &Ending) -> Baseline {
        let by_nextest = |id: &TestId, recorded: &Recorded| {
            let has_nextest = runner::metadata_file(&self.context).exists();
            has_nextest.then(|| runner::driven(&self.context, id, recorded).ok()).flatten()
        };
        runner::repeat(recordings, runs, &self.patience, &self.pool, ending, &by_nextest)
    }

    /// What a test may use when a mutant is live.
    pub fn limits(&self, test: &BaselineTest) -> Limits {
        self.patience.limits(test)
    }

    /// Who runs tests.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs tests once and records their commands.
    ///
    /// # Errors
    /// When they cannot be run, or the run ends first.
    pub fn record(
        &self,
        wanted: &Wanted,
        built: &Built,
        listing: &Listing,
        ids: &[TestId],
        ending: &Ending,
    ) -> Result<(Driver, Vec<Recording>)> {
        let driver = match wanted.driver {
            DriverChoice::Direct => Driver::Direct,
            DriverChoice::Auto => Driver::choose(&self.context, false)?,
            DriverChoice::Nextest => Driver::choose(&self.context, true)?,
        };
        let mut recordings = match &driver {
            Driver::Nextest { .. } => runner::record_with_nextest(&self.context, built, ids)?,
            Driver::Direct => {
                // what an earlier run has told nextest is not what is run now
                let _ = std::fs::remove_file(runner::metadata_file(&self.context));
                runner::record_directly(&self.context, built, listing, ids, &self.pool, FIRST_RUN_LIMIT, ending)?
            }
        };
        if wanted.driver == DriverChoice::Nextest {
            for recording in &mut recordings {
                recording.recorded = runner::driven(&self.context, &recording.id, &recording.recorded)?;
            }
        }
        Ok((driver, recordings))
    }
}

/// All mutants of a session against a green baseline.
struct Campaign<'a> {
    clock: &'a Clock,
    session: &'a Session,
    builder: &'a Builder<'a>,
    built: &'a Built,
    stage: &'a Stage,
    baseline: &'a Baseline,
    wanted: &'a Wanted,
    ending: &'a Ending,
    progress: &'a Progress,
    tree: &'a Tree<'a>,
    enforced: bool,
    /// For how long tests are tried without a mutant, to find flaky ones.
    steadiness: Duration,
    /// Verdicts of an earlier run.
    earlier: &'a Earlier,
}

/// The verdicts.
pub struct Judged {
    /// By mutant; those missing were not run.
    pub outcomes: BTreeMap<usize, Outcome>,
    /// Mutants compiled alone.
    pub rebuilt: BTreeSet<usize>,
    /// Tests that can kill nothing, by index into the baseline.
    pub toothless: BTreeSet<usize>,
    /// What the tests make of the tree without the patch.
    pub reverted: Reverted,
    /// Whether the end of the run came after all of it.
    pub finished: bool,
    /// What kept the mutants that have to be compiled alone from being judged.
    pub fault: Option<Error>,
    /// Tests that turned out to fail without a mutant now and then.
    pub flaky: BTreeSet<usize>,
}

impl Judged {
    /// The mutants that no test of the patch has killed, as far as a switch can make them live.
    fn woven_survivors(&self) -> Vec<usize> {
        let alive = |verdict| matches!(verdict, Verdict::Survived | Verdict::Unexecuted);
        let woven = self.outcomes.iter().filter(|(index, _)| !self.rebuilt.contains(index));
        woven.filter(|(_, outcome)| alive(outcome.verdict)).map(|(index, _)| *index).collect()
    }
}

impl Campaign<'_> {
    fn judge(&self, fates: &[Fate]) -> Result<Judged> {
        let mutants = &self.session.plan.mutants;
        let validity = self.clock.step("do mutants compile", || self.validity(mutants, fates))?;
        let mut outcomes = BTreeMap::new();
        let (mut woven, mut alone) = (Vec::new(), Vec::new());
        for (index, fate) in fates.iter().enumerate() {
            match (validity.get(&index), fate) {
                (Some(Validity::Invalid(said)), _) => {
                    outcomes.insert(index, super::rebuilds::invalid(said.clone(), Duration::ZERO));
                }
                (_, Fate::Woven) => woven.push(index),
                (_, Fate::Alone { .. }) => alone.push(index),
            }
        }
        let tests: Vec<Test> = self
            .baseline
            .tests
            .iter()
            .map(|test| Test { name: test.id.name.clone(), duration: test.slowest })
            .collect();
        let ids: Vec<TestId> = self.baseline.tests.iter().map(|test| test.id.clone()).collect();
        let mut places = BTreeMap::new();
        let jobs: Vec<Job> = woven
            .iter()
            .map(|index| {
                let switch = mutants[*index].switch;
                let place = *places.entry((mutants[*index].file, mutants[*index].item.start)).or_insert(*index);
                Job::Woven { switch, executed_by: self.baseline.executing(switch), place }
            })
            .collect();
        let options = campaign::Options { jobs: self.wanted.jobs, exhaustive: self.wanted.exhaustive };
        let exec = self.processes(|test| test.recorded.clone());
        self.progress.start(jobs.len());
        let exec = self.watched(&exec);
        let known = woven.iter().zip(&jobs).enumerate().filter_map(|(job, (index, of))| {
            let executed_by = of.tests().to_vec();
            Some((job, self.earlier.outcome(&mutants[*index].id, &ids, executed_by)?))
        });
        let known = known.collect();
        let run = self.clock.step("woven mutants", || {
            campaign::resume(&exec, &tests, &jobs, &known, options, self.ending, self.progress)
        });
        self.progress.finish();
        outcomes.extend(woven.iter().copied().zip(run.outcomes));
        let mut flaky: BTreeSet<usize> = run.varying.into_iter().collect();
        flaky.extend(self.clock.step("tests without a mutant", || self.unsteady(&exec, &tests, &outcomes)));
        // They may not kill, and the run has no green baseline any more: what is left to build need not be.
        let green = flaky.is_empty();
        let alone = if green { alone } else { Vec::new() };
        forget_kills(&mut outcomes, &flaky);
        let mut toothless: BTreeSet<usize> = run.toothless.into_iter().collect();
        let mut finished = run.untried.is_empty();
        if !green {
            finished &= verified(&outcomes);
            let reverted = reverted::not_run("the tests are flaky");
            return Ok(Judged {
                outcomes,
                rebuilt: BTreeSet::new(),
                toothless,
                finished,
                fault: None,
                flaky,
                reverted,
            });
        }
        let total = alone.len();
        let what = if total == 0 { String::new() } else { format!(" and {total} mutants that no switch can hold") };
        self.progress.status("Rebuilding", &format!("the tests without the patch{what}"));
        self.progress.start(total);
        let taken = |index: &usize| {
            let outcome = self.earlier.outcome(&mutants[*index].id, &ids, Vec::new())?;
            let executed_by = outcome.killed_by.iter().map(|(test, _)| *test).collect();
            Some((*index, Outcome { executed_by, ..outcome }))
        };
        let taken: BTreeMap<usize, Outcome> = alone.iter().filter_map(taken).collect();
        let left: Vec<usize> = alone.iter().copied().filter(|index| !taken.contains_key(index)).collect();
        taken.values().flat_map(|outcome| &outcome.killed_by).for_each(|(test, _)| {
            toothless.remove(test);
        });
        outcomes.extend(taken);
        let (reverted, fault) = match self.rebuilt(&left, &tests, options, &mut outcomes, &mut toothless) {
            Ok(reverted) => (reverted, None),
            Err(fault) => (reverted::not_run("the builds before it failed"), Some(fault)),
        };
        self.progress.finish();
        finished &= alone.iter().all(|index| outcomes.contains_key(index)) && verified(&outcomes);
        let rebuilt = alone.into_iter().collect();
        Ok(Judged { outcomes, rebuilt, toothless, finished, fault, flaky, reverted })
    }

    /// Judges mutants that have to be compiled alone, and the reverted patch. An error leaves what is done in `outcomes`.
    fn rebuilt(
        &self,
        mutants: &[usize],
        tests: &[Test],
        options: campaign::Options,
        outcomes: &mut BTreeMap<usize, Outcome>,
        toothless: &mut BTreeSet<usize>,
    ) -> Result<Reverted> {
        let ids: Vec<TestId> = self.baseline.tests.iter().map(|test| test.id.clone()).collect();
        let mut built = self.built.clone();
        built.binaries.retain(|binary| ids.iter().any(|id| id.binary_id == binary.binary_id));
        let originals = Originals::keep(&built, &runner::metadata_file(&self.stage.context))?;
        let exec = self.processes(|test| originals.recorded(&test.recorded));
        let exec = self.watched(&exec);
        let targets = self.in_use(&ids);
        let builder = Builder { targets: &targets, ..*self.builder };
        let (builder, ending) = (&builder, self.ending);
        let rebuilds = Rebuilds { builder, originals: &originals, exec: &exec, tests, options, ending };
        self.clock.step("mutants compiled alone", || {
            rebuilds.judge(mutants, outcomes, toothless, &|done| {
                campaign::Progress::done(self.progress, done, 0, 0);
            })
        })?;
        self.clock.step("the patch taken back", || reverted::judge(&rebuilds, &self.session.scope, outcomes, &ids))
    }

    /// The targets that hold tests in use. A package without any keeps all of its targets: with fewer packages cargo
    /// could activate fewer features, and put its executables elsewhere.
    fn in_use(&self, ids: &[TestId]) -> BTreeSet<(usize, usize)> {
        let used: BTreeSet<(usize, usize)> =
            ids.iter().filter_map(|id| self.session.workspace.target_of(&id.binary_id)).collect();
        let wanted = |(package, target): &(usize, usize)| {
            used.contains(&(*package, *target)) || !used.iter().any(|(other, _)| other == package)
        };
        self.builder.targets.iter().copied().filter(wanted).collect()
    }

    /// Tests that fail now and then with no mutant live.
    fn unsteady(&self, exec: &dyn Execute, tests: &[Test], outcomes: &BTreeMap<usize, Outcome>) -> Vec<usize> {
        let killers = outcomes.values().flat_map(|outcome| outcome.killed_by.iter().map(|(test, _)| *test));
        let killers: Vec<usize> = killers.collect();
        campaign::unsteady(exec, tests, &killers, self.wanted.jobs, self.steadiness, self.ending)
    }

    fn watched<'e>(&'e self, exec: &'e dyn Execute) -> Watched<'e> {
        let mutants = self.session.plan.mutants.iter();
        Watched {
            exec,
            tree: self.tree,
            tests: self.baseline.tests.iter().map(|t| (t.id.to_string(), t.recorded.confinement)).collect(),
            mutants: mutants.map(|mutant| (mutant.switch, mutant.id.clone())).collect(),
            enforced: self.enforced,
            alone: Mutex::default(),
        }
    }

    fn processes(&self, recorded: impl Fn(&BaselineTest) -> Recorded) -> Processes<'_> {
        let replay = |test| Replay { recorded: recorded(test), limits: self.stage.patience.limits(test) };
        Processes::new(&self.stage.pool, self.baseline.tests.iter().map(replay).collect())
    }

    /// Asks the compiler about mutants of which the woven build does not tell whether they compile.
    fn validity(&self, mutants: &[Planned], fates: &[Fate]) -> Result<BTreeMap<usize, Validity>> {
        let open: Vec<usize> = fates
            .iter()
            .enumerate()
            .filter(|(index, fate)| mutants[*index].proposal.drops_types || matches!(fate, Fate::Alone { .. }))
            .map(|(index, _)| index)
            .collect();
        if open.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.progress.status("Checking", &format!("whether {} mutants compile", open.len()));
        check(self.builder, &open)
    }
}
