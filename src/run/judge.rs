//! The main job: from a session to a report.
//!
//! What needs no build comes first (no production hunk, no test), then the build, the baseline, and the mutants. Every
//! way out ends in the same assembly, so that whatever ends a run early, the report says so and is never a pass.

use super::assemble::{Findings, assemble};
use super::budget;
use super::cache::Cache;
use super::clock::{Clock, Phase};
use super::confine;
use super::equivalent;
use super::historical::{self, Suite};
use super::mutants::{Campaign, Judged};
use super::progress::Progress;
use super::refusals;
use super::resume::Earlier;
use super::session::Session;
use super::stage::Stage;
use super::test_delta;
use super::tools::Tools;
use super::tree::Tree;
use super::worker;
use crate::archive::Unpacked;
use crate::build::{Fate, weave_from};
use crate::error::{Error, Result};
use crate::evidence::{self, Log};
use crate::exec::Ending;
use crate::gate;
use crate::plan::Planned;
use crate::policy::{Cap, Driver as DriverChoice, Equivalence};
use crate::report::model::{BaselineOutcome, Gate, Report, Shard, Verdict};
use crate::report::text;
use crate::runner::{self, Baseline, Driver, Listing};
use crate::test_id::TestId;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
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
    /// Compare survivors with the original as the optimiser sees both.
    pub equivalence: Equivalence,
    /// The budget.
    pub cap: Option<Cap>,
    /// Whether the gate `ratio` is asked.
    pub ratio: bool,
    /// Whether the gate `zero-survivors` is asked.
    pub zero: bool,
    /// Whether excusals that the patch itself adds are honoured.
    pub accept_new_excusals: bool,
    /// The mutants to run, by ID; all of them when there is none.
    pub only: Option<BTreeSet<String>>,
    /// Tests that are left out of the delta.
    pub without: BTreeSet<TestId>,
    /// What other gates have said already.
    pub gates: Vec<Gate>,
    /// What they noticed besides.
    pub advice: Vec<String>,
    /// The share of a divided run that they are.
    pub shard: Option<Shard>,
    /// The report whose verdicts are kept for the others.
    pub previous: Option<Report>,
    /// Where every test process is written down.
    pub log: Arc<Log>,
    /// What takes the place of compiler and cargo, on a machine without them.
    pub archive: Option<Arc<Unpacked>>,
    /// What earlier runs have found out; nobody is asked without it.
    pub cache: Option<Arc<Cache>>,
}

impl Wanted {
    /// As the policy has it, with so many tests at the same time.
    pub fn of(session: &Session, jobs: Option<NonZeroUsize>) -> Wanted {
        let processors = || std::thread::available_parallelism().map_or(1, |n| n.get());
        Wanted {
            jobs: jobs.map_or_else(processors, NonZeroUsize::get),
            exhaustive: false,
            historical: false,
            driver: session.policy.tests.driver,
            self_check: false,
            equivalence: Equivalence::Never,
            cap: None,
            ratio: false,
            zero: false,
            accept_new_excusals: false,
            only: None,
            shard: None,
            without: BTreeSet::new(),
            gates: Vec::new(),
            advice: Vec::new(),
            previous: None,
            log: Arc::default(),
            cache: None,
            archive: None,
        }
    }

    /// Whether the earlier report has it of a mutant that it compiles; one that is compiled alone shows it again.
    pub fn compiled(&self, mutant: &Planned) -> bool {
        let mut earlier = self.previous.iter().flat_map(|report| &report.mutants);
        earlier.any(|old| old.id == mutant.id && matches!(old.verdict, Verdict::Survived | Verdict::Killed))
    }

    /// Whether a mutant is to be run.
    pub fn asks(&self, mutant: &Planned) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&mutant.id))
    }
}

/// For how long tests are tried without a mutant, to find flaky ones: this, or a quarter of the time spent so far. Quick
/// tests are done much sooner.
const STEADINESS: Duration = Duration::from_millis(500);

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
    findings.ratio = wanted.ratio;
    findings.zero = wanted.zero;
    findings.accept_new_excusals = wanted.accept_new_excusals;
    findings.previous = wanted.previous.clone().zip(wanted.only.clone());
    findings.cap = ending.deadline().map(|deadline| deadline.duration_since(clock.started()));
    findings.gates = wanted.gates.clone();
    findings.notes.extend(wanted.advice.iter().cloned());
    let candidates = clock.time(Phase::Plan, || test_delta::find(session));
    let production = session.scope.files.iter().any(|file| file.changes_production());
    if session.inputs.is_empty() {
        let base = &session.comparison.merge_base;
        findings.notes.push(format!("the patch is empty: nothing differs from the base `{base}`"));
    }
    progress.status(
        "Planning",
        &format!(
            "{} on the changed production lines, {} may hold changed tests",
            text::count(session.plan.mutants.len(), "mutant"),
            text::count(candidates.targets().count(), "test target")
        ),
    );
    if !wanted.ratio && !wanted.zero {
        findings.end("not run: no gate that judges by mutants was asked");
        return Ok(assemble(session, findings, clock));
    }
    // The other tests are in use for the gate `zero-survivors`, whether the patch has some of its own or not.
    let suite_alone = wanted.zero && !session.plan.mutants.is_empty();
    if !production || candidates.is_empty() && !suite_alone {
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
    let mut targets: BTreeSet<(usize, usize)> = candidates.targets().collect();
    if targets.is_empty() {
        targets = historical::targets(session);
    }
    if targets.is_empty() {
        findings.end("not run: there is no test target for this code");
        return Ok(assemble(session, findings, clock));
    }
    let archive = wanted.archive.as_deref();
    let tools = clock.time(Phase::Build, || match archive {
        Some(archive) => Tools::of_archive(worker::build(archive)?, ending.clone()),
        None => Tools::find(session, ending.clone()),
    })?;
    findings.rustc = tools.rustc_version.clone();
    let builder = tools.builder(session, &targets);
    let stage = clock.time(Phase::Baseline, || match archive {
        Some(archive) => Stage::of_archive(session, wanted.jobs, &ending, archive),
        None => Stage::prepare(session, wanted.jobs, &ending),
    })?;
    let (enforced, said) = confine::announce(session, stage.sandbox(), progress)?;
    findings.notes.push(said);
    if let Some(cap @ Cap::Times(_)) = wanted.cap {
        let measure = || match archive {
            Some(archive) => worker::one_x(archive),
            None => budget::one_x(session, &stage, &builder, &candidates, wanted, &ending, progress),
        };
        let measured = clock.time(Phase::Baseline, measure);
        let Some(one_x) = unless_ended(measured, &ending, &mut findings)? else {
            return Ok(assemble(session, findings, clock));
        };
        let limit = cap.limit(one_x);
        findings.cap = Some(limit);
        findings.notes.push(format!(
            "{} {:.1} s: the plain build and one run of the tests",
            budget::NOTE,
            one_x.as_secs_f64()
        ));
        ending.limit(clock.started() + limit);
    }
    // Only some mutants are asked for again: what the build before this one was refused is known.
    let known = wanted.only.as_ref().map(|_| refusals::read(&session.hunkmut_dir)).unwrap_or_default();
    let woven = clock.time(Phase::Build, || match archive {
        Some(archive) => worker::woven(archive),
        None => weave_from(&builder, &known, &|round| match round {
            1 => progress.status("Building", "the tests, with all mutants woven in"),
            _ => progress.status("Building", &format!("again, without what the compiler refused (round {round})")),
        }),
    });
    let Some(woven) = unless_ended(woven, &ending, &mut findings)? else {
        return Ok(assemble(session, findings, clock));
    };
    let mut built = match archive {
        Some(archive) => {
            let build = worker::build(archive)?;
            findings.notes.extend(build.notes.iter().cloned());
            build.built.clone()
        }
        None => {
            refusals::keep(&session.hunkmut_dir, &woven.refused);
            stage.built(session, &woven.messages)
        }
    };
    let known = wanted.cache.as_ref().and_then(|cache| {
        let ask = || cache.whole(session, wanted, &stage, &built, &woven.messages, &findings.notes);
        clock.time(Phase::Baseline, || clock.step("look for earlier verdicts", ask))
    });
    if let (None, Some(why)) = (&known, wanted.cache.as_ref().and_then(|cache| cache.why_not())) {
        progress.status("Judging", &format!("anew: {why}"));
    }
    let listing =
        clock.time(Phase::Baseline, || clock.step("list tests", || runner::list(stage.context(), &built, wanted.jobs)));
    let delta = clock.time(Phase::Baseline, || match archive {
        Some(archive) => worker::delta(session, &candidates, &listing, archive),
        None => test_delta::resolve(session, &candidates, &builder, &listing),
    });
    let Some(delta) = unless_ended(delta, &ending, &mut findings)? else {
        return Ok(assemble(session, findings, clock));
    };
    failing_lists(&listing, &mut findings)?;
    findings.delta(&delta);
    if delta.tests.is_empty() && !suite_alone {
        findings.end("not run: no test in the delta");
        return Ok(assemble(session, findings, clock));
    }
    let ids = delta.tests.iter().map(|entry| entry.test.id.clone());
    let ids: Vec<TestId> = ids.filter(|id| !wanted.without.contains(id)).collect();
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
    if archive.is_some() && !baseline.is_green() {
        findings.notes.push(worker::RED.to_owned());
    }
    if archive.is_none() && (wanted.self_check || !baseline.is_green()) {
        let tried = |messages: Vec<_>| -> Result<_> {
            let built = stage.built(session, &messages);
            let listing = runner::list(stage.context(), &built, wanted.jobs);
            let (_, baseline) = stage.baseline(session, wanted, &built, &listing, &ids, &ending, progress)?;
            Ok((built, baseline))
        };
        let plain = clock.time(Phase::Baseline, || -> Result<_> {
            progress.status("Checking", "the same tests without any mutant compiled in");
            let plain = tried(builder.build_plain()?)?;
            match plain.1.is_green() && !changed_outcomes(&baseline, &plain.1).is_empty() {
                // Mutants that are compiled alone take the places of these executables, not of the user's own.
                true => tried(builder.build_unwoven()?),
                false => Ok(plain),
            }
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
            fates = session.plan.threads.iter().map(|_| Fate::Alone { said: None }).collect();
        }
        if !changed.is_empty() {
            (built, baseline) = plain;
        }
    }
    tree.look(|| "while the tests ran without a mutant".to_owned());
    findings.baseline(&baseline);
    findings.notes.extend(confine::exceptions(
        session,
        stage.sandbox(),
        &baseline,
        wanted.driver == DriverChoice::Nextest,
    )?);
    if !gate::red(&findings.baseline).is_empty() {
        wanted.log.tests(evidence::Suite::Delta, &baseline, &[]);
        findings.end("not run: the tests are not green without any mutant");
        return Ok(assemble(session, findings, clock));
    }
    // No run passes without its tests having been green in it, so what else they rest on is asked of them.
    if let Some(mut known) = known {
        known.tests.baseline = findings.baseline;
        known.cap.seconds = findings.cap.map(|limit| limit.as_secs_f64());
        known.timings_ms = clock.timings();
        progress.status("Reusing", &format!("{} verdicts of an earlier run", known.facts.reused));
        return Ok(known);
    }
    let steadiness = STEADINESS.max(clock.started().elapsed() / 4);
    let mut judged = clock.time(Phase::Mutants, || {
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
    let woven_ones = judged.woven_survivors();
    // Each takes a build of all tests: only where the gate asks about every one.
    let alone = if wanted.zero { judged.rebuilt_survivors() } else { Vec::new() };
    let survivors: Vec<usize> = woven_ones.iter().chain(&alone).copied().collect();
    let is_wanted = wanted.historical && !survivors.is_empty() && judged.flaky.is_empty();
    let finished = judged.finished;
    for index in &judged.flaky {
        baseline.tests[*index].outcome = BaselineOutcome::Flaky;
    }
    if !judged.flaky.is_empty() {
        findings.baseline(&baseline);
    }
    write_down(session, wanted, &judged, &baseline);
    let marked = clock.time(Phase::Mutants, || {
        clock.step("are survivors equivalent", || match archive {
            Some(_) => Ok(equivalent::without_compiler(wanted.equivalence, &judged, wanted.zero)),
            None => equivalent::mark(wanted.equivalence, session, &builder, &mut judged, wanted.zero, progress),
        })
    });
    match marked {
        Ok(said) => findings.notes.extend(said),
        Err(why) => findings.notes.push(format!("the survivors were not compared with the original: {why}")),
    }
    if let Some(fault) = &judged.fault {
        findings.notes.push(format!("mutants that have to be compiled alone are left unverified: {fault}"));
    }
    findings.judged(judged, &baseline);
    if is_wanted && !ending.reached() {
        let (ending, texts) = (&*ending, &woven.texts);
        let suite = Suite { session, stage: &stage, builder: &builder, texts, wanted, ending, progress };
        let delta = ids.into_iter().collect();
        match clock.time(Phase::Mutants, || suite.judge(&woven_ones, &alone, &delta)) {
            Ok((column, notes)) => {
                findings.historical(column);
                findings.notes.extend(notes);
            }
            Err(why) => findings.notes.push(format!("the historical suite was not run: {why}")),
        }
    }
    tree.look(|| "during the run".to_owned());
    let unasked = wanted.zero && findings.leaves_survivors_unasked(&survivors);
    if let Some(cause) = ending.cause().filter(|_| !finished || unasked) {
        findings.cut(cause);
    }
    Ok(assemble(session, findings, clock))
}

/// What the evidence needs besides the test processes.
fn write_down(session: &Session, wanted: &Wanted, judged: &Judged, baseline: &Baseline) {
    let mutants = &session.plan.mutants;
    let woven = judged.outcomes.keys().filter(|index| !judged.rebuilt.contains(index));
    let woven: Vec<(String, u64)> = woven.map(|index| (mutants[*index].id.clone(), mutants[*index].switch)).collect();
    let mut woven = woven;
    if session.plan.threads.len() > mutants.len() {
        woven.extend(session.plan.threads.last().map(|part| (evidence::REVERTED.to_owned(), part.switch)));
    }
    wanted.log.tests(evidence::Suite::Delta, baseline, &woven);
    for (index, outcome) in judged.outcomes.iter().filter(|(_, outcome)| outcome.verdict == Verdict::Invalid) {
        wanted.log.refused(&mutants[*index].id, outcome.reason.as_deref().unwrap_or_default());
    }
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
pub(super) fn changed_outcomes(woven: &Baseline, plain: &Baseline) -> Vec<String> {
    let pairs = woven.tests.iter().zip(&plain.tests);
    pairs.filter(|(woven, plain)| woven.outcome != plain.outcome).map(|(woven, _)| woven.id.to_string()).collect()
}

/// A test that has passed and failed by turns in the woven build is flaky, whatever chance makes of it in the plain one.
pub(super) fn keep_flaky(mut plain: Baseline, woven: &Baseline) -> Baseline {
    for (test, before) in plain.tests.iter_mut().zip(&woven.tests) {
        if before.outcome == BaselineOutcome::Flaky && test.outcome != BaselineOutcome::Flaky {
            test.outcome = BaselineOutcome::Flaky;
            test.output.clone_from(&before.output);
        }
    }
    plain
}

/// Only binaries that may hold changed tests are built, so one that cannot list its tests may hide some.
pub(super) fn failing_lists(listing: &Listing, findings: &mut Findings) -> Result<()> {
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
