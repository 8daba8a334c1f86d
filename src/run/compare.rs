//! `cargo hunkmut killmap` and `cargo hunkmut compare`: the maps of both sides, made or read, and what lies between them.

use super::judge::Wanted;
use super::kill_map::{Measuring, cache_file, no_base};
use super::progress::Progress;
use super::session::Session;
use super::sides::{Extent, Sides};
use super::{interrupt, tools};
use crate::cli::args::{CompareArgs, KillmapArgs, MapArgs, MessageFormat, no_compiler_messages};
use crate::compare::judge::{Input, judge};
use crate::compare::markdown;
use crate::compare::model::{Comparison, Decision, MapFiles};
use crate::error::{Context, Error, Result};
use crate::exec::Ending;
use crate::exit::Exit;
use crate::freeze::{self, Findings};
use crate::git::CommitId;
use crate::killmap::model::KillMap;
use crate::killmap::select::Cap;
use crate::policy::Cap as Budget;
use crate::report::{atomic, stdout};
use crate::text::sha256;
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// The file names of the maps.
const BASE: &str = "killmap-base.json";
const HEAD: &str = "killmap-head.json";

/// A comparison with its maps.
pub struct Compared {
    /// The comparison.
    pub comparison: Comparison,
    /// The base's map; or why there is none.
    pub base: std::result::Result<KillMap, String>,
    /// The head's map; or why there is none.
    pub head: std::result::Result<KillMap, String>,
}

impl Compared {
    /// Writes the maps, `compare.json` and `compare.md` into a folder.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write(&mut self, dir: &Utf8Path) -> Result<()> {
        let mut files = MapFiles::default();
        for (map, name, slot) in [(&self.base, BASE, &mut files.base), (&self.head, HEAD, &mut files.head)] {
            if let Ok(map) = map {
                map.write(&dir.join(name))?;
                *slot = Some(name.to_owned());
            }
        }
        self.comparison.killmaps = files;
        self.comparison.write(dir)?;
        let page = markdown::page(&self.comparison, self.base.as_ref().ok(), self.head.as_ref().ok());
        atomic::write(&dir.join("compare.md"), page.as_bytes())
    }
}

/// Measures both sides of a session and compares.
///
/// # Errors
/// When the head cannot be measured, unless what syntax tells is enough to reject the patch.
pub fn compared(session: &Session, findings: &Findings, extent: Extent, measuring: &Measuring<'_>) -> Result<Compared> {
    let mut sides = Sides::plan(session, findings, extent, &BTreeSet::new())?;
    if sides.probe.is_needed() {
        let executed = unless_ended(executed(sides, session, findings, extent, measuring), measuring)?;
        sides = Sides::plan(session, findings, extent, &executed)?;
    }
    let Sides { head, base, left_out, .. } = sides;
    measuring.progress.status("Mapping", &format!("{} mutants at the head", head.plan.mutants.len()));
    let base = base.and_then(|side| base_map(session, &side, left_out, measuring));
    let head = measuring.map_beside(&head, "head", base.as_ref().ok()).map(|map| KillMap { left_out, ..map });
    let rejected = findings.reasons.iter().any(|reason| reason.rule.decision() == Decision::Reject);
    let head = match head {
        Err(why) if !rejected => return Err(why),
        head => head.map_err(|why| format!("the head cannot be measured: {why}")),
    };
    let base = base.map_err(|why| no_base(&why));
    let comparison = judge(&Input {
        base: base.as_ref().map_err(Clone::clone),
        head: head.as_ref().map_err(Clone::clone),
        findings: Some(findings),
    });
    Ok(Compared { comparison, base, head })
}

/// The production files that touched tests of the base and new tests of the head execute.
fn executed(
    sides: Sides,
    session: &Session,
    findings: &Findings,
    extent: Extent,
    measuring: &Measuring<'_>,
) -> Result<BTreeSet<String>> {
    let probe = sides.probe;
    drop(sides);
    let names = |tests: &mut dyn Iterator<Item = &freeze::TestName>| -> BTreeSet<String> {
        tests.filter_map(|test| test.id.as_ref()).map(ToString::to_string).collect()
    };
    let old = names(&mut findings.touched_tests.iter().filter(|_| probe.base));
    let new = names(&mut findings.new_tests.iter().filter(|_| probe.head));
    let wide = Extent { cap: Cap { mutants: usize::MAX, alone: 0 }, ..extent };
    let everything = Sides::plan_all(session, findings, wide, probe)?;
    let mut files = BTreeSet::new();
    if let Ok(mut base) = everything.base
        && !old.is_empty()
    {
        // A base that does not compile is told when its map is made.
        files.extend(executed_at_base(session, &mut base, &old, measuring).unwrap_or_default());
    }
    let mut head = everything.head;
    if !new.is_empty() {
        files.extend(measuring.executed(&mut head, &new, "head")?);
    }
    Ok(files)
}

/// The files that some tests of the base execute: from an earlier run where nothing that it follows from has changed.
fn executed_at_base(
    session: &Session,
    base: &mut Session,
    tests: &BTreeSet<String>,
    measuring: &Measuring<'_>,
) -> Result<BTreeSet<String>> {
    let map = cache_file(measuring, base, &session.hunkmut_dir)?;
    let names: Vec<&str> = std::iter::once(map.as_str()).chain(tests.iter().map(String::as_str)).collect();
    let file = map.with_file_name(format!("executed-{}.json", sha256(names.join("\0"))));
    let known = atomic::read(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
    if let Some(files) = known {
        return Ok(files);
    }
    let files = measuring.executed(base, tests, "base")?;
    if !measuring.ending.reached() {
        let text = serde_json::to_vec(&files).doing(|| "write the files that tests execute as JSON".into())?;
        atomic::write(&file, &text)?;
    }
    Ok(files)
}

/// An early end is no error: what follows leaves every mutant without a verdict.
fn unless_ended(found: Result<BTreeSet<String>>, measuring: &Measuring<'_>) -> Result<BTreeSet<String>> {
    match found {
        Err(_) if measuring.ending.reached() => Ok(BTreeSet::new()),
        found => found,
    }
}

/// The base's map: from an earlier run where nothing that it follows from has changed.
fn base_map(session: &Session, side: &Session, left_out: usize, measuring: &Measuring<'_>) -> Result<KillMap> {
    if side.plan.mutants.is_empty() {
        return Ok(KillMap { left_out, ..measuring.map(side, "base")? });
    }
    let file = cache_file(measuring, side, &session.hunkmut_dir)?;
    if let Ok(map) = KillMap::read(&file)
        && map.complete
    {
        measuring.progress.status("Fresh", &format!("the base's map of {} mutants", map.mutants.len()));
        return Ok(KillMap { left_out, ..map });
    }
    let map = measuring.map(side, "base")?;
    if map.complete {
        map.write(&file)?;
    }
    Ok(KillMap { left_out, ..map })
}

/// How a map is wanted.
pub fn extent(args: &MapArgs) -> Extent {
    let mutants = args.max_mutants.get();
    Extent { whole_package: args.whole_package, cap: Cap { mutants, alone: mutants.div_ceil(20) } }
}

fn wanted(args: &MapArgs, session: &Session) -> Wanted {
    Wanted {
        exhaustive: args.exhaustive,
        driver: args.test_driver.unwrap_or(session.policy.tests.driver),
        ..Wanted::of(session, args.jobs)
    }
}

fn ending(args: &MapArgs, started: Instant) -> Result<Arc<Ending>> {
    let deadline = match args.cap {
        None => None,
        Some(Budget::Duration(limit)) => Some(started + limit),
        Some(Budget::Times(_)) => {
            return Err(Error::new("set the cap", "a multiple of the plain build is not measured here")
                .hint("give a duration, like `10m`"));
        }
    };
    Ok(Arc::new(Ending::at(deadline)))
}

/// Compares two revisions, or two maps.
///
/// # Errors
/// Usage, git and build errors; maps that cannot be read or do not belong together.
pub fn compare(args: &CompareArgs) -> Result<Exit> {
    if args.output.message_format == MessageFormat::CargoJson {
        return Err(no_compiler_messages());
    }
    let started = Instant::now();
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let mut compared = if let [base, head] = &args.maps[..] {
        let (base, head) = (KillMap::read(base)?, KillMap::read(head)?);
        belong_together(&base, &head)?;
        let comparison = judge(&Input { base: Ok(&base), head: Ok(&head), findings: None });
        let compared = Compared { comparison, base: Ok(base), head: Ok(head) };
        let mut compared = compared;
        if let Some(dir) = &args.map.report_dir {
            compared.write(dir)?;
        }
        compared
    } else {
        let session = Session::open(&args.patch, &args.cargo)?;
        crate::git::mark_as_cache(&session.hunkmut_dir)?;
        let waiting = || progress.status("Blocking", "another run in this workspace has to end first");
        let _lock = tools::Lock::take(&session.hunkmut_dir, waiting)?;
        let _lockfile = tools::Lockfile::watch(&session);
        let ending = ending(&args.map, started)?;
        let _signals = interrupt::listen(ending.clone());
        let findings = freeze::check(&session)?;
        let wanted = wanted(&args.map, &session);
        let measuring = Measuring { wanted: &wanted, progress: &progress, ending: &ending };
        let mut compared = compared(&session, &findings, extent(&args.map), &measuring)?;
        compared.comparison.notes.extend(session.comparison.notes.iter().cloned());
        let dir = args.map.report_dir.clone().unwrap_or_else(|| session.hunkmut_dir.join("report"));
        compared.write(&dir)?;
        compared
    };
    let comparison = &mut compared.comparison;
    let text = match args.output.message_format {
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Json => comparison.json()?,
        MessageFormat::Short => comparison.short(),
        MessageFormat::Human => {
            let counts =
                compared.base.as_ref().ok().zip(compared.head.as_ref().ok()).map(|(base, head)| counts(base, head));
            counts.unwrap_or_default() + &comparison.human(args.output.verbose)
        }
    };
    stdout::print(&text, false)?;
    Ok(crate::cli::freeze::exit(comparison.decision))
}

fn counts(base: &KillMap, head: &KillMap) -> String {
    let line = |name: &str, map: &KillMap| {
        format!(
            "{name:<6}{:>6} killed {:>6} alive {:>6} other, {} tests, {}\n",
            map.killed.len() + map.timeout.len(),
            map.survived.len() + map.unexecuted.len(),
            map.mutants.len() - map.valid(),
            map.tests.len(),
            map.rev.get(..12).unwrap_or(&map.rev)
        )
    };
    line("base", base) + &line("head", head)
}

fn belong_together(base: &KillMap, head: &KillMap) -> Result<()> {
    let refuse = |why: String| {
        Err(Error::new("compare the two maps", why).hint("make both with the same `cargo hunkmut killmap`"))
    };
    if base.catalog != head.catalog {
        let name = |map: &KillMap| format!("{} {}", map.catalog.name, map.catalog.sha256.get(..12).unwrap_or_default());
        return refuse(format!("they are of different catalogs: {} and {}", name(base), name(head)));
    }
    if base.tool.version != head.tool.version || base.tool.name != head.tool.name {
        return refuse(format!("they are of different versions: {} and {}", base.tool.version, head.tool.version));
    }
    Ok(())
}

/// Makes the map of one side of a patch.
///
/// # Errors
/// Usage, git and build errors.
pub fn killmap(args: &KillmapArgs) -> Result<Exit> {
    if args.output.message_format == MessageFormat::CargoJson {
        return Err(no_compiler_messages());
    }
    let started = Instant::now();
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let mut patch = args.patch.clone();
    // A revision that is neither side yet is the head.
    if let (Some(rev), None) = (&args.rev, &patch.head)
        && !is_base(args, rev)?
    {
        patch.head = Some(rev.clone());
    }
    let session = Session::open(&patch, &args.cargo)?;
    let base = match &args.rev {
        Some(rev) => {
            let commit = session.repo.commit(rev)?;
            let base = commit == session.comparison.merge_base;
            if !base && commit != session.comparison.head_commit {
                let sides: [&CommitId; 2] = [&session.comparison.merge_base, &session.comparison.head_commit];
                return Err(Error::new(
                    format!("map `{rev}`"),
                    format!("it is no side of the patch from {} to {}", sides[0].short(), sides[1].short()),
                ));
            }
            base
        }
        None => false,
    };
    crate::git::mark_as_cache(&session.hunkmut_dir)?;
    let waiting = || progress.status("Blocking", "another run in this workspace has to end first");
    let _lock = tools::Lock::take(&session.hunkmut_dir, waiting)?;
    let _lockfile = tools::Lockfile::watch(&session);
    let ending = ending(&args.map, started)?;
    let _signals = interrupt::listen(ending.clone());
    let findings = freeze::check(&session)?;
    let wanted = wanted(&args.map, &session);
    let measuring = Measuring { wanted: &wanted, progress: &progress, ending: &ending };
    let extent = extent(&args.map);
    let mut sides = Sides::plan(&session, &findings, extent, &BTreeSet::new())?;
    if sides.probe.is_needed() {
        let executed = unless_ended(executed(sides, &session, &findings, extent, &measuring), &measuring)?;
        sides = Sides::plan(&session, &findings, extent, &executed)?;
    }
    let left_out = sides.left_out;
    let (map, name) = match base {
        true => (base_map(&session, &sides.base?, left_out, &measuring)?, BASE),
        false => (KillMap { left_out, ..measuring.map(&sides.head, "head")? }, HEAD),
    };
    let dir = args.map.report_dir.clone().unwrap_or_else(|| session.hunkmut_dir.join("report"));
    map.write(&dir.join(name))?;
    let text = match args.output.message_format {
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Json => map.json()?,
        MessageFormat::Short => (map.mutants.iter())
            .map(|(id, mutant)| {
                let verdict = map.verdict(id).map(|verdict| verdict.to_string()).unwrap_or_default();
                format!("{id}\t{verdict}\t{}:{}\t{}\n", mutant.file, mutant.line, mutant.killed_by.join(", "))
            })
            .collect(),
        MessageFormat::Human => {
            let notes: String = map.notes.iter().map(|note| format!("note: {note}\n")).collect();
            format!(
                "{} mutants: {} killed, {} timed out, {} survived, {} unexecuted, {} invalid, {} flaky, {} unverified\n{} tests in use\n{notes}written to {}\n",
                map.mutants.len(),
                map.killed.len(),
                map.timeout.len(),
                map.survived.len(),
                map.unexecuted.len(),
                map.invalid.len(),
                map.flaky.len(),
                map.unverified.len(),
                map.tests.len(),
                dir.join(name)
            )
        }
    };
    stdout::print(&text, false)?;
    Ok(if map.complete { Exit::Pass } else { Exit::Incomplete })
}

/// Whether a revision is the one that the patch is taken from.
fn is_base(args: &KillmapArgs, rev: &str) -> Result<bool> {
    let here = super::session::current_dir()?;
    let near = match &args.cargo.manifest_path {
        Some(path) => here.join(path).parent().map_or(here.clone(), Utf8Path::to_owned),
        None => here,
    };
    let repo = crate::git::Repo::discover(&near)?;
    let commit = repo.commit(rev)?;
    let base = match &args.patch.base {
        Some(base) => repo.commit(base)?,
        None => repo.commit(&repo.default_base()?)?,
    };
    Ok(commit == base || repo.merge_base(&base, &repo.commit("HEAD")?).is_ok_and(|merge| merge == commit))
}
