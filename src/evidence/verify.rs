//! Everything that a folder of evidence says, held against everything else in it.

use super::log::{REVERTED, RunRecord, Suite, TestRecord};
use super::manifest;
use super::recompute::Records;
use super::write::{PlannedLine, RunFile, catalog_of, value};
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::gate::{self, Evidence, ratio, zero_survivors};
use crate::ledger;
use crate::policy::Policy;
use crate::report::model::*;
use crate::report::{atomic, json};
use crate::test_id::TestId;
use crate::text::sha256;
use camino::Utf8Path;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};

/// The gate that stands in a report when the user's tree changed during the run; nobody asks for it.
const TREE: &str = "tree";

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

struct Folder<'a> {
    report: &'a Report,
    planned: Vec<PlannedLine>,
    tests: Vec<TestRecord>,
    runs: Vec<RunRecord>,
    refused: BTreeMap<String, String>,
    scope: Scope,
    policy: String,
    ledger: String,
    catalog: serde_json::Value,
    run: RunFile,
}

impl<'a> Folder<'a> {
    fn read(dir: &Utf8Path, report: &'a Report) -> Result<Folder<'a>> {
        Ok(Folder {
            report,
            planned: lines(dir, "mutants.jsonl")?,
            tests: lines(dir, "tests.jsonl")?,
            runs: lines(dir, "runs.jsonl")?,
            refused: whole(dir, "refused.json")?,
            scope: whole(dir, "scope.json")?,
            policy: atomic::read(&dir.join("policy.toml"))?,
            ledger: atomic::read(&dir.join("ledger.toml"))?,
            catalog: whole(dir, "catalog.json")?,
            run: whole(dir, "run.json")?,
        })
    }

    fn check(&self, found: &mut Verified) {
        self.same_everywhere(found);
        self.policy(found);
        self.ledger(found);
        self.verdicts(found);
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

    fn policy(&self, found: &mut Verified) {
        if sha256(&self.policy) != self.report.policy.sha256 {
            found.problems.push("the policy is not the one that the report names".to_owned());
        }
        let policy = match Policy::parse(&self.policy, "policy.toml") {
            Ok(policy) => policy,
            Err(why) => return found.problems.push(why.to_string()),
        };
        for floor in &self.report.facts.floors {
            if policy.floor_for(&floor.file) != floor.percent {
                found.problems.push(format!("the floor of `{}` is not the policy's", floor.file));
            }
        }
        if self.report.facts.reverted_survives != policy.reverted_survives {
            found.problems.push("`reverted-survives` is not the policy's".to_owned());
        }
        let given = gates_of(&self.run.command);
        let wanted: BTreeSet<&str> = match given.is_empty() {
            true => policy.gates.iter().map(|gate| gate.as_str()).collect(),
            false => given.into_iter().collect(),
        };
        if wanted != self.run.gates.iter().map(String::as_str).collect() {
            found.problems.push("the gates asked are not those of the policy or the command line".to_owned());
        }
    }

    fn ledger(&self, found: &mut Verified) {
        let r = self.report;
        if sha256(&self.ledger) != r.ledger.sha256 {
            found.problems.push("the ledger is not the one that the report names".to_owned());
        }
        let entries = match ledger::parse(&self.ledger, "ledger.toml") {
            Ok(entries) => entries,
            Err(why) => return found.problems.push(why.to_string()),
        };
        let items = r.mutants.iter().map(|mutant| (mutant.id.as_str(), mutant.item.as_str())).collect();
        let Ok(day) = self.run.day.parse() else {
            return found.problems.push(format!("`{}` is no day", self.run.day));
        };
        let held = ledger::hold(&ledger::Entries { old: entries, new: Vec::new() }, &items, day, false);
        for mutant in r.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Excused) {
            if !r.ledger.excused.contains(&mutant.id) {
                found.problems.push(format!("{} is excused, but no entry is said to hold for it", mutant.id));
            }
        }
        for id in &r.ledger.excused {
            let reviewed = held.excused.contains_key(id);
            if !reviewed && !r.facts.new_excusals.contains(id) {
                found.problems.push(format!("no entry of the ledger holds for {id}"));
            }
        }
    }

    fn verdicts(&self, found: &mut Verified) {
        let engines: BTreeMap<&str, Engine> =
            self.report.mutants.iter().map(|mutant| (mutant.id.as_str(), mutant.engine)).collect();
        let engine = |id: &str| engines.get(id).copied().unwrap_or(Engine::Rebuilt);
        let mut resumed = 0;
        let records = Records::of(&self.runs, &self.tests, &self.refused, &engine);
        for mutant in &self.report.mutants {
            if !mutant.history.is_empty() || self.report.facts.carried_over {
                // Only a part was run today.
                continue;
            }
            let is = records.verdict(Suite::Delta, &mutant.id, mutant.engine);
            if self.report.facts.resumed && !records.has_runs(Suite::Delta, &mutant.id) {
                resumed += 1;
                continue;
            }
            let reported = if mutant.verdict == Verdict::Excused { Verdict::Survived } else { mutant.verdict };
            let dead = |verdict| matches!(verdict, Verdict::Killed | Verdict::Timeout);
            let first = mutant.killed_by.first().and_then(|killer| is.killers.get(&killer.id));
            let agrees = match (reported, is.verdict) {
                // A test that came later may kill by itself what the first one only exceeded a limit on.
                (Verdict::Timeout, other) if dead(other) => matches!(first, Some(Some(_))),
                (one, other) => one == other || self.excused_elsewhere(mutant, other),
            };
            if !agrees {
                let id = &mutant.id;
                found.problems.push(format!("{id} is reported as {reported}, its runs make it {}", is.verdict));
            }
            let killers: BTreeSet<&TestId> = mutant.killed_by.iter().map(|killer| &killer.id).collect();
            if killers != is.killers.keys().collect() {
                found.problems.push(format!("the killers of {} are not those of its runs", mutant.id));
            }
            let executing = records.executing(Suite::Delta, &mutant.id);
            let reported: BTreeSet<TestId> = mutant.executed_by.iter().cloned().collect();
            if mutant.engine == Engine::Woven && mutant.verdict != Verdict::Invalid && executing != reported {
                found.problems.push(format!("the tests that execute {} are not those of the trace", mutant.id));
            }
            self.historical(mutant, &records, found);
        }
        if resumed > 0 {
            found
                .unchecked
                .push(format!("{resumed} verdicts were taken over by `--resume`: their runs are not on record"));
        }
        if self.report.facts.resumed && !self.run.command.iter().any(|word| word == "--resume") {
            found.problems.push("verdicts were taken over, and the command line does not say so".to_owned());
        }
        let reverted = records.verdict(Suite::Delta, REVERTED, Engine::Rebuilt).verdict;
        let agrees = match self.report.reverted.verdict {
            RevertedVerdict::Killed if records.has_runs(Suite::Delta, REVERTED) => {
                matches!(reverted, Verdict::Killed | Verdict::Timeout)
            }
            RevertedVerdict::Survived if records.has_runs(Suite::Delta, REVERTED) => reverted == Verdict::Survived,
            // Without runs it is a mutant's own text, or no test executes it.
            RevertedVerdict::Killed
            | RevertedVerdict::Survived
            | RevertedVerdict::Invalid
            | RevertedVerdict::NotRun => true,
        };
        if !agrees && !self.report.facts.carried_over {
            found.problems.push("what is said of the patch taken back is not what its runs say".to_owned());
        }
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

    /// An excused mutant that the patch's tests do not execute and historical ones let live.
    fn excused_elsewhere(&self, mutant: &Mutant, is: Verdict) -> bool {
        let alive = mutant.historical.verdict == HistoricalVerdict::Survived;
        mutant.verdict == Verdict::Excused && is == Verdict::Unexecuted && alive
    }

    fn historical(&self, mutant: &Mutant, records: &Records<'_>, found: &mut Verified) {
        let is = records.verdict(Suite::Historical, &mutant.id, mutant.engine);
        let dead = matches!(is.verdict, Verdict::Killed | Verdict::Timeout);
        let ran = records.has_runs(Suite::Historical, &mutant.id);
        let agrees = match mutant.historical.verdict {
            HistoricalVerdict::Killed => dead,
            HistoricalVerdict::Survived => ran && !dead,
            HistoricalVerdict::Unexecuted => records.executing(Suite::Historical, &mutant.id).is_empty() && !ran,
            HistoricalVerdict::NotRun => !dead,
        };
        if !agrees {
            found.problems.push(format!("what historical tests make of {} is not what their runs say", mutant.id));
        }
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
        let judged = r.complete && !r.facts.carried_over && r.counts.killed + r.counts.survived > 0;
        let green = r.tests.baseline.iter().all(|test| test.outcome == BaselineOutcome::Pass);
        if let Some(test) = r.tests.delta.iter().find(quiet).filter(|_| judged && green && baseline > 0) {
            found.problems.push(format!("`{}` kills nothing and is not called toothless", test.id));
        }
    }

    fn sums(&self, found: &mut Verified) {
        let r = self.report;
        let counts = Counts::of(r.mutants.iter().map(|mutant| mutant.verdict));
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

    fn decisions(&self, found: &mut Verified) {
        let r = self.report;
        let names: Vec<&str> = self.run.gates.iter().map(String::as_str).collect();
        let (gates, red) = Evidence::of(r).judge(&names);
        for gate in &gates {
            match r.gates.iter().find(|reported| reported.name == gate.name) {
                Some(reported) if reported == gate => {}
                Some(reported) if reported.decision == gate.decision => {
                    found.problems.push(format!("the gate `{}` gives other reasons than its inputs do", gate.name));
                }
                Some(reported) => {
                    let (name, said, is) = (&gate.name, reported.decision, gate.decision);
                    found.problems.push(format!("the gate `{name}` says {said}, its inputs make it {is}"));
                }
                None => found.problems.push(format!("the gate `{}` was asked and is not in the report", gate.name)),
            }
        }
        let own = [ratio::NAME, zero_survivors::NAME];
        for gate in &r.gates {
            let name = gate.name.as_str();
            let known = own.contains(&name) || name == TREE;
            if !names.contains(&name) && name != TREE {
                found.problems.push(format!("the gate `{name}` is in the report and was not asked"));
            } else if !known {
                found.unchecked.push(format!("the gate `{name}` is taken as reported: {}", gate.decision));
            }
        }
        let lost = names.iter().filter(|name| !r.gates.iter().any(|gate| gate.name == **name));
        for name in lost.filter(|name| !own.contains(name)) {
            found.unchecked.push(format!("the gate `{name}` was asked, and this version could not judge by it"));
        }
        let tree = r.gates.iter().any(|gate| gate.name == TREE && gate.decision == GateDecision::Hold);
        if tree == r.tree.clean {
            found
                .problems
                .push("the work tree changed during the run, and no gate says so, or the other way round".to_owned());
        }
        let decision = gate::overall(&r.gates, red);
        if decision != r.decision {
            found.problems.push(format!("the decision is {}, the gates make it {decision}", r.decision));
        }
        if Exit::of(r.decision).code() != r.exit_code {
            found.problems.push(format!("the exit code {} does not belong to `{}`", r.exit_code, r.decision));
        }
        if r.decision == Decision::Pass && !r.complete {
            found.problems.push("an incomplete report says pass".to_owned());
        }
    }
}

/// The gates that a command line names.
fn gates_of(command: &[String]) -> Vec<&str> {
    let mut words = command.iter().map(String::as_str);
    let mut gates = Vec::new();
    while let Some(word) = words.next() {
        if word == "--gate" {
            gates.extend(words.next());
        } else if let Some(gate) = word.strip_prefix("--gate=") {
            gates.push(gate);
        }
    }
    gates
}

fn lines<T: DeserializeOwned>(dir: &Utf8Path, name: &str) -> Result<Vec<T>> {
    let text = atomic::read(&dir.join(name))?;
    text.lines().map(|line| serde_json::from_str(line).doing(|| format!("read a line of `{name}`"))).collect()
}

fn whole<T: DeserializeOwned>(dir: &Utf8Path, name: &str) -> Result<T> {
    serde_json::from_str(&atomic::read(&dir.join(name))?).doing(|| format!("read `{name}`"))
}
