//! The folder of a run, written in one go at its end.

use super::log::{Log, RevertedBy};
use super::manifest;
use crate::catalog;
use crate::error::{Context, Error, Result};
use crate::freeze::Findings;
use crate::killmap::model::KillMap;
use crate::report::json::Json;
use crate::report::model::{Engine, Mutant, Report};
use crate::report::{Format, atomic};
use crate::text::sha256;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// What surrounds a run and stands in no report.
#[derive(Debug, Clone)]
pub struct Surroundings<'a> {
    /// The patch as git prints it.
    pub patch: &'a [u8],
    /// The policy's text.
    pub policy: &'a str,
    /// The ledger's text at the merge base.
    pub ledger: &'a str,
    /// The ledger's text at the head.
    pub head_ledger: &'a str,
    /// `Cargo.lock` of the head; empty when there is none.
    pub lockfile: &'a [u8],
    /// The gates asked, by name.
    pub gates: Vec<String>,
    /// The day by which excusals expire.
    pub day: String,
    /// What the patch did to the tests, when a gate looked.
    pub findings: Option<&'a Findings>,
    /// The kill maps of base and head, or why there is none, when the gate `kill-map` was asked.
    pub maps: Option<(std::result::Result<KillMap, String>, std::result::Result<KillMap, String>)>,
}

/// `killmaps.json`: both sides of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Maps {
    pub base: Side,
    pub head: Side,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    /// Its map.
    Map(Box<KillMap>),
    /// Why there is none.
    Fault(String),
}

impl Side {
    fn of(map: std::result::Result<KillMap, String>) -> Side {
        map.map_or_else(Side::Fault, |map| Side::Map(Box::new(map)))
    }

    pub fn map(&self) -> std::result::Result<&KillMap, String> {
        match self {
            Side::Map(map) => Ok(map),
            Side::Fault(why) => Err(why.clone()),
        }
    }
}

/// `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunFile {
    pub command: Vec<String>,
    pub gates: Vec<String>,
    pub day: String,
    pub tool: serde_json::Value,
    pub os: String,
    pub lockfile_sha256: String,
    pub repo: serde_json::Value,
    pub cap: serde_json::Value,
    /// How many historical tests there are; `null` when they were not asked.
    pub historical_tests: Option<usize>,
    /// Where the verdict on the reverted patch comes from; `null` when it was not tried.
    pub reverted_by: Option<RevertedBy>,
    /// Mutants that are compiled alone, in code that the patch's tests are built without: none was shown to them.
    pub unbuilt: BTreeSet<String>,
}

/// A mutant of the plan: everything of it that is no verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedLine {
    pub id: String,
    pub operator: String,
    pub file: String,
    pub function: String,
    pub line: u32,
    pub start_byte: usize,
    pub end_byte: usize,
    pub original: String,
    pub replacement: String,
    pub engine: Engine,
    pub item: String,
}

impl PlannedLine {
    pub fn of(mutant: &Mutant) -> PlannedLine {
        PlannedLine {
            id: mutant.id.clone(),
            operator: mutant.operator.clone(),
            file: mutant.file.clone(),
            function: mutant.function.clone(),
            line: mutant.line,
            start_byte: mutant.start_byte,
            end_byte: mutant.end_byte,
            original: mutant.original.clone(),
            replacement: mutant.replacement.clone(),
            engine: mutant.engine,
            item: mutant.item.clone(),
        }
    }
}

/// Writes the evidence of a run, in place of an earlier one's.
///
/// # Errors
/// When the folder cannot be written.
pub fn write(dir: &Utf8Path, report: &Report, log: &Log, around: &Surroundings<'_>) -> Result<()> {
    clear(dir)?;
    let file = |name: &str, bytes: &[u8]| atomic::write(&dir.join(name), bytes);
    file("report.json", Json.render(report, &|_| None).as_bytes())?;
    file("patch.diff", around.patch)?;
    file("scope.json", pretty(&report.scope)?.as_bytes())?;
    file("mutants.jsonl", lines(report.mutants.iter().map(PlannedLine::of))?.as_bytes())?;
    file("tests.jsonl", lines(log.recorded_tests())?.as_bytes())?;
    file("runs.jsonl", lines(log.runs())?.as_bytes())?;
    file("refused.json", pretty(&log.refusals())?.as_bytes())?;
    file("policy.toml", around.policy.as_bytes())?;
    file("ledger.toml", around.ledger.as_bytes())?;
    file("ledger-head.toml", around.head_ledger.as_bytes())?;
    file("findings.json", pretty(&around.findings)?.as_bytes())?;
    let maps = around.maps.clone().map(|(base, head)| Maps { base: Side::of(base), head: Side::of(head) });
    file("killmaps.json", pretty(&maps)?.as_bytes())?;
    file("catalog.json", pretty(&catalog_of(report))?.as_bytes())?;
    let run = RunFile {
        command: std::env::args().skip(1).collect(),
        gates: around.gates.clone(),
        day: around.day.clone(),
        tool: value(&report.tool)?,
        os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        lockfile_sha256: sha256(around.lockfile),
        repo: value(&report.repo)?,
        cap: value(&report.cap)?,
        historical_tests: log.historical_tests(),
        reverted_by: log.reversal(),
        unbuilt: log.all_unbuilt(),
    };
    file("run.json", pretty(&run)?.as_bytes())?;
    manifest::write(dir)
}

pub(super) fn catalog_of(report: &Report) -> serde_json::Value {
    let summaries = report.catalog.operators.iter().map(|name| {
        let summary = catalog::operator(name).map(|operator| operator.summary);
        json!({ "name": name, "summary": summary })
    });
    json!({ "name": report.catalog.name, "sha256": report.catalog.sha256, "operators": summaries.collect::<Vec<_>>() })
}

/// Asks before the run whether its evidence can go into a folder: one that is not there yet, or that holds nothing but
/// an earlier run's. Somebody may have named another by mistake.
///
/// # Errors
/// When it holds anything else, or cannot be looked into.
pub fn claim(dir: &Utf8Path) -> Result<()> {
    let doing = || format!("leave evidence in `{dir}`");
    if !dir.exists() {
        return Ok(());
    }
    for entry in dir.read_dir_utf8().doing(doing)? {
        let entry = entry.doing(doing)?;
        let name = entry.file_name();
        if name != manifest::NAME && !super::FILES.contains(&name) {
            return Err(Error::new(doing(), format!("it holds `{name}`, which is none"))
                .hint("name a folder of its own, which need not exist"));
        }
    }
    Ok(())
}

/// Takes an earlier run's files away.
fn clear(dir: &Utf8Path) -> Result<()> {
    for name in super::FILES.iter().chain([&manifest::NAME]) {
        let path = dir.join(name);
        if path.exists() {
            std::fs::remove_file(&path).doing(|| format!("replace `{path}`"))?;
        }
    }
    Ok(())
}

fn pretty(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(value).doing(|| "write evidence as JSON".into())? + "\n")
}

pub(super) fn value(value: &impl Serialize) -> Result<serde_json::Value> {
    serde_json::to_value(value).doing(|| "write evidence as JSON".into())
}

fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Result<String> {
    let mut text = String::new();
    for value in values {
        text += &serde_json::to_string(&value).doing(|| "write evidence as JSON".into())?;
        text.push('\n');
    }
    Ok(text)
}
