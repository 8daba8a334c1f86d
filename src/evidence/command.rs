//! `cargo hunkmut verify`.

use super::verify;
use crate::cli::args::{MessageFormat, VerifyArgs};
use crate::error::{Context, Error, Result};
use crate::exit::Exit;
use crate::report::model::{HistoricalVerdict, Mutant, Report, Verdict};
use crate::report::stdout;
use crate::report::text::{count, line};
use crate::text::sha256;
use serde_json::json;
use std::collections::BTreeSet;

/// Verifies a folder of evidence and prints where it contradicts itself. With `--rerun N` executes N mutants again.
///
/// # Errors
/// When the folder cannot be read; with `--rerun` whatever keeps a verdict from being reached.
pub fn run(args: &VerifyArgs) -> Result<Exit> {
    let (report, mut found) = verify(&args.dir)?;
    if found.problems.is_empty() {
        match super::repository::against(&args.dir, &report, &args.cargo) {
            Ok(problems) => found.problems.extend(problems),
            Err(why) => found.unchecked.push(format!("what follows from the repository: {why}")),
        }
    }
    let mut again = Vec::new();
    if let Some(n) = args.rerun.filter(|_| found.problems.is_empty()) {
        let ids = sample(&report, n, &args.dir.join(super::manifest::NAME))?;
        let today = crate::run::again(&report, &ids, &args.cargo, &args.output)?;
        again = compare(&report, &today, &ids);
        found.problems.extend(again.iter().filter_map(|(id, said)| Some(format!("{id}: {}", said.as_ref()?))));
    }
    let gates: Vec<String> = report.gates.iter().map(|gate| format!("{} {}", gate.name, gate.decision)).collect();
    let text = match args.output.message_format {
        MessageFormat::Json => {
            let all = json!({ "schema": "hunkmut-verify/1", "holds": found.problems.is_empty(),
                "problems": found.problems, "unchecked": found.unchecked, "reran": again.len(),
                "decision": report.decision });
            serde_json::to_string_pretty(&all).doing(|| "write the result as JSON".into())? + "\n"
        }
        _ => {
            let mut text: String =
                found.problems.iter().map(|problem| format!("differs: {}\n", line(problem))).collect();
            text.extend(found.unchecked.iter().map(|what| format!("not recomputed: {}\n", line(what))));
            if args.rerun.is_some() && found.problems.is_empty() {
                text += &format!("{} run again, all with the same verdict\n", count(again.len(), "mutant"));
            }
            text += &match found.problems.len() {
                0 => format!(
                    "verified: hashes, counts, ratio and decision ({}) follow from the raw records of {}; gates: {}\n",
                    report.decision,
                    count(report.mutants.len(), "mutant"),
                    gates.join(", ")
                ),
                n => format!("not verified: {}\n", count(n, "contradiction")),
            };
            text
        }
    };
    stdout::print(&text, false)?;
    Ok(if found.problems.is_empty() { Exit::Pass } else { Exit::Block })
}

/// `n` of the mutants that have a verdict to repeat, drawn by chance: the time and the folder decide which.
fn sample(report: &Report, n: usize, manifest: &camino::Utf8Path) -> Result<BTreeSet<String>> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let salt = format!("{now}{}", crate::report::atomic::read(manifest)?);
    let mut found: Vec<&Mutant> = report.mutants.iter().filter(|mutant| class(mutant.verdict).is_some()).collect();
    if found.is_empty() {
        return Err(Error::new("run mutants again", "the report has none with a verdict that can be repeated"));
    }
    found.sort_by_key(|mutant| sha256(format!("{salt}{}", mutant.id)));
    Ok(found.into_iter().take(n).map(|mutant| mutant.id.clone()).collect())
}

/// What has to come out alike: how a dead mutant dies may vary with the machine's speed.
fn class(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Killed | Verdict::Timeout => Some("dead"),
        Verdict::Survived | Verdict::Unexecuted | Verdict::Excused => Some("alive"),
        Verdict::Invalid => Some("invalid"),
        Verdict::Flaky | Verdict::Unverified => None,
    }
}

/// Dead or alive, and executed or not: some gates block on the one and overlook the other. An excusal says neither.
fn is_alike(old: Verdict, new: Verdict) -> bool {
    let other = |one, two| old == one && new == two || old == two && new == one;
    class(old) == class(new) && !other(Verdict::Survived, Verdict::Unexecuted)
}

/// For each mutant, what differs.
fn compare(before: &Report, today: &Report, ids: &BTreeSet<String>) -> Vec<(String, Option<String>)> {
    let of = |report: &Report, id: &str| report.mutants.iter().find(|mutant| mutant.id == id).cloned();
    ids.iter()
        .map(|id| {
            let differs = match (of(before, id), of(today, id)) {
                (Some(old), Some(new)) if !is_alike(old.verdict, new.verdict) => {
                    Some(format!("{} in the report, {} when run again", old.verdict, new.verdict))
                }
                (Some(old), Some(new)) if !same_elsewhere(old.historical.verdict, new.historical.verdict) => {
                    let (old, new) = (old.historical.verdict, new.historical.verdict);
                    Some(format!("{old} by historical tests in the report, {new} when run again"))
                }
                (Some(_), Some(_)) => None,
                (Some(one), None) | (None, Some(one)) => {
                    Some(format!("{} in the report, and there is no such mutant here", one.verdict))
                }
                (None, None) => Some("there is no such mutant".to_owned()),
            };
            (id.clone(), differs)
        })
        .collect()
}

/// Whether historical tests make the same of a mutant, where both times they were asked.
fn same_elsewhere(old: HistoricalVerdict, new: HistoricalVerdict) -> bool {
    let is_open = |verdict| verdict == HistoricalVerdict::NotRun;
    is_open(old) || is_open(new) || old == new
}
