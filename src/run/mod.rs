//! The main job: judging a patch, from the command line to the written report.

mod assemble;
mod budget;
mod cache;
mod clock;
mod compare;
mod confine;
mod equivalent;
mod historical;
mod interrupt;
mod judge;
mod kill_map;
mod mutants;
mod originals;
mod progress;
mod rebuilds;
mod refusals;
mod remarks;
mod rerun;
mod reserve;
mod resume;
mod reverted;
pub mod session;
mod sides;
mod stage;
mod test_delta;
mod tests_command;
mod timings;
mod tools;
mod tree;
mod vet;
mod withdrawn;

use crate::cli::args::{CargoArgs, DemoArgs, EngineChoice, MapArgs, MessageFormat, PatchArgs, RunArgs};
use crate::compare::model::Comparison;
use crate::error::Result;
use crate::evidence;
use crate::exec::Ending;
use crate::exit::Exit;
use crate::freeze;
use crate::gate;
use crate::policy::{Cap, GateName};
use crate::report::cargo_json::CargoJson;
use crate::report::formats::FormatName;
use crate::report::json::Json;
use crate::report::model::Report;
use crate::report::short::Short;
use crate::report::terminal::{Options, Terminal};
use crate::report::{self, Format};
use crate::shard;
use cache::Cache;
use camino::Utf8PathBuf;
use clock::{Clock, Phase};
use compare::Compared;
use judge::Wanted;
use kill_map::Measuring;
use progress::Progress;
use resume::{Basis, Earlier};
use session::Session;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use assemble::{coverage, planned};
pub use compare::{compare, killmap};
pub use rerun::{again, run as rerun};
pub use tests_command::run as tests;
pub use vet::run as vet;
use withdrawn::gone;

/// Judges a patch, writes the reports and prints the result.
///
/// # Errors
/// Whatever keeps a verdict from being reached.
pub fn run(args: &RunArgs) -> Result<Exit> {
    let (report, session, dir) = judged(args)?;
    show(args, &report, &session, &dir)?;
    Ok(Exit::of(report.decision))
}

fn judged(args: &RunArgs) -> Result<(Report, Session, Utf8PathBuf)> {
    let clock = Clock::default();
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let mut session = clock.time(Phase::Scope, || Session::open(&args.patch, &args.cargo))?;
    if args.engine == EngineChoice::Rebuild {
        session.plan.without_switches();
    }
    let dir = args.report_dir.clone().unwrap_or_else(|| session.hunkmut_dir.join("report"));
    let asked = if args.gate.is_empty() { session.policy.gates.clone() } else { args.gate.clone() };
    let wanted = Wanted {
        ratio: asked.contains(&GateName::Ratio),
        zero: asked.contains(&GateName::ZeroSurvivors),
        accept_new_excusals: args.accept_new_excusals,
        exhaustive: args.exhaustive,
        // All tests are in use for that gate.
        historical: args.historical || asked.contains(&GateName::ZeroSurvivors),
        driver: args.test_driver.unwrap_or(session.policy.tests.driver),
        self_check: args.self_check,
        equivalence: args.equivalence.unwrap_or(session.policy.equivalence),
        cap: args.cap.or(session.policy.cap),
        ..Wanted::of(&session, args.jobs)
    };
    let share = args.shard.map(|share| share_of(share, &session, args.shard_costs.as_deref(), &asked)).transpose()?;
    let asked = asked_of(share.as_ref(), asked);
    let wanted = Wanted {
        only: share.as_ref().map(|share| share.mutants.iter().cloned().collect()),
        shard: share.clone(),
        ..wanted
    };
    let evidence = args.evidence.clone().or_else(|| wanted.zero.then(|| session.hunkmut_dir.join("evidence")));
    // A share of a run cannot be recomputed by itself.
    let evidence = evidence.filter(|_| share.is_none());
    evidence.as_deref().map(evidence::claim).transpose()?;
    // Evidence is about what its own run has seen.
    let cache =
        (!args.no_cache && share.is_none()).then(|| Arc::new(Cache::open(&session.hunkmut_dir, evidence.is_none())));
    let wanted = Wanted { cache, ..wanted };
    // Taken up before the run replaces what lies there.
    let kept =
        evidence.as_ref().filter(|_| args.resume).and_then(|kept| evidence::runs_of(kept, &dir.join("report.json")));
    let conduct = Conduct { asked: &asked, restore: args.restore, resume: args.resume.then_some(&dir) };
    let performance = perform(&session, &wanted, &clock, &progress, conduct)?;
    let Performance { mut report, mut others, taken_over, reserve, basis, .. } = performance;
    match &share {
        Some(share) => shard::mark(&mut report, share),
        None => compare_with_last(&mut report, &dir),
    }
    drop(reserve);
    if let Some(others) = &mut others {
        others.compared.write(&dir)?;
    }
    basis.keep(&dir, &report);
    if let Err(error) = written(&mut report, &session, &dir, &args.report_format, &clock) {
        // The verdicts are not lost with the file.
        show(args, &report, &session, &dir)?;
        return Err(error);
    }
    if let Some(dir) = evidence {
        wanted.log.take_over(kept.unwrap_or_default(), &taken_over);
        leave_evidence(&dir, &report, &session, &wanted.log, &asked, others.as_ref())?;
    }
    if args.timings {
        eprint!("{}", timings::render(&clock, &report));
    }
    Ok((report, session, dir))
}

/// The part of a run that is this machine's.
fn share_of(
    share: shard::Share,
    session: &Session,
    costs: Option<&camino::Utf8Path>,
    asked: &[GateName],
) -> Result<report::model::Shard> {
    let costs = costs.map(report::json::read).transpose()?.map(|report| shard::costs(&report));
    let mutants: Vec<&str> = session.plan.mutants.iter().map(|mutant| mutant.id.as_str()).collect();
    let gates = asked.iter().map(ToString::to_string).collect();
    Ok(shard::part(share, &mutants, costs.as_ref(), gates))
}

/// The gates that this machine asks: kill maps are not divided, and one is enough.
fn asked_of(share: Option<&report::model::Shard>, asked: Vec<GateName>) -> Vec<GateName> {
    let elsewhere = share.is_some_and(|share| share.index != shard::FIRST);
    asked.into_iter().filter(|gate| !elsewhere || *gate != GateName::KillMap).collect()
}

/// What a run has come to before it is written down.
struct Performance {
    report: Report,
    /// What the gates found that do not rest on the new tests, when one was asked.
    others: Option<Others>,
    /// Mutants whose verdict is that of the unfinished run before.
    taken_over: BTreeSet<String>,
    /// Room on the disk for the report, freed by dropping it.
    reserve: reserve::Reserve,
    /// What a later run has to have in common with this one to go on from it.
    basis: Basis,
    /// Kept until the report is written.
    _lock: tools::Lock,
}

/// What the gates `freeze` and `kill-map` rest on.
struct Others {
    /// What the patch did to the tests.
    findings: freeze::Findings,
    /// What it did to the detection.
    compared: Compared,
}

/// How a run treats what it finds.
#[derive(Default)]
struct Conduct<'a> {
    /// The gates that were asked.
    asked: &'a [GateName],
    /// Change files of the user's tree back that a test has changed.
    restore: bool,
    /// Go on from the unfinished run whose report lies here.
    resume: Option<&'a Utf8PathBuf>,
}

/// Judges a session, with everything around it that protects the user's tree and the verdicts.
fn perform(
    session: &Session,
    wanted: &Wanted,
    clock: &Clock,
    progress: &Progress,
    conduct: Conduct<'_>,
) -> Result<Performance> {
    crate::git::mark_as_cache(&session.hunkmut_dir)?;
    let waiting = || progress.status("Blocking", "another run in this workspace has to end first");
    let lock = tools::Lock::take(&session.hunkmut_dir, waiting)?;
    let deadline = match wanted.cap {
        Some(Cap::Duration(limit)) => Some(clock.started() + limit),
        Some(Cap::Times(_)) | None => None,
    };
    let basis = Basis::of(session, wanted);
    let (earlier, fresh) = match conduct.resume.map(|dir| basis.earlier(dir)) {
        None => (Earlier::default(), None),
        Some(Ok(earlier)) => {
            let said = format!("{} verdicts are taken over", earlier.count());
            progress.status("Resuming", &said);
            (earlier, Some(format!("resumed: {said} from the run before")))
        }
        Some(Err(why)) => {
            progress.status("Starting", &format!("anew: {why}"));
            (Earlier::default(), Some(format!("not resumed: {why}")))
        }
    };
    let ending = Arc::new(Ending::at(deadline));
    let _signals = interrupt::listen(ending.clone());
    let reserve = reserve::Reserve::hold(&session.hunkmut_dir);
    let tree = tree::Tree::watch(&session.repo, conduct.restore);
    let lockfile = tools::Lockfile::watch(session);
    let mut wanted = wanted.clone();
    let others = other_gates(session, conduct.asked, &mut wanted, clock, progress, &ending)?;
    let judged = judge::judge(session, &wanted, clock, progress, ending, &tree, &earlier);
    drop(lockfile);
    let mut report = judged?;
    let found = wanted.cache.as_ref().map(|cache| (cache, report.clone()));
    assemble::with_tree(&mut report, session.repo.tree_digest()?, tree.incidents());
    remarks::add(session, &mut report);
    let taken_over = earlier.mutants();
    report.facts.resumed = !taken_over.is_empty();
    report.facts.recalled = wanted.cache.as_ref().map_or(0, |cache| cache.recalled());
    if report.facts.recalled > 0 {
        report.notes.push(format!(
            "{} runs of a test on a mutant are those of an earlier run, in the same executable and surroundings: \
             `--no-cache` runs all of them",
            report.facts.recalled
        ));
    }
    report.notes.extend(fresh);
    if let Some((cache, found)) =
        found.filter(|_| report.tree.clean && taken_over.is_empty() && tree.incidents().is_empty())
    {
        // A share, or a run with other tests, is not meant to be kept.
        if let Some(why) = cache.keep(&found, &wanted).filter(|_| !wanted.historical) {
            progress.status("Keeping", &format!("no verdicts for later runs: {why}"));
        }
    }
    Ok(Performance { report, others, taken_over, reserve, basis, _lock: lock })
}

/// Writes the folder from which everything can be recomputed.
fn leave_evidence(
    dir: &Utf8PathBuf,
    report: &Report,
    session: &Session,
    log: &evidence::Log,
    gates: &[GateName],
    others: Option<&Others>,
) -> Result<()> {
    let maps = others.filter(|_| gates.contains(&GateName::KillMap)).map(|others| &others.compared);
    let lockfile = std::fs::read(session.workspace.root.join("Cargo.lock")).unwrap_or_default();
    evidence::write(
        dir,
        report,
        log,
        &evidence::Surroundings {
            patch: &session.comparison.patch(&session.repo)?,
            policy: session.policy.text(),
            ledger: &session.ledger.text,
            head_ledger: &session.ledger.head_text,
            lockfile: &lockfile,
            gates: gates.iter().map(ToString::to_string).collect(),
            day: session.today.to_string(),
            findings: others.map(|others| &others.findings),
            maps: maps.map(|compared| (compared.base.clone(), compared.head.clone())),
        },
    )
}

/// Names the survivors of the report that this one replaces and that nothing is said about any more.
fn compare_with_last(report: &mut Report, dir: &Utf8PathBuf) {
    let path = dir.join("report.json");
    // A device never ends.
    if !path.is_file() {
        return;
    }
    let Ok(before) = crate::report::json::read(&path) else { return };
    let (withdrawn, note) = withdrawn::withdrawn(&before, report);
    for entry in &withdrawn {
        report.notes.push(format!(
            "withdrawn: {} {}:{} {}: {}",
            entry.mutant, entry.file, entry.line, entry.operator, entry.why
        ));
    }
    report.notes.extend(note);
    report.withdrawn = withdrawn;
}

/// Asks the gates that do not rest on the new tests; `None` when none is asked.
fn other_gates(
    session: &Session,
    asked: &[GateName],
    wanted: &mut Wanted,
    clock: &Clock,
    progress: &Progress,
    ending: &Arc<Ending>,
) -> Result<Option<Others>> {
    let mapped = asked.contains(&GateName::KillMap);
    if !mapped && !asked.contains(&GateName::Freeze) {
        return Ok(None);
    }
    let findings = clock.time(Phase::Plan, || freeze::check(session))?;
    wanted.advice.clone_from(&findings.advice);
    if asked.contains(&GateName::Freeze) {
        wanted.gates.push(gate::freeze::judge(&findings));
    }
    if !mapped {
        let comparison = Comparison::of_reasons(findings.reasons.clone(), Vec::new());
        let none = || Err("no gate asked for it".to_owned());
        return Ok(Some(Others { findings, compared: Compared { comparison, base: none(), head: none() } }));
    }
    let extent = compare::extent(&MapArgs::default());
    let measuring = Measuring { wanted, progress, ending };
    let compared = clock.time(Phase::Mutants, || compare::compared(session, &findings, extent, &measuring))?;
    let judged = findings.touched || compared.head.as_ref().is_ok_and(|map| map.valid() > 0);
    wanted.gates.push(gate::kill_map::judge(&compared.comparison, judged));
    Ok(Some(Others { findings, compared }))
}

/// Writes the reports. The times are part of what is written, so the writing itself is measured on a first version.
fn written(
    report: &mut Report,
    session: &Session,
    dir: &Utf8PathBuf,
    formats: &[FormatName],
    clock: &Clock,
) -> Result<()> {
    let source = |file: &str| session.source(file);
    clock.time(Phase::Report, || report::write(dir, report, &source, formats))?;
    report.timings_ms = clock.timings();
    report::write(dir, report, &source, formats)
}

fn show(args: &RunArgs, report: &Report, session: &Session, dir: &Utf8PathBuf) -> Result<()> {
    let source = |file: &str| session.source(file);
    let mut options = Options::detect(args.output.color.into());
    options.verbose = args.output.verbose;
    options.quiet = args.output.quiet;
    options.report_dir = Some(shortest(dir));
    let color = options.color;
    let text = match args.output.message_format {
        MessageFormat::Human => Terminal { options }.render(report, &source),
        MessageFormat::Json => Json.render(report, &source),
        MessageFormat::Short => Short.render(report, &source),
        MessageFormat::CargoJson => CargoJson.render(report, &source),
    };
    report::stdout::print(&text, color)
}

/// A path as a person would type it from here.
fn shortest(dir: &Utf8PathBuf) -> String {
    let here = session::current_dir().unwrap_or_default();
    dir.strip_prefix(&here).unwrap_or(dir).to_string()
}

/// Judges the bundled example and says where to look. Ends well whatever the example's decision is.
///
/// # Errors
/// As [`run`], and when the example cannot be written.
pub fn demo(args: &DemoArgs) -> Result<Exit> {
    let repo = crate::demo::write(args.dir.as_deref())?;
    let run = RunArgs {
        patch: PatchArgs { base: Some(repo.base.to_owned()), ..PatchArgs::default() },
        cargo: CargoArgs { manifest_path: Some(repo.root.join("Cargo.toml")), ..CargoArgs::default() },
        output: args.output.clone(),
        ..RunArgs::default()
    };
    let (report, session, dir) = judged(&run)?;
    show(&run, &report, &session, &dir)?;
    if args.output.message_format == MessageFormat::Human {
        let text = repo.where_to_look(&dir, Exit::of(report.decision), &crate::demo::program());
        report::stdout::print(&text, false)?;
    }
    Ok(Exit::Pass)
}
