//! All mutants of a session against a green baseline: first those behind a switch, then those that are compiled alone,
//! then the whole patch put back.

use super::clock::Clock;
use super::judge::Wanted;
use super::originals::Originals;
use super::progress::Progress;
use super::rebuilds::Rebuilds;
use super::resume::Earlier;
use super::reverted;
use super::session::Session;
use super::stage::Stage;
use super::tree::{Tree, Watched};
use super::worker::{self, Archived};
use crate::build::{Builder, Fate, Validity, check};
use crate::campaign::{self, Job, Known, Memory, Outcome, Test};
use crate::error::{Error, Result};
use crate::evidence::{self, Recorder, RevertedBy};
use crate::exec::{Ending, Execute, Processes, Recorded, Replay};
use crate::report::model::{Reverted, RevertedVerdict, Verdict};
use crate::report::text;
use crate::runner::{self, Baseline, BaselineTest, Built};
use crate::shard;
use crate::test_id::TestId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

/// All mutants of a session against a green baseline.
pub struct Campaign<'a> {
    /// Measures the steps.
    pub clock: &'a Clock,
    /// The question.
    pub session: &'a Session,
    /// Builds.
    pub builder: &'a Builder<'a>,
    /// What has been built.
    pub built: &'a Built,
    /// Runs tests.
    pub stage: &'a Stage,
    /// The tests in use.
    pub baseline: &'a Baseline,
    /// How.
    pub wanted: &'a Wanted,
    /// When to stop.
    pub ending: &'a Ending,
    /// Who hears of it.
    pub progress: &'a Progress,
    /// The user's tree.
    pub tree: &'a Tree<'a>,
    /// Whether confinement is enforced.
    pub enforced: bool,
    /// For how long tests are tried without a mutant, to find flaky ones.
    pub steadiness: Duration,
    /// Verdicts of an earlier run.
    pub earlier: &'a Earlier,
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
    pub fn woven_survivors(&self) -> Vec<usize> {
        self.survivors().filter(|index| !self.rebuilt.contains(index)).collect()
    }

    /// Those that have to be compiled alone to make them live.
    pub fn rebuilt_survivors(&self) -> Vec<usize> {
        self.survivors().filter(|index| self.rebuilt.contains(index)).collect()
    }

    fn survivors(&self) -> impl Iterator<Item = usize> {
        let alive = |verdict| matches!(verdict, Verdict::Survived | Verdict::Unexecuted);
        self.outcomes.iter().filter(move |(_, outcome)| alive(outcome.verdict)).map(|(index, _)| *index)
    }
}

impl Campaign<'_> {
    /// Judges them; `fates` is how each came out of the woven build.
    ///
    /// # Errors
    /// When the compiler cannot be asked.
    pub fn judge(&self, fates: &[Fate]) -> Result<Judged> {
        let mutants = &self.session.plan.mutants;
        // The parts of the reverted patch come after the mutants.
        let (fates, parts) = fates.split_at(mutants.len());
        let asks = |index: usize| self.wanted.asks(&mutants[index]);
        let open = |index: usize| asks(index) && !self.wanted.compiled(&mutants[index]);
        let validity = match &self.wanted.archive {
            Some(archive) => worker::build(archive)?.validity.clone(),
            None => self.clock.step("do mutants compile", || validity(self.builder, fates, &open, self.progress))?,
        };
        let mut outcomes = BTreeMap::new();
        let (mut woven, mut alone) = (Vec::new(), Vec::new());
        for (index, fate) in fates.iter().enumerate().filter(|(index, _)| asks(*index)) {
            match (validity.get(&index), fate) {
                (Some(Validity::Invalid(said)), _) => {
                    outcomes.insert(index, super::rebuilds::invalid(said.clone(), Duration::ZERO));
                }
                (_, Fate::Woven) => woven.push(index),
                (_, Fate::Alone { .. }) => alone.push(index),
            }
        }
        // Without a test there is nobody to show a mutant to, so that none is compiled for it.
        // The same goes for code that the targets in use leave out.
        let without_tests = self.baseline.tests.is_empty();
        let (unbuilt, alone): (BTreeSet<usize>, Vec<usize>) =
            split(alone, |index| without_tests || !self.builder.is_built(&mutants[index]));
        outcomes.extend(unbuilt.iter().map(|index| (*index, unexecuted())));
        unbuilt.iter().for_each(|index| self.wanted.log.unbuilt(&mutants[*index].id));
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
        let exec = self.written_down(&exec);
        let known = woven.iter().zip(&jobs).enumerate().filter_map(|(job, (index, of))| {
            let executed_by = of.tests().to_vec();
            Some((job, self.earlier.outcome(&mutants[*index].id, &ids, executed_by)?))
        });
        let verdicts = known.collect();
        let shots = self.wanted.cache.as_ref().and_then(|cache| {
            let switches = woven.iter().map(|index| mutants[*index].switch).collect();
            cache.shots(switches, &ids)
        });
        let shots: &dyn Memory = shots.as_ref().map_or(&(), |shots| shots);
        let known = Known { outcomes: &verdicts, shots };
        let run = self.clock.step("woven mutants", || {
            campaign::resume(&exec, &tests, &jobs, known, options, self.ending, self.progress)
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
        let switched = if without_tests {
            Some(reverted::not_run("no test in the delta"))
        } else if self.wanted.shard.as_ref().is_some_and(|shard| shard.index != shard::FIRST) {
            Some(reverted::not_run("the first shard does"))
        } else if self.wanted.only.is_some() && self.wanted.shard.is_none() {
            // A test that kills none of a few may well kill others.
            toothless.clear();
            Some(reverted::not_run("only some mutants were asked for"))
        } else {
            self.reverted_by_switch(parts, &exec, &tests, options, &ids)
        };
        let total = alone.len();
        if let (0, Some(reverted)) = (total, &switched) {
            finished &= verified(&outcomes);
            let (rebuilt, reverted) = (unbuilt, reverted.clone());
            return Ok(Judged { outcomes, rebuilt, toothless, finished, fault: None, flaky, reverted });
        }
        let what = match (total, &switched) {
            (0, _) => "the tests without the patch".to_owned(),
            (_, Some(_)) => format!("{} that no switch can hold", text::count(total, "mutant")),
            (_, None) => {
                format!("the tests without the patch and {} that no switch can hold", text::count(total, "mutant"))
            }
        };
        self.progress.status("Rebuilding", &what);
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
        let known = switched.clone();
        let (reverted, fault) = match self.rebuilt(&left, &tests, options, &mut outcomes, &mut toothless, switched) {
            Ok(reverted) => (reverted, None),
            Err(fault) => (known.unwrap_or_else(|| reverted::not_run("the builds before it failed")), Some(fault)),
        };
        self.progress.finish();
        finished &= alone.iter().all(|index| outcomes.contains_key(index)) && verified(&outcomes);
        let rebuilt = alone.into_iter().chain(unbuilt).collect();
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
        reverted: Option<Reverted>,
    ) -> Result<Reverted> {
        let ids: Vec<TestId> = self.baseline.tests.iter().map(|test| test.id.clone()).collect();
        let mut built = self.built.clone();
        built.binaries.retain(|binary| ids.iter().any(|id| id.binary_id == binary.binary_id));
        let originals = Originals::keep(&built, &runner::metadata_file(self.stage.context()))?;
        let exec = self.processes(|test| originals.recorded(&test.recorded));
        let exec = self.watched(&exec);
        let exec = self.written_down(&exec);
        let targets = in_use(self.session, self.builder, &ids);
        let builder = Builder { targets: &targets, ..*self.builder };
        let (builder, ending) = (&builder, self.ending);
        let archive = self.wanted.archive.as_deref().map(|archive| Archived { archive, suite: evidence::Suite::Delta });
        let rebuilds =
            Rebuilds { builder, originals: &originals, exec: &exec, tests, options, credit: true, ending, archive };
        self.clock.step("mutants compiled alone", || {
            rebuilds.judge(mutants, outcomes, toothless, &|done| {
                self.wanted.log.alone(&self.session.plan.mutants[mutants[done]].id);
                campaign::Progress::done(self.progress, done, 0, 0);
            })
        })?;
        if let Some(reverted) = reverted {
            return Ok(reverted);
        }
        let log = &self.wanted.log;
        log.alone(evidence::REVERTED);
        let judge = || reverted::judge(&rebuilds, &self.session.scope, outcomes, &ids);
        let (reverted, same) = self.clock.step("the patch taken back", judge)?;
        if reverted.verdict == RevertedVerdict::Invalid && same.is_none() {
            log.refused(evidence::REVERTED, reverted.reason.as_deref().unwrap_or_default());
        }
        log.reverted_by(match same {
            Some(index) => RevertedBy::Mutant(self.session.plan.mutants[index].id.clone()),
            None => RevertedBy::Build,
        });
        Ok(reverted)
    }

    /// The reverted patch, where all of it is behind its switch.
    fn reverted_by_switch(
        &self,
        parts: &[Fate],
        exec: &dyn Execute,
        tests: &[Test],
        options: campaign::Options,
        ids: &[TestId],
    ) -> Option<Reverted> {
        if parts.is_empty() || parts.iter().any(|fate| *fate != Fate::Woven) || self.ending.reached() {
            return None;
        }
        let switch = self.session.plan.threads.last()?.switch;
        let jobs = [Job::Woven { switch, executed_by: self.baseline.executing(switch), place: 0 }];
        let run = campaign::run(exec, tests, &jobs, options, self.ending, &());
        let outcome = run.outcomes.into_iter().next()?;
        if outcome.verdict == Verdict::Unverified {
            return None;
        }
        self.wanted.log.reverted_by(RevertedBy::Switch);
        Some(reverted::of(outcome, ids))
    }

    /// Tests that fail now and then with no mutant live.
    fn unsteady(&self, exec: &dyn Execute, tests: &[Test], outcomes: &BTreeMap<usize, Outcome>) -> Vec<usize> {
        let killers = outcomes.values().flat_map(|outcome| outcome.killed_by.iter().map(|(test, _)| *test));
        let killers: Vec<usize> = killers.collect();
        // Of a few mutants asked for only the kills of today can be doubted.
        if killers.is_empty() && self.wanted.only.is_some() {
            return Vec::new();
        }
        let again = self.wanted.only.is_some() && self.wanted.shard.is_none();
        campaign::unsteady(exec, tests, &killers, again, self.wanted.jobs, self.steadiness, self.ending)
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

    fn written_down<'e>(&'e self, exec: &'e dyn Execute) -> Recorder<'e> {
        let plan = &self.session.plan;
        let mut mutants: BTreeMap<u64, String> =
            plan.mutants.iter().map(|mutant| (mutant.switch, mutant.id.clone())).collect();
        if plan.threads.len() > plan.mutants.len() {
            let reverted = plan.threads.last().map(|part| (part.switch, evidence::REVERTED.to_owned()));
            mutants.extend(reverted);
        }
        Recorder {
            exec,
            log: &self.wanted.log,
            tests: self.baseline.tests.iter().map(|test| test.id.clone()).collect(),
            suite: evidence::Suite::Delta,
            mutants,
            ending: self.ending,
        }
    }

    fn processes(&self, recorded: impl Fn(&BaselineTest) -> Recorded) -> Processes<'_> {
        let replay = |test| Replay { recorded: recorded(test), limits: self.stage.limits(test) };
        Processes::new(self.stage.pool(), self.baseline.tests.iter().map(replay).collect())
    }
}

/// The targets that hold tests in use. A package without any keeps all of its targets: with fewer packages cargo
/// could activate fewer features, and put its executables elsewhere.
pub(super) fn in_use(session: &Session, builder: &Builder<'_>, ids: &[TestId]) -> BTreeSet<(usize, usize)> {
    let used: BTreeSet<(usize, usize)> =
        ids.iter().filter_map(|id| session.workspace.target_of(&id.binary_id)).collect();
    let wanted = |(package, target): &(usize, usize)| {
        used.contains(&(*package, *target)) || !used.iter().any(|(other, _)| other == package)
    };
    builder.targets.iter().copied().filter(wanted).collect()
}

/// Asks the compiler about mutants, of those that `asks` wants, of which the woven build does not tell whether they compile.
pub(super) fn validity(
    builder: &Builder<'_>,
    fates: &[Fate],
    asks: &dyn Fn(usize) -> bool,
    progress: &Progress,
) -> Result<BTreeMap<usize, Validity>> {
    let open: Vec<usize> = fates
        .iter()
        .enumerate()
        .filter(|(index, _)| asks(*index))
        .filter(|(index, fate)| {
            let mutant = &builder.mutants[*index];
            mutant.proposal.drops_types || matches!(fate, Fate::Alone { .. }) || !builder.is_built(mutant)
        })
        .map(|(index, _)| index)
        .collect();
    if open.is_empty() {
        return Ok(BTreeMap::new());
    }
    progress.status("Checking", &format!("what the compiler says of {}", text::count(open.len(), "mutant")));
    let compiled_later =
        |index: usize| matches!(fates[index], Fate::Alone { .. }) && builder.is_built(&builder.mutants[index]);
    check(builder, &open, &compiled_later)
}

/// Those for which it holds, and the others.
pub(super) fn split(all: Vec<usize>, holds: impl Fn(usize) -> bool) -> (BTreeSet<usize>, Vec<usize>) {
    let (yes, no): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|index| holds(*index));
    (yes.into_iter().collect(), no)
}

/// What becomes of a mutant that no test of the patch is tried on.
pub(super) fn unexecuted() -> Outcome {
    Outcome {
        verdict: Verdict::Unexecuted,
        killed_by: Vec::new(),
        executed_by: Vec::new(),
        reason: None,
        duration: Duration::ZERO,
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
