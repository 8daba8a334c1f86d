//! All shares of a run, made into the report that one machine would have written.
//!
//! Fails closed: shares of different questions, a missing share or one that is there twice, a mutant that two have judged
//! or that belongs to none are refused by name. Nothing that can be computed from the union is taken over from a share:
//! counts, ratio, toothless tests, ranges, gates and decision are made anew.

use crate::exit::Exit;
use crate::gate::{self, ratio, zero_survivors};
use crate::report::model::*;
use crate::run::coverage;
use crate::test_id::TestId;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The whole of some shares, which are given with a name each, in any order.
///
/// # Errors
/// Why they make no whole, one sentence each.
pub fn merge(mut shares: Vec<(String, Report)>) -> Result<Report, Vec<String>> {
    let mut objections = Vec::new();
    for (name, report) in &shares {
        if report.shard.is_none() {
            objections.push(format!("`{name}` is no report of a shard"));
        }
    }
    if !objections.is_empty() || shares.is_empty() {
        objections.extend(shares.is_empty().then(|| "there is no report".to_owned()));
        return Err(objections);
    }
    shares.sort_by_key(|(_, report)| report.shard.as_ref().map(|shard| shard.index));
    objections.extend(gaps(&shares));
    objections.extend(differences(&shares));
    if objections.is_empty() {
        objections.extend(overlaps(&shares));
    }
    let gates = other_gates(&shares).map_err(|why| objections.extend(why)).unwrap_or_default();
    if !objections.is_empty() {
        return Err(objections);
    }
    Ok(whole(shares.into_iter().map(|(_, report)| report).collect(), gates))
}

fn shard(report: &Report) -> &Shard {
    report.shard.as_ref().expect("every share was asked for its number first")
}

/// Shares that are missing or there twice.
fn gaps(shares: &[(String, Report)]) -> Vec<String> {
    let count = shard(&shares[0].1).count;
    let mut by_index: BTreeMap<u32, Vec<&str>> = (1..=count.min(10_000)).map(|index| (index, Vec::new())).collect();
    for (name, report) in shares {
        by_index.entry(shard(report).index).or_default().push(name);
    }
    let said = by_index.iter().filter_map(|(index, names)| match names[..] {
        [] => Some(format!("shard {index} of {count} is missing")),
        [_] if *index >= 1 && *index <= count => None,
        [one] => Some(format!("`{one}` is shard {index} of {count}")),
        [one, other, ..] => Some(format!("`{one}` and `{other}` are both shard {index}")),
    });
    said.collect()
}

/// What has to be the same in all shares, by a name that a person understands.
fn inputs(report: &Report) -> Vec<(&'static str, Value)> {
    let facts = &report.facts;
    let mutants: Vec<Value> = report
        .mutants
        .iter()
        .map(|m| json!([m.id, m.operator, m.file, m.start_byte, m.end_byte, m.original, m.replacement, m.item]))
        .collect();
    let baseline: Vec<&TestId> = report.tests.baseline.iter().map(|test| &test.id).collect();
    vec![
        ("how many shards there are", json!(shard(report).count)),
        ("which mutant belongs to which shard", json!(shard(report).split)),
        ("the gates", json!(shard(report).gates)),
        ("the program or its tools", json!(report.tool)),
        ("the catalog", json!(report.catalog)),
        ("base and head", json!(report.repo)),
        ("the policy", json!(report.policy)),
        ("the changed lines", json!(report.scope)),
        ("the mutants", json!(mutants)),
        ("the ledger", json!([report.ledger.path, report.ledger.sha256])),
        (
            "what the gates look at",
            json!([
                facts.deletions_only,
                facts.policy_changed,
                facts.attributes_changed,
                facts.floors,
                facts.reverted_survives,
                facts.carried_over,
            ]),
        ),
        ("the tests of the patch", json!([report.tests.delta, facts.tests, facts.test_side_changed, facts.unlisted])),
        ("the tests in use", json!(baseline)),
    ]
}

fn differences(shares: &[(String, Report)]) -> Vec<String> {
    let (first, rest) = shares.split_first().expect("there is a share");
    let wanted = inputs(&first.1);
    let mut found = Vec::new();
    for (name, report) in rest {
        // A share that ended before it knew its tests says nothing about them; it leaves its mutants unverified.
        let unknowing = |what: &str| what.starts_with("the tests") && (early(report) || early(&first.1));
        for ((what, wanted), (_, is)) in wanted.iter().zip(inputs(report)) {
            if *wanted != is && !unknowing(what) {
                found.push(format!("{what} of `{name}` differ from those of `{}`", first.0));
            }
        }
    }
    found
}

fn early(report: &Report) -> bool {
    report.facts.ended_early && report.tests.baseline.is_empty()
}

/// Mutants of no share or of two, and verdicts of a share that is not the mutant's.
fn overlaps(shares: &[(String, Report)]) -> Vec<String> {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, report) in shares {
        for id in &shard(report).mutants {
            owners.entry(id).or_default().push(name);
        }
    }
    let mut found = Vec::new();
    for mutant in &shares[0].1.mutants {
        match owners.remove(mutant.id.as_str()).as_deref() {
            Some([_]) => {}
            None | Some([]) => found.push(format!("{} belongs to no shard", mutant.id)),
            Some([one, other, ..]) => found.push(format!("{} belongs to `{one}` and to `{other}`", mutant.id)),
        }
    }
    found.extend(owners.keys().map(|id| format!("there is no mutant {id}")));
    for (name, report) in shares {
        let mine: BTreeSet<&str> = shard(report).mutants.iter().map(String::as_str).collect();
        let foreign = |m: &&Mutant| !mine.contains(m.id.as_str()) && m.verdict != Verdict::Unverified;
        found.extend(
            report
                .mutants
                .iter()
                .filter(foreign)
                .map(|m| format!("`{name}` has judged {}, which belongs to another shard", m.id)),
        );
    }
    found
}

/// The gates that do not judge by the mutants of a share: those of one share alone, or the same in all. What became of the
/// work trees is everybody's own.
fn other_gates(shares: &[(String, Report)]) -> Result<Vec<Gate>, Vec<String>> {
    let mut gates: Vec<(&str, Gate)> = Vec::new();
    let mut found = Vec::new();
    for (name, report) in shares {
        let judged = [ratio::NAME, zero_survivors::NAME, super::GATE];
        for gate in report.gates.iter().filter(|gate| !judged.contains(&gate.name.as_str())) {
            match gates.iter().find(|(_, known)| known.name == gate.name) {
                Some((_, known)) if known == gate => {}
                Some(_) if gate.name == TREE => gates.push((name, gate.clone())),
                Some((other, _)) => found.push(format!("the gate `{}` differs in `{other}` and `{name}`", gate.name)),
                None => gates.push((name, gate.clone())),
            }
        }
    }
    let asked = &shard(&shares[0].1).gates;
    let by_mutants = [ratio::NAME, zero_survivors::NAME];
    let open = asked
        .iter()
        .filter(|name| !by_mutants.contains(&name.as_str()) && !gates.iter().any(|(_, gate)| gate.name == **name));
    found.extend(open.map(|name| format!("no shard has asked the gate `{name}`")));
    match found.is_empty() {
        true => Ok(gates.into_iter().map(|(_, gate)| gate).collect()),
        false => Err(found),
    }
}

/// The gate about the work tree.
const TREE: &str = "tree";

/// The union; `others` are the gates that do not judge by mutants.
fn whole(shares: Vec<Report>, others: Vec<Gate>) -> Report {
    let mut merged = shares[0].clone();
    let asked = shard(&merged).gates.clone();
    let mut own: BTreeMap<String, Mutant> = BTreeMap::new();
    for report in &shares {
        let mine: BTreeSet<&str> = shard(report).mutants.iter().map(String::as_str).collect();
        let judged = report.mutants.iter().filter(|mutant| mine.contains(mutant.id.as_str()));
        own.extend(judged.map(|mutant| (mutant.id.clone(), mutant.clone())));
    }
    for mutant in &mut merged.mutants {
        if let Some(judged) = own.remove(&mutant.id) {
            *mutant = judged;
        }
    }
    tests(&mut merged, &shares);
    let any = |of: &dyn Fn(&Report) -> bool| shares.iter().any(of);
    merged.facts.ended_early = any(&|report| report.facts.ended_early);
    merged.facts.resumed = any(&|report| report.facts.resumed);
    merged.facts.recalled = shares.iter().map(|report| report.facts.recalled).sum();
    merged.facts.reused = shares.iter().map(|report| report.facts.reused).sum();
    merged.facts.new_excusals = union(&shares, |report| &report.facts.new_excusals);
    merged.facts.new_excusals.sort();
    merged.ledger.excused = union(&shares, |report| &report.ledger.excused);
    merged.ledger.excused.sort();
    merged.ledger.problems = union(&shares, |report| &report.ledger.problems);
    merged.notes = union(&shares, |report| &report.notes);
    merged.notes.push(format!("merged from the reports of {} shards", shares.len()));
    merged.withdrawn.clear();
    merged.timings_ms = slowest(&shares);
    merged.tree.clean = shares.iter().all(|report| report.tree.clean);
    if let Some(changed) = shares.iter().find(|report| !report.tree.clean) {
        merged.tree = changed.tree.clone();
    }
    merged.cap.reached = any(&|report| report.cap.reached);
    merged.cap.seconds = shares.iter().filter_map(|report| report.cap.seconds).max_by(f64::total_cmp);
    (merged.cap.ran, merged.cap.cut) = coverage(&merged.scope.ranges, &merged.mutants);
    merged.counts = Counts::of(merged.mutants.iter().map(|mutant| mutant.verdict));
    merged.kill_ratio = merged.counts.kill_ratio();
    merged.complete = merged.counts.unverified == 0 && !merged.facts.ended_early;
    merged.shard = None;
    merged.gates = others.clone();
    let names: Vec<&str> = asked.iter().map(String::as_str).collect();
    let (mut gates, red) = gate::Evidence::of(&merged).judge(&names);
    gates.extend(others);
    merged.decision = gate::overall(&gates, red);
    merged.exit_code = Exit::of(merged.decision).code();
    merged.gates = gates;
    merged
}

/// The tests: as green as in the worst share, toothless where no share has found teeth.
fn tests(merged: &mut Report, shares: &[Report]) {
    // The first share may have ended before it knew them.
    if let Some(knowing) = shares.iter().find(|report| !early(report)) {
        merged.tests = knowing.tests.clone();
        merged.facts.tests = knowing.facts.tests;
        merged.facts.test_side_changed = knowing.facts.test_side_changed;
        merged.facts.unlisted = knowing.facts.unlisted;
    }
    for test in &mut merged.tests.baseline {
        let others = shares.iter().flat_map(|report| &report.tests.baseline).filter(|other| other.id == test.id);
        for other in others {
            test.outcome = worse(test.outcome, other.outcome);
            test.duration_ms = test.duration_ms.max(other.duration_ms);
        }
    }
    let toothless = |test: &TestId| shares.iter().all(|report| report.tests.toothless.contains(test));
    merged.tests.toothless.retain(toothless);
}

/// A test that is green here and not there is flaky.
fn worse(one: BaselineOutcome, other: BaselineOutcome) -> BaselineOutcome {
    if one == other { one } else { BaselineOutcome::Flaky }
}

/// What any share says, once, in the shares' order.
fn union(shares: &[Report], of: impl Fn(&Report) -> &Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for entry in shares.iter().flat_map(of) {
        if !all.contains(entry) {
            all.push(entry.clone());
        }
    }
    all
}

/// Machines work beside each other: of every phase the longest.
fn slowest(shares: &[Report]) -> Timings {
    let of = |field: fn(&Timings) -> f64| shares.iter().map(|report| field(&report.timings_ms)).fold(0.0, f64::max);
    Timings {
        scope: of(|t| t.scope),
        plan: of(|t| t.plan),
        build: of(|t| t.build),
        baseline: of(|t| t.baseline),
        mutants: of(|t| t.mutants),
        report: of(|t| t.report),
        total: of(|t| t.total),
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod unit;
