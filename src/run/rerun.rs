//! `cargo hunkmut rerun`: the same mutants again, against the tests as they are today.
//!
//! All mutants are woven in as before, so that cargo finds its earlier build unchanged and compiles only what was
//! edited; only those asked for are run. The updated report keeps what it knew of the others, and says so: no gate
//! passes on verdicts that were not taken today.

use super::judge::Wanted;
use super::progress::Progress;
use super::session::Session;
use super::{Conduct, Performance, clock::Clock, clock::Phase, gone, perform};
use crate::cli::args::{CargoArgs, MessageFormat, OutputArgs, PatchArgs, RerunArgs, no_compiler_messages};
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::gate::zero_survivors::Standing;
use crate::policy::GateName;
use crate::report::model::{HistoricalVerdict, Mutant, PolicySource, Report, Verdict};
use crate::report::text::{count, line, list};
use crate::report::{self, stdout};
use crate::stored::Stored;
use camino::Utf8Path;
use serde_json::json;
use std::collections::BTreeSet;

/// Runs mutants of an earlier report again and prints what became of each.
///
/// # Errors
/// When there is no earlier report, an ID is not in it, and whatever keeps a verdict from being reached.
pub fn run(args: &RerunArgs) -> Result<Exit> {
    if args.output.message_format == MessageFormat::CargoJson {
        return Err(no_compiler_messages());
    }
    let stored = Stored::read(args.from.as_deref(), &args.cargo)?;
    let asked: BTreeSet<String> = match args.ids.is_empty() {
        true => alive(&stored.report).map(|mutant| mutant.id.clone()).collect(),
        false => args.ids.iter().map(|id| stored.mutant(id).map(|m| m.id.clone())).collect::<Result<_>>()?,
    };
    if asked.is_empty() {
        stdout::print("nothing to rerun: no mutant of the report is alive\n", false)?;
        return Ok(Exit::Pass);
    }
    let clock = Clock::default();
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let patch = patch(&stored.report, args.head.as_deref());
    let session = clock.time(Phase::Scope, || Session::open(&patch, &args.cargo))?;
    let gates = |name: GateName| stored.report.gates.iter().any(|gate| gate.name == name.as_str());
    let zero = gates(GateName::ZeroSurvivors);
    let wanted = Wanted {
        // The mutants are run whichever gates the report has.
        ratio: gates(GateName::Ratio) || !zero,
        zero,
        only: Some(asked.clone()),
        previous: Some(stored.report.clone()),
        ..Wanted::of(&session, args.jobs)
    };
    let Performance { mut report, .. } = perform(&session, &wanted, &clock, &progress, Conduct::default())?;
    (report.withdrawn, _) = super::withdrawn::withdrawn(&stored.report, &report);
    let lost: Vec<&Mutant> = stored
        .report
        .mutants
        .iter()
        .filter(|old| asked.contains(&old.id) && !report.mutants.iter().any(|new| new.id == old.id))
        .collect();
    let dir = stored.path.parent().unwrap_or(Utf8Path::new("."));
    report.timings_ms = clock.timings();
    report::write(dir, &report, &|file| session.source(file), &[])?;
    if args.timings {
        eprint!("{}", super::timings::render(&clock, &report));
    }
    let results = Results { asked: &asked, report: &report, lost };
    let text = match args.output.message_format {
        MessageFormat::Json => results.json()?,
        MessageFormat::Human | MessageFormat::Short | MessageFormat::CargoJson => results.text(),
    };
    stdout::print(&text, false)?;
    Ok(results.exit())
}

/// Runs some mutants of a report again at the report's own head and says what a report would; writes none.
///
/// # Errors
/// Whatever keeps a verdict from being reached.
pub fn again(report: &Report, ids: &BTreeSet<String>, cargo: &CargoArgs, output: &OutputArgs) -> Result<Report> {
    let clock = Clock::default();
    let progress = Progress::new(output.quiet, output.color.into());
    let session = Session::open(&patch(report, report.repo.head.as_deref()), cargo)?;
    let drawn = || report.mutants.iter().filter(|mutant| ids.contains(&mutant.id));
    let wanted = Wanted {
        ratio: true,
        // What was asked of the other tests is asked of them again.
        zero: report.gates.iter().any(|gate| gate.name == GateName::ZeroSurvivors.as_str()),
        historical: drawn().any(|mutant| mutant.historical.verdict != HistoricalVerdict::NotRun),
        only: Some(ids.clone()),
        ..Wanted::of(&session, None)
    };
    Ok(perform(&session, &wanted, &clock, &progress, Conduct::default())?.report)
}

fn alive(report: &Report) -> impl Iterator<Item = &Mutant> {
    report.mutants.iter().filter(|mutant| Standing::of(mutant) == Standing::Alive)
}

/// The patch of the report, up to the work tree as it is today unless another head is named.
fn patch(report: &Report, head: Option<&str>) -> PatchArgs {
    let policy = report.policy.path.as_deref().filter(|_| report.policy.source == PolicySource::File);
    PatchArgs {
        base: Some(report.repo.base.clone()),
        head: head.map(str::to_owned),
        policy: policy.map(Into::into),
        ..PatchArgs::default()
    }
}

/// What became of the mutants asked for.
struct Results<'a> {
    asked: &'a BTreeSet<String>,
    report: &'a Report,
    /// Those that do not exist any more, as the earlier report has them.
    lost: Vec<&'a Mutant>,
}

impl Results<'_> {
    fn mutants(&self) -> impl Iterator<Item = &Mutant> {
        self.report.mutants.iter().filter(|mutant| self.asked.contains(&mutant.id))
    }

    fn why_lost(&self, old: &Mutant) -> String {
        let known = self.report.withdrawn.iter().find(|entry| entry.mutant == old.id);
        known.map_or_else(|| gone(old, self.report), |entry| entry.why.clone())
    }

    fn text(&self) -> String {
        let place = |m: &Mutant| format!("{} {}:{}:{} {}", m.id, line(&m.file), m.line, m.column, m.operator);
        let mut out = String::new();
        for mutant in self.mutants() {
            out += &format!("{}: {}\n", place(mutant), self.what(mutant));
        }
        for old in &self.lost {
            out += &format!("{}: withdrawn: {}\n", place(old), self.why_lost(old));
        }
        for test in crate::gate::red(&self.report.tests.baseline) {
            out += &format!("`{}` is not green on the original: {}\n", test.id, test.outcome);
        }
        let red = self.mutants().filter(|mutant| Standing::of(mutant) == Standing::Dead).count();
        out + &format!("{} of {} red now\n", red, count(self.asked.len(), "mutant"))
    }

    fn what(&self, mutant: &Mutant) -> String {
        let tests = |tests: Vec<String>| list(&tests, 3);
        match (Standing::of(mutant), mutant.verdict) {
            (Standing::Dead, _) => {
                let killers = mutant.killed_by.iter().chain(&mutant.historical.killed_by);
                let killers = tests(killers.map(|killer| format!("`{}`", line(&killer.id.to_string()))).collect());
                format!("red on the mutant by {killers}, green on the original")
            }
            (Standing::Alive, _) => {
                let by =
                    tests(mutant.executed_by.iter().map(|test| format!("`{}`", line(&test.to_string()))).collect());
                let by =
                    if by.is_empty() { "no test notices it".to_owned() } else { format!("{by} ran it and passed") };
                format!("still alive: {by}")
            }
            (_, Verdict::Unexecuted) => "still alive: no test of the patch executes it".to_owned(),
            (_, verdict) => {
                let reason = mutant.reason.as_ref().map(|why| format!(": {}", line(why))).unwrap_or_default();
                format!("{verdict}{reason}")
            }
        }
    }

    fn json(&self) -> Result<String> {
        let mutants: Vec<_> = self
            .mutants()
            .map(|m| {
                json!({
                    "id": m.id, "file": m.file, "line": m.line, "column": m.column, "operator": m.operator,
                    "red": Standing::of(m) == Standing::Dead, "verdict": m.verdict, "killed_by": m.killed_by,
                    "executed_by": m.executed_by, "history": m.history, "reason": m.reason,
                })
            })
            .collect();
        let withdrawn: Vec<_> =
            self.lost.iter().map(|old| json!({ "id": old.id, "file": old.file, "why": self.why_lost(old) })).collect();
        let all = json!({ "schema": "hunkmut-rerun/1", "mutants": mutants, "withdrawn": withdrawn,
            "baseline": self.report.tests.baseline });
        Ok(serde_json::to_string_pretty(&all).doing(|| "write the results as JSON".into())? + "\n")
    }

    fn exit(&self) -> Exit {
        let of = |standing| self.mutants().any(|mutant| Standing::of(mutant) == standing);
        if !crate::gate::red(&self.report.tests.baseline).is_empty() {
            Exit::BaselineRed
        } else if of(Standing::Open) {
            Exit::Incomplete
        } else if of(Standing::Alive) || of(Standing::Unknown) || of(Standing::Uncovered) {
            Exit::Block
        } else if of(Standing::Doubtful) || !self.lost.is_empty() {
            Exit::Hold
        } else {
            Exit::Pass
        }
    }
}
