//! Everything that a folder of evidence says, held against everything else in it.

use super::log::{REVERTED, RunRecord, Suite, TestRecord};
use super::manifest;
use super::recompute::Records;
use super::write::{Maps, PlannedLine, RunFile, catalog_of, value};
use crate::cli::args::RunArgs;
use crate::error::{Context, Error, Result};
use crate::freeze::Findings;
use crate::report::model::*;
use crate::report::{atomic, json};
use crate::test_id::TestId;
use camino::Utf8Path;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of a verification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Where the folder contradicts itself, one sentence each; empty when it does not.
    pub problems: Vec<String>,
    /// What cannot be recomputed from it, and is taken as reported.
    pub unchecked: Vec<String>,
}

/// Recomputes hashes, counts, ratio and decisions of a folder from its raw records.
///
/// # Errors
/// When the folder is none, or a file of it cannot be read at all.
pub fn verify(dir: &Utf8Path) -> Result<(Report, Verified)> {
    let mut found = Verified { problems: manifest::check(dir)?, ..Verified::default() };
    for name in super::FILES {
        if !dir.join(name).is_file() {
            found.problems.push(format!("`{name}` is not there"));
        }
    }
    let report = json::read(&dir.join("report.json"))?;
    match Folder::read(dir, &report) {
        Ok(folder) => folder.check(&mut found),
        Err(why) => found.problems.push(why.to_string()),
    }
    found.problems.dedup();
    Ok((report, found))
}

/// The test processes on record in a folder that belongs to the report in this file; `None` when it is of another run, or
/// not whole.
pub fn runs_of(dir: &Utf8Path, report: &Utf8Path) -> Option<Vec<RunRecord>> {
    if !report.is_file() {
        return None;
    }
    let same = std::fs::read(report).ok()? == std::fs::read(dir.join("report.json")).ok()?;
    let whole = same && manifest::check(dir).is_ok_and(|problems| problems.is_empty());
    whole.then(|| lines(dir, "runs.jsonl").ok()).flatten()
}

/// A folder of evidence, read.
pub(super) struct Folder<'a> {
    pub report: &'a Report,
    pub planned: Vec<PlannedLine>,
    pub tests: Vec<TestRecord>,
    pub runs: Vec<RunRecord>,
    pub refused: BTreeMap<String, String>,
    pub scope: Scope,
    pub patch: Vec<u8>,
    pub policy: String,
    pub ledger: String,
    pub head_ledger: String,
    pub findings: Option<Findings>,
    pub maps: Option<Maps>,
    pub catalog: serde_json::Value,
    pub run: RunFile,
    /// The command line of the run.
    pub args: RunArgs,
}

impl<'a> Folder<'a> {
    pub fn read(dir: &Utf8Path, report: &'a Report) -> Result<Folder<'a>> {
        let run: RunFile = whole(dir, "run.json")?;
        let args = crate::cli::run_of(&run.command)
            .ok_or_else(|| Error::new("read the command line in `run.json`", "it is none that judges a patch"))?;
        Ok(Folder {
            report,
            planned: lines(dir, "mutants.jsonl")?,
            tests: lines(dir, "tests.jsonl")?,
            runs: lines(dir, "runs.jsonl")?,
            refused: whole(dir, "refused.json")?,
            scope: whole(dir, "scope.json")?,
            policy: atomic::read(&dir.join("policy.toml"))?,
            patch: atomic::bytes(&dir.join("patch.diff"))?,
            ledger: atomic::read(&dir.join("ledger.toml"))?,
            head_ledger: atomic::read(&dir.join("ledger-head.toml"))?,
            findings: whole(dir, "findings.json")?,
            maps: whole(dir, "killmaps.json")?,
            catalog: whole(dir, "catalog.json")?,
            run,
            args,
        })
    }

    fn check(&self, found: &mut Verified) {
        let engines: BTreeMap<&str, Engine> =
            self.report.mutants.iter().map(|mutant| (mutant.id.as_str(), mutant.engine)).collect();
        let engine = |id: &str| engines.get(id).copied().unwrap_or(Engine::Rebuilt);
        let records = Records::of(&self.runs, &self.tests, &self.refused, &self.run.unbuilt, &engine);
        self.same_everywhere(found);
        self.patch(found);
        self.policy(found);
        self.verdicts(&records, found);
        self.ledger(&records, found);
        self.strangers(found);
        self.tests_in_use(found);
        self.sums(found);
        self.decisions(found);
    }

    /// What stands in two files has to be the same in both.
    fn same_everywhere(&self, found: &mut Verified) {
        let r = self.report;
        let mut same = |what: &str, equal: bool| {
            if !equal {
                found.problems.push(format!("{what} differs between the report and the raw records"));
            }
        };
        same("the scope", self.scope == r.scope);
        same("the catalog", self.catalog == catalog_of(r));
        let as_value = |equal: Result<serde_json::Value>, other: &serde_json::Value| equal.is_ok_and(|v| v == *other);
        same("the tools", as_value(value(&r.tool), &self.run.tool));
        same("the revisions", as_value(value(&r.repo), &self.run.repo));
        same("the cap", as_value(value(&r.cap), &self.run.cap));
        same("the plan", self.planned == r.mutants.iter().map(PlannedLine::of).collect::<Vec<_>>());
    }

    /// Whoever takes a mutant out of the report and the plan leaves its runs behind.
    fn strangers(&self, found: &mut Verified) {
        let known: BTreeSet<&str> = self.planned.iter().map(|mutant| mutant.id.as_str()).chain([REVERTED]).collect();
        let in_runs = self.runs.iter().flat_map(|run| run.mutant.iter().chain(&run.confirms));
        let mentioned = in_runs.chain(self.tests.iter().flat_map(|test| &test.executes)).chain(self.refused.keys());
        let strangers: BTreeSet<&str> = mentioned.map(String::as_str).filter(|id| !known.contains(id)).collect();
        found.problems.extend(strangers.iter().map(|id| format!("{id} is on record and not in the plan")));
        let tests: BTreeSet<&TestId> = self.tests.iter().map(|test| &test.test).collect();
        let strangers: BTreeSet<&TestId> =
            self.runs.iter().map(|run| &run.test).filter(|t| !tests.contains(t)).collect();
        found.problems.extend(strangers.iter().map(|test| format!("`{test}` has runs and no record of its own")));
    }

    fn tests_in_use(&self, found: &mut Verified) {
        let r = self.report;
        let recorded: BTreeMap<&TestId, &TestRecord> =
            self.tests.iter().filter(|t| t.suite == Suite::Delta).map(|test| (&test.test, test)).collect();
        for test in &r.tests.baseline {
            match recorded.get(&test.id) {
                Some(record) if record.outcome == test.outcome && record.runs == test.runs => {}
                Some(_) => found.problems.push(format!("the baseline of `{}` is not the recorded one", test.id)),
                None => found.problems.push(format!("`{}` has a baseline and no record", test.id)),
            }
        }
        let (delta, baseline) = (r.tests.delta.len(), r.tests.baseline.len());
        if recorded.len() != baseline || baseline != 0 && baseline != delta {
            found
                .problems
                .push(format!("{delta} tests in the delta, {baseline} in the baseline, {} on record", recorded.len()));
        }
        for test in r.tests.baseline.iter().filter(|test| !r.tests.delta.iter().any(|delta| delta.id == test.id)) {
            found.problems.push(format!("`{}` has a baseline and is not in the delta", test.id));
        }
        if !r.facts.ended_early && r.facts.tests != delta {
            found.problems.push(format!("{delta} tests in the delta, and {} for the gates", r.facts.tests));
        }
        let killers: BTreeSet<&TestId> = r.mutants.iter().flat_map(|m| &m.killed_by).map(|k| &k.id).collect();
        for test in r.tests.toothless.iter().filter(|test| killers.contains(test)) {
            found.problems.push(format!("`{test}` is called toothless and kills"));
        }
        let quiet = |test: &&DeltaTest| !killers.contains(&test.id) && !r.tests.toothless.contains(&test.id);
        let judged = r.complete && r.counts.killed + r.counts.survived > 0;
        let green = r.tests.baseline.iter().all(|test| test.outcome == BaselineOutcome::Pass);
        if let Some(test) = r.tests.delta.iter().find(quiet).filter(|_| judged && green && baseline > 0) {
            found.problems.push(format!("`{}` kills nothing and is not called toothless", test.id));
        }
    }

    fn sums(&self, found: &mut Verified) {
        let r = self.report;
        let counts = Counts::of(r.mutants.iter().map(|mutant| mutant.verdict));
        if r.facts.carried_over || r.mutants.iter().any(|mutant| !mutant.history.is_empty()) {
            let what =
                "verdicts are taken over from an earlier report: no run does that, and they cannot be recomputed";
            found.problems.push(what.to_owned());
        }
        if counts != r.counts {
            found.problems.push("the counts are not those of the mutants".to_owned());
        }
        if counts.kill_ratio() != r.kill_ratio {
            found.problems.push(format!(
                "the kill ratio is {:?}, the report says {:?}",
                counts.kill_ratio(),
                r.kill_ratio
            ));
        }
        if r.complete && (counts.unverified > 0 || r.facts.ended_early) {
            found.problems.push("the report calls itself complete, and is not".to_owned());
        }
        if r.policy.changed_by_patch == r.facts.policy_changed.is_empty() {
            found.problems.push("whether the patch changes the policy is said in two ways".to_owned());
        }
        if r.tree.clean != (r.tree.before == r.tree.after) {
            found.problems.push("whether the tree is clean is said in two ways".to_owned());
        }
        if r.cap.reached && !r.facts.ended_early {
            found.problems.push("the cap was reached, and the run did not end early".to_owned());
        }
    }
}

fn lines<T: DeserializeOwned>(dir: &Utf8Path, name: &str) -> Result<Vec<T>> {
    let text = atomic::read(&dir.join(name))?;
    text.lines().map(|line| serde_json::from_str(line).doing(|| format!("read a line of `{name}`"))).collect()
}

fn whole<T: DeserializeOwned>(dir: &Utf8Path, name: &str) -> Result<T> {
    serde_json::from_str(&atomic::read(&dir.join(name))?).doing(|| format!("read `{name}`"))
}
