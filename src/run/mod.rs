//! The main job: judging a patch, from the command line to the written report.

mod assemble;
mod budget;
mod clock;
mod compare;
mod confine;
mod historical;
mod interrupt;
mod judge;
mod kill_map;
mod mutants;
mod originals;
mod progress;
mod rebuilds;
mod remarks;
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

use crate::cli::args::{CargoArgs, DemoArgs, MapArgs, MessageFormat, PatchArgs, RunArgs};
use crate::compare::model::Comparison;
use crate::error::{Error, Result};
use crate::exec::Ending;
use crate::exit::Exit;
use crate::freeze;
use crate::gate::{self, ratio};
use crate::policy::{Cap, GateName};
use crate::report::cargo_json::CargoJson;
use crate::report::formats::FormatName;
use crate::report::json::Json;
use crate::report::model::Report;
use crate::report::short::Short;
use crate::report::terminal::{Options, Terminal};
use crate::report::{self, Format};
use camino::Utf8PathBuf;
use clock::{Clock, Phase};
use compare::Compared;
use judge::Wanted;
use kill_map::Measuring;
use progress::Progress;
use resume::{Basis, Earlier};
use session::Session;
use std::sync::Arc;

pub use compare::{compare, killmap};
pub use tests_command::run as tests;

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
    if let Some(gate) = args.gate.iter().find(|gate| !available(**gate)) {
        return Err(Error::new(format!("ask the gate `{gate}`"), "this version cannot judge by it")
            .hint(format!("`--gate {}` it can", ratio::NAME)));
    }
    let clock = Clock::default();
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let session = clock.time(Phase::Scope, || Session::open(&args.patch, &args.cargo))?;
    crate::git::mark_as_cache(&session.hunkmut_dir)?;
    let waiting = || progress.status("Blocking", "another run in this workspace has to end first");
    let _lock = tools::Lock::take(&session.hunkmut_dir, waiting)?;
    let dir = args.report_dir.clone().unwrap_or_else(|| session.hunkmut_dir.join("report"));
    let jobs = match args.jobs {
        Some(jobs) => jobs.get(),
        None => std::thread::available_parallelism().map_or(1, |n| n.get()),
    };
    let asked = if args.gate.is_empty() { session.policy.gates.clone() } else { args.gate.clone() };
    let mut wanted = Wanted {
        ratio: asked.contains(&GateName::Ratio),
        gates: Vec::new(),
        advice: Vec::new(),
        jobs,
        exhaustive: args.exhaustive,
        historical: args.historical,
        driver: args.test_driver.unwrap_or(session.policy.tests.driver),
        self_check: args.self_check,
        cap: args.cap.or(session.policy.cap),
    };
    let deadline = match wanted.cap {
        Some(Cap::Duration(limit)) => Some(clock.started() + limit),
        Some(Cap::Times(_)) | None => None,
    };
    let basis = Basis::of(&session, &wanted);
    let (earlier, fresh) = match args.resume.then(|| basis.earlier(&dir)) {
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
    let tree = tree::Tree::watch(&session.repo, args.restore);
    let lockfile = tools::Lockfile::watch(&session);
    let compared = other_gates(&session, &asked, &mut wanted, &clock, &progress, &ending)?;
    let judged = judge::judge(&session, &wanted, &clock, &progress, ending, &tree, &earlier);
    drop(lockfile);
    let mut report = judged?;
    assemble::with_tree(&mut report, session.repo.tree_digest()?, tree.incidents());
    remarks::add(&session, &mut report);
    if asked.iter().any(|gate| !available(*gate)) {
        let names: Vec<String> =
            asked.iter().filter(|gate| !available(**gate)).map(|gate| format!("`{gate}`")).collect();
        report.notes.push(format!("the policy also asks for {}, by which this version cannot judge", names.join(", ")));
    }
    report.notes.extend(fresh);
    drop(reserve);
    if let Some(mut compared) = compared {
        compared.write(&dir)?;
    }
    basis.keep(&dir, &report);
    if let Err(error) = written(&mut report, &session, &dir, &args.report_format, &clock) {
        // The verdicts are not lost with the file.
        show(args, &report, &session, &dir)?;
        return Err(error);
    }
    if args.timings {
        eprint!("{}", timings::render(&clock, &report));
    }
    Ok((report, session, dir))
}

/// Asks the gates that do not rest on the new tests; `None` when none is asked.
fn other_gates(
    session: &Session,
    asked: &[GateName],
    wanted: &mut Wanted,
    clock: &Clock,
    progress: &Progress,
    ending: &Arc<Ending>,
) -> Result<Option<Compared>> {
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
        let comparison = Comparison::of_reasons(findings.reasons, Vec::new());
        return Ok(Some(Compared { comparison, base: None, head: None }));
    }
    let extent = compare::extent(&MapArgs::default());
    let measuring = Measuring { wanted, progress, ending };
    let compared = clock.time(Phase::Mutants, || compare::compared(session, &findings, extent, &measuring))?;
    let judged = findings.touched || compared.head.as_ref().is_some_and(|map| map.valid() > 0);
    wanted.gates.push(gate::kill_map::judge(&compared.comparison, judged));
    Ok(Some(compared))
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

/// Whether this version can judge by a gate.
pub fn available(gate: GateName) -> bool {
    match gate {
        GateName::Ratio | GateName::Freeze | GateName::KillMap => true,
        GateName::ZeroSurvivors => false,
    }
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
