//! One side of a patch measured: all tests that can reach the catalog, each mutant against those that execute it.

use super::judge::Wanted;
use super::mutants::{split, unexecuted, validity};
use super::originals::Originals;
use super::progress::Progress;
use super::rebuilds::{Rebuilds, invalid};
use super::session::Session;
use super::stage::Stage;
use super::tools::Tools;
use super::varying::{SecondLook, Watched};
use crate::build::{Builder, Fate, Validity, weave_and_build};
use crate::campaign::{self, Job, Outcome, Test};
use crate::error::{Context, Error, Result};
use crate::exec::{Ending, Recorded};
use crate::freeze;
use crate::killmap::model::{Catalog, KillMap, MapMutant, SCHEMA, Tool};
use crate::report::model::{BaselineOutcome, Verdict};
use crate::runner::{self, Baseline};
use crate::test_id::TestId;
use crate::{catalog, text};
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The unmutated runs of each test: enough to see that its record can be replayed, and the worst of the flakes.
const RUNS: u32 = 2;

/// What became of a mutant.
#[derive(Clone)]
struct Found {
    verdict: Verdict,
    killed_by: Vec<String>,
    reason: Option<String>,
}

impl Default for Found {
    fn default() -> Self {
        Found { verdict: Verdict::Unverified, killed_by: Vec::new(), reason: None }
    }
}

/// What a campaign found.
#[derive(Default)]
struct Campaigned {
    /// By mutant.
    outcomes: BTreeMap<usize, Outcome>,
    /// Tests that fail without a mutant now and then, by index into the baseline.
    failing: BTreeSet<usize>,
}

/// Measures sides.
pub struct Measuring<'a> {
    /// How.
    pub wanted: &'a Wanted,
    /// Who is told.
    pub progress: &'a Progress,
    /// When to stop.
    pub ending: &'a Arc<Ending>,
}

impl Measuring<'_> {
    /// The map of one side. When the end comes early, the map has what is done and is not complete.
    ///
    /// # Errors
    /// When the tree does not compile, or no test can be run.
    pub fn map(&self, side: &Session, name: &str) -> Result<KillMap> {
        self.map_beside(side, name, None)
    }

    /// As [`Measuring::map`]; what `other`, the other side's map, has as dead is not called alive by one run alone.
    ///
    /// # Errors
    /// As [`Measuring::map`].
    pub fn map_beside(&self, side: &Session, name: &str, other: Option<&KillMap>) -> Result<KillMap> {
        let mut map = empty(side)?;
        if side.plan.mutants.is_empty() {
            map.complete = true;
            return Ok(map);
        }
        let mut verdicts = vec![Found::default(); side.plan.mutants.len()];
        let measured = self.measure(side, name, other, &mut map, &mut verdicts);
        if !self.ending.reached() {
            measured?;
        }
        for (mutant, found) in side.plan.mutants.iter().zip(verdicts) {
            let file = &side.scope.files[mutant.file];
            let Some(source) = &file.source else { continue };
            let span = &mutant.proposal.span;
            let described = MapMutant {
                file: file.path.clone(),
                line: source.lines.line_of(span.start),
                function: mutant.function.clone(),
                operator: mutant.proposal.operator.name.to_owned(),
                original: source.text[span.clone()].to_owned(),
                replacement: mutant.proposal.replacement.clone(),
                killed_by: found.killed_by,
                reason: found.reason,
            };
            map.add(&mutant.id, described, found.verdict);
        }
        map.complete = map.unverified.is_empty();
        Ok(map)
    }

    fn measure(
        &self,
        side: &Session,
        name: &str,
        other: Option<&KillMap>,
        map: &mut KillMap,
        verdicts: &mut [Found],
    ) -> Result<()> {
        let targets = side.reaching_targets()?;
        let tools = Tools::find(side, self.ending.clone())?;
        map.tool.rustc.clone_from(&tools.rustc_version);
        if targets.is_empty() {
            map.notes.push(format!("the {name} has no tests that can reach this code"));
            verdicts.iter_mut().for_each(|found| found.verdict = Verdict::Unexecuted);
            return Ok(());
        }
        let builder = tools.builder(side, &targets);
        let stage = Stage::prepare(side, self.wanted.jobs, self.ending)?;
        let count = side.plan.mutants.len();
        let woven = weave_and_build(&builder, &|round| match round {
            1 => self.progress.status("Building", &format!("the {name}'s tests, with {count} mutants woven in")),
            _ => self.progress.status("Building", &format!("again, without what the compiler refused (round {round})")),
        })?;
        let built = stage.built(side, &woven.messages);
        let listing = runner::list(stage.context(), &built, self.wanted.jobs);
        for failure in &listing.failures {
            map.notes.push(format!("`{}` cannot list its tests: {}", failure.binary_id, failure.why));
        }
        let ids = usable(side, &listing, map);
        if ids.is_empty() {
            map.notes.push(format!("the {name} has no tests that can reach this code"));
            verdicts.iter_mut().for_each(|found| found.verdict = Verdict::Unexecuted);
            return Ok(());
        }
        self.progress.status("Running", &format!("{} tests of the {name} without a mutant", ids.len()));
        let (_, recordings) = stage.record(self.wanted, &built, &listing, &ids, self.ending)?;
        let all = stage.repeat(recordings, RUNS, self.ending);
        if self.ending.reached() {
            return Ok(());
        }
        let baseline = green(all, map);
        let killers = killers(side, &baseline, other);
        let mut found = Campaigned::default();
        let fault = self.campaign(&stage, &builder, &built, &baseline, &woven.fates, &killers, &mut found).err();
        if let Some(fault) = fault {
            map.notes.push(format!("mutants that have to be compiled alone are left unverified: {fault}"));
        }
        let Campaigned { outcomes, failing } = found;
        for index in failing {
            let test = baseline.tests[index].id.to_string();
            map.tests.remove(&test);
            map.unused.insert(test, "passes and fails by turns".to_owned());
        }
        for (index, outcome) in outcomes {
            let killers = outcome.killed_by.iter().map(|(test, _)| baseline.tests[*test].id.to_string());
            verdicts[index] = Found { verdict: outcome.verdict, killed_by: killers.collect(), reason: outcome.reason };
        }
        Ok(())
    }

    /// Every mutant against the tests that execute it; who has no teeth is not asked here. `killers` are the tests that
    /// killed it on the other side. An error leaves what is done in `found`.
    #[allow(clippy::too_many_arguments)]
    fn campaign(
        &self,
        stage: &Stage,
        builder: &Builder<'_>,
        built: &runner::Built,
        baseline: &Baseline,
        fates: &[Fate],
        killers: &BTreeMap<usize, BTreeSet<usize>>,
        found: &mut Campaigned,
    ) -> Result<()> {
        let Campaigned { outcomes, failing } = found;
        let validity = validity(builder, fates, &|_| true, self.progress)?;
        let (mut woven, mut alone) = (Vec::new(), Vec::new());
        for (index, fate) in fates.iter().enumerate() {
            match (validity.get(&index), fate) {
                (Some(Validity::Invalid(said)), _) => {
                    outcomes.insert(index, invalid(said.clone(), Duration::ZERO));
                }
                (_, Fate::Woven) => woven.push(index),
                (_, Fate::Alone { .. }) => alone.push(index),
            }
        }
        let (unbuilt, alone) = split(alone, |index| !builder.is_built(&builder.mutants[index]));
        outcomes.extend(unbuilt.into_iter().map(|index| (index, unexecuted())));
        let test = |test: &runner::BaselineTest| Test { name: test.id.name.clone(), duration: test.slowest };
        let tests: Vec<Test> = baseline.tests.iter().map(test).collect();
        let mut places = BTreeMap::new();
        let job = |index: &usize| {
            let mutant = &builder.mutants[*index];
            let place = *places.entry((mutant.file, mutant.item.start)).or_insert(*index);
            Job::Woven { switch: mutant.switch, executed_by: baseline.executing(mutant.switch), place }
        };
        let jobs: Vec<Job> = woven.iter().map(job).collect();
        let options = campaign::Options { jobs: self.wanted.jobs, exhaustive: self.wanted.exhaustive };
        let exec = stage.processes(baseline, Recorded::clone);
        let exec = Watched::new(&exec);
        self.progress.start(jobs.len());
        let mut run = campaign::verdicts(&exec, &tests, &jobs, options, self.ending, self.progress);
        self.progress.finish();
        failing.extend(run.varying);
        let killers_by_job: BTreeMap<usize, BTreeSet<usize>> =
            (woven.iter().enumerate()).filter_map(|(job, index)| Some((job, killers.get(index)?.clone()))).collect();
        let look = SecondLook {
            exec: &exec,
            tests: &tests,
            jobs: &jobs,
            failing,
            killers: &killers_by_job,
            options,
            ending: self.ending,
        };
        let found = look.take(&mut run.outcomes);
        failing.extend(found);
        outcomes.extend(woven.into_iter().zip(run.outcomes));
        if alone.is_empty() {
            return Ok(());
        }
        self.progress.status("Rebuilding", &format!("{} mutants that no switch can hold", alone.len()));
        let originals = Originals::keep(built, &runner::metadata_file(stage.context()))?;
        let exec = stage.processes(baseline, |recorded| originals.recorded(recorded));
        let ending = self.ending.as_ref();
        let rebuilds = Rebuilds {
            builder,
            originals: &originals,
            exec: &exec,
            tests: &tests,
            options,
            credit: false,
            ending,
            archive: None,
        };
        rebuilds.judge(&alone, outcomes, &mut BTreeSet::new(), &|_| {})?;
        // As for woven ones: what was killed on the other side is not called alive for one run's sake.
        let missed = |index: &usize| {
            let alive = outcomes.get(index).is_some_and(|outcome| outcome.verdict == Verdict::Survived);
            alive && killers.contains_key(index)
        };
        let missed: Vec<usize> = alone.into_iter().filter(missed).collect();
        let mut again = BTreeMap::new();
        rebuilds.judge(&missed, &mut again, &mut BTreeSet::new(), &|_| {})?;
        for (index, outcome) in again {
            if outcome.verdict != Verdict::Survived
                && let Some(first) = outcomes.get_mut(&index)
            {
                (first.verdict, first.reason) = (Verdict::Flaky, Some("it survived once, and then not".to_owned()));
            }
        }
        Ok(())
    }

    /// The production files that some tests of a side execute, of all those planned.
    ///
    /// # Errors
    /// When the tree does not compile, or the tests cannot be run.
    pub fn executed(&self, side: &mut Session, tests: &BTreeSet<String>, name: &str) -> Result<BTreeSet<String>> {
        // One mutant that can be switched for each item is enough to see that it runs.
        let mut seen = BTreeSet::new();
        side.plan.keep(|mutant| {
            !mutant.encodings.is_empty() && seen.insert((mutant.file, mutant.item.start, mutant.item.end))
        });
        let targets: BTreeSet<(usize, usize)> = side
            .reaching_targets()?
            .into_iter()
            .filter(|(package, target)| {
                let package = &side.workspace.packages[*package];
                let binary = package.binary_id(&package.targets[*target]);
                tests.iter().any(|test| test.split(' ').next() == Some(binary.as_str()))
            })
            .collect();
        if targets.is_empty() || side.plan.mutants.is_empty() {
            return Ok(BTreeSet::new());
        }
        let tools = Tools::find(side, self.ending.clone())?;
        let builder = tools.builder(side, &targets);
        let stage = Stage::prepare(side, self.wanted.jobs, self.ending)?;
        let count = side.plan.mutants.len();
        self.progress
            .status("Tracing", &format!("which files the touched tests of the {name} execute, by {count} places"));
        let woven = weave_and_build(&builder, &|_| {})?;
        let built = stage.built(side, &woven.messages);
        let listing = runner::list(stage.context(), &built, self.wanted.jobs);
        let ids: Vec<TestId> = listing
            .tests()
            .filter(|test| !test.ignored && tests.iter().any(|name| is_of(&test.id.to_string(), name)))
            .map(|test| test.id.clone())
            .collect();
        if ids.is_empty() {
            return Ok(BTreeSet::new());
        }
        let (_, recordings) = stage.record(self.wanted, &built, &listing, &ids, self.ending)?;
        let runs = |switch: u64| recordings.iter().any(|recording| recording.trace.hits(switch).is_some());
        let executed = side.plan.mutants.iter().filter(|mutant| runs(mutant.switch));
        Ok(executed.map(|mutant| side.scope.files[mutant.file].path.clone()).collect())
    }
}

/// Whether a listed test is a function's: it, or one of its cases.
pub fn is_of(listed: &str, function: &str) -> bool {
    listed.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// For each mutant that is dead on the other side, the tests in use that killed it there.
fn killers(side: &Session, baseline: &Baseline, other: Option<&KillMap>) -> BTreeMap<usize, BTreeSet<usize>> {
    let names: BTreeMap<String, usize> =
        baseline.tests.iter().enumerate().map(|(index, test)| (test.id.to_string(), index)).collect();
    let of = |(index, mutant): (usize, &crate::plan::Planned)| {
        let other = other.filter(|map| map.is_dead(&mutant.id))?.mutants.get(&mutant.id)?;
        let tests: BTreeSet<usize> = other.killed_by.iter().filter_map(|test| names.get(test).copied()).collect();
        (!tests.is_empty()).then_some((index, tests))
    };
    side.plan.mutants.iter().enumerate().filter_map(of).collect()
}

/// A map without mutants.
fn empty(side: &Session) -> Result<KillMap> {
    let (fixtures, flakes) = freeze::digests(side)?;
    let mut notes = Vec::new();
    if side.comparison.dirty {
        notes.push("with the uncommitted changes of the work tree".to_owned());
    }
    Ok(KillMap {
        schema: SCHEMA.to_owned(),
        rev: side.comparison.head_commit.to_string(),
        catalog: Catalog { name: catalog::NAME.to_owned(), sha256: catalog::digest() },
        tool: Tool {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: String::new(),
        },
        fixture_sha256: fixtures,
        flake_freeze_sha256: flakes,
        notes,
        ..KillMap::default()
    })
}

/// The tests to use, in the order listed; the others are named with the reason.
fn usable(side: &Session, listing: &runner::Listing, map: &mut KillMap) -> Vec<TestId> {
    let mut ids = Vec::new();
    for test in listing.tests() {
        let name = test.id.to_string();
        if test.ignored && !side.policy.tests.ignored {
            map.unused.insert(name, "ignored".to_owned());
        } else if side.frozen.contains(&name) {
            map.unused.insert(name, "frozen".to_owned());
        } else {
            ids.push(test.id.clone());
        }
    }
    ids
}

/// The tests that are sure to pass without a mutant; the others are named with the reason.
fn green(all: Baseline, map: &mut KillMap) -> Baseline {
    let (green, red): (Vec<_>, Vec<_>) = all.tests.into_iter().partition(|test| test.outcome == BaselineOutcome::Pass);
    for test in red {
        let why = match test.outcome {
            BaselineOutcome::Pass | BaselineOutcome::Fail => "fails",
            BaselineOutcome::Flaky => "passes and fails by turns",
            BaselineOutcome::Timeout => "does not end in time",
        };
        map.unused.insert(test.id.to_string(), why.to_owned());
    }
    map.tests = green.iter().map(|test| test.id.to_string()).collect();
    Baseline { tests: green }
}

/// Where the map of a base is kept, by everything that it follows from.
///
/// # Errors
/// When git or the compiler does not answer.
pub fn cache_file(measuring: &Measuring<'_>, base: &Session, head_dir: &camino::Utf8Path) -> Result<Utf8PathBuf> {
    let commit = &base.comparison.head_commit;
    let lock = std::fs::read(base.workspace.root.join("Cargo.lock")).unwrap_or_default();
    let tools = Tools::find(base, measuring.ending.clone())?;
    let mutants: Vec<String> =
        base.plan.mutants.iter().map(|mutant| format!("{} {}", mutant.id, mutant.switch)).collect();
    let options = crate::workspace::CargoOptions { dir: None, manifest_path: None, ..base.options.clone() };
    let wanted = (measuring.wanted.exhaustive, measuring.wanted.driver, &base.frozen);
    let program = std::fs::metadata(&tools.program).and_then(|meta| meta.modified());
    let program = program.doing(|| format!("look at `{}`", tools.program))?;
    let parts = [
        env!("CARGO_PKG_VERSION").to_owned(),
        // A program built anew may judge otherwise under the same version.
        format!("{program:?}"),
        catalog::digest(),
        base.repo.tree_of(commit)?,
        text::sha256(&lock),
        tools.rustc_version.clone(),
        format!("{options:?} {wanted:?}"),
        base.workspace_path.clone(),
        base.policy.sha256(),
        mutants.join(" "),
    ];
    Ok(head_dir.join("killmaps").join(format!("{}.json", text::sha256(parts.join("\0")))))
}

/// That no map could be made of the base, as an error for a command that needs one.
pub fn no_base(why: &Error) -> String {
    format!("the base cannot be measured, so nobody knows what the patch lost: {why}")
}
