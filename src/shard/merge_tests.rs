use super::super::{Share, mark, part};
use super::*;
use crate::report::sample;

const COUNT: u32 = 3;

/// A whole report whose gates follow from it, by one machine.
fn one_machine() -> Report {
    let mut report = sample::report();
    let mut seen = BTreeSet::new();
    report.mutants.retain(|mutant| mutant.verdict != Verdict::Unverified && seen.insert(mutant.id.clone()));
    report.counts = Counts::of(report.mutants.iter().map(|mutant| mutant.verdict));
    report.kill_ratio = report.counts.kill_ratio();
    report.complete = true;
    report.facts.tests = report.tests.delta.len();
    report.withdrawn.clear();
    report.tests.baseline.iter_mut().for_each(|test| test.outcome = BaselineOutcome::Pass);
    (report.cap.ran, report.cap.cut) = coverage(&report.scope.ranges, &report.mutants);
    report.gates.clear();
    let (gates, red) = gate::Evidence::of(&report).judge(&["ratio"]);
    report.decision = gate::overall(&gates, red);
    report.exit_code = Exit::of(report.decision).code();
    report.gates = gates;
    report
}

/// The same by several.
fn shares() -> Vec<(String, Report)> {
    let whole = one_machine();
    let ids: Vec<&str> = whole.mutants.iter().map(|mutant| mutant.id.as_str()).collect();
    let of = |index| {
        let shard = part(Share { index, count: COUNT }, &ids, None, vec!["ratio".to_owned()]);
        let mut report = whole.clone();
        for mutant in report.mutants.iter_mut().filter(|mutant| !shard.mutants.contains(&mutant.id)) {
            mutant.verdict = Verdict::Unverified;
            mutant.killed_by.clear();
            mutant.executed_by.clear();
            mutant.reason = None;
        }
        mark(&mut report, &shard);
        (format!("{index}.json"), report)
    };
    (1..=COUNT).map(of).collect()
}

#[track_caller]
fn refused(shares: Vec<(String, Report)>, words: &str) {
    let why = merge(shares).unwrap_err();
    assert!(why.iter().any(|why| why.contains(words)), "{why:#?}");
}

#[test]
fn the_union_is_the_report_of_one_machine_in_whatever_order() {
    let mut expected = one_machine();
    expected.notes.push("merged from the reports of 3 shards".into());
    let mut given = shares();
    for _ in 0..COUNT {
        given.rotate_left(1);
        assert_eq!(merge(given.clone()).unwrap(), expected);
    }
    given.swap(0, 1);
    assert_eq!(merge(given).unwrap(), expected);
}

#[test]
fn gaps_and_shares_given_twice_are_refused() {
    let all = shares();
    refused(all[..2].to_vec(), "shard 3 of 3 is missing");
    refused([&all[..], &all[..1]].concat(), "`1.json` and `1.json` are both shard 1");
    refused(vec![], "there is no report");
    refused(vec![("r.json".into(), one_machine())], "`r.json` is no report of a shard");
}

#[test]
fn different_questions_are_refused_by_name() {
    let change = |change: &dyn Fn(&mut Report)| {
        let mut all = shares();
        change(&mut all[1].1);
        all
    };
    refused(change(&|r| r.repo.merge_base = "0".repeat(40)), "base and head of `2.json`");
    refused(change(&|r| r.catalog.sha256 = "x".into()), "the catalog of `2.json`");
    refused(change(&|r| r.policy.sha256 = "x".into()), "the policy of `2.json`");
    refused(change(&|r| r.tool.rustc = "x".into()), "the program or its tools of `2.json`");
    refused(change(&|r| r.mutants[0].replacement = "x".into()), "the mutants of `2.json`");
    refused(change(&|r| drop(r.tests.delta.pop())), "the tests of the patch of `2.json`");
    refused(change(&|r| drop(r.tests.baseline.pop())), "the tests in use of `2.json`");
    refused(change(&|r| r.shard.as_mut().unwrap().split = "x".into()), "which mutant belongs to which shard");
    refused(change(&|r| r.ledger.sha256 = "x".into()), "the ledger of `2.json`");
}

#[test]
fn a_verdict_of_a_share_that_is_not_its_own_is_refused() {
    let mut all = shares();
    let foreign = shard(&all[0].1).mutants[0].clone();
    let mutant = all[1].1.mutants.iter_mut().find(|mutant| mutant.id == foreign).unwrap();
    mutant.verdict = Verdict::Killed;
    refused(all, "which belongs to another shard");
    let mut all = shares();
    all[1].1.shard.as_mut().unwrap().mutants.push(foreign.clone());
    refused(all, &format!("{foreign} belongs to `1.json` and to `2.json`"));
    let mut all = shares();
    all[0].1.shard.as_mut().unwrap().mutants.remove(0);
    refused(all, &format!("{foreign} belongs to no shard"));
}

#[test]
fn what_a_share_has_not_come_to_makes_the_whole_incomplete() {
    let mut all = shares();
    let (_, last) = all.last_mut().unwrap();
    let open = shard(last).mutants[0].clone();
    last.mutants.iter_mut().find(|mutant| mutant.id == open).unwrap().verdict = Verdict::Unverified;
    last.facts.ended_early = true;
    let merged = merge(all).unwrap();
    assert_eq!((merged.decision, merged.complete, merged.exit_code), (Decision::Incomplete, false, 5));
}

#[test]
fn a_test_that_is_green_on_some_machines_only_is_flaky() {
    let mut all = shares();
    all[2].1.tests.baseline[0].outcome = BaselineOutcome::Fail;
    let merged = merge(all).unwrap();
    assert_eq!(merged.tests.baseline[0].outcome, BaselineOutcome::Flaky);
    assert_eq!(merged.decision, Decision::BaselineRed);
}

#[test]
fn a_test_with_teeth_anywhere_is_not_toothless() {
    let mut all = shares();
    let test = all[0].1.tests.delta[0].id.clone();
    all.iter_mut().for_each(|(_, report)| report.tests.toothless = vec![test.clone()]);
    assert_eq!(merge(all.clone()).unwrap().tests.toothless, [test]);
    all[1].1.tests.toothless.clear();
    assert!(merge(all).unwrap().tests.toothless.is_empty());
}

#[test]
fn gates_that_a_share_was_not_asked_or_that_differ_are_refused() {
    let mut all = shares();
    all.iter_mut().for_each(|(_, report)| report.shard.as_mut().unwrap().gates.push("freeze".into()));
    refused(all.clone(), "no shard has asked the gate `freeze`");
    let gate = |decision| Gate { name: "freeze".into(), decision, rule: "r".into(), reasons: vec![] };
    all.iter_mut().for_each(|(_, report)| report.gates.insert(0, gate(GateDecision::Reject)));
    assert_eq!(merge(all.clone()).unwrap().decision, Decision::Block);
    all[1].1.gates[0] = gate(GateDecision::Pass);
    refused(all, "the gate `freeze` differs in `1.json` and `2.json`");
}
