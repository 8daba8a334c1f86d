//! The rows of the table.

use super::*;
use crate::report::model::Verdict;
use crate::test_id::TestId;

/// A complete map: `(mutant, verdict, killer)`.
fn map(mutants: &[(&str, Verdict, &str)], tests: &[&str]) -> KillMap {
    let mut map = KillMap { complete: true, ..KillMap::default() };
    for (id, verdict, killer) in mutants {
        let killed_by = if killer.is_empty() { Vec::new() } else { vec![(*killer).to_owned()] };
        let mutant =
            MapMutant { file: "src/a.rs".into(), line: 3, function: "f".into(), killed_by, ..MapMutant::default() };
        map.add(id, mutant, *verdict);
    }
    map.tests = tests.iter().map(|test| (*test).to_owned()).collect();
    map
}

fn name(test: &str) -> TestName {
    let (binary, function) = test.split_once(' ').unwrap();
    TestName { id: Some(TestId::new(binary, function)), function: function.into(), file: "tests/t.rs".into() }
}

fn compare(base: &KillMap, head: &KillMap, findings: Option<&Findings>) -> Comparison {
    judge(&Input { base: Ok(base), head: Ok(head), findings })
}

fn rules(comparison: &Comparison) -> Vec<Rule> {
    comparison.reasons.iter().map(|reason| reason.rule).collect()
}

use Verdict::*;

#[test]
fn a_mutant_that_was_killed_and_lives_is_resurrected_with_its_killer() {
    let base = map(&[("m-1", Killed, "p::t x"), ("m-2", Timeout, "p::t x"), ("m-3", Killed, "p::t x")], &["p::t x"]);
    let head = map(&[("m-1", Survived, ""), ("m-2", Unexecuted, ""), ("m-3", Killed, "p::t x")], &["p::t x"]);
    let comparison = compare(&base, &head, None);
    assert_eq!(
        (comparison.decision, &comparison.resurrected[..]),
        (Decision::Reject, &["m-1".to_owned(), "m-2".to_owned()][..])
    );
    assert_eq!(rules(&comparison), [Rule::Resurrected]);
    assert_eq!(comparison.reasons[0].tests, ["p::t x"]);
    assert!(comparison.reasons[0].detail.contains("(unchanged)"));
}

#[test]
fn what_the_head_does_not_have_or_cannot_compile_is_not_resurrected() {
    let base = map(&[("m-1", Killed, "p::t x"), ("m-2", Killed, "p::t x")], &["p::t x"]);
    let head = map(&[("m-2", Invalid, ""), ("m-9", Survived, "")], &["p::t x"]);
    assert_eq!(compare(&base, &head, None).decision, Decision::AllowReview);
}

#[test]
fn new_tests_need_new_kills() {
    let base = map(&[("m-1", Killed, "p::t x")], &["p::t x"]);
    let same = map(&[("m-1", Killed, "p::t x"), ("m-2", Survived, "")], &["p::t x", "p::t y"]);
    let findings = Findings { new_tests: vec![name("p::t y")], touched: true, ..Findings::default() };
    assert_eq!(rules(&compare(&base, &same, Some(&findings))), [Rule::NoNewKills]);
    assert_eq!(rules(&compare(&base, &same, None)), [Rule::NoNewKills]);
    let more = map(&[("m-1", Killed, "p::t x"), ("m-2", Killed, "p::t y")], &["p::t x", "p::t y"]);
    let comparison = compare(&base, &more, Some(&findings));
    assert_eq!((comparison.decision, &comparison.new_kills[..]), (Decision::AllowReview, &["m-2".to_owned()][..]));
}

#[test]
fn a_renamed_test_is_neither_new_nor_deleted() {
    let base = map(&[("m-1", Killed, "p::t x")], &["p::t x"]);
    let head = map(&[("m-1", Killed, "p::t y")], &["p::t y"]);
    let findings =
        Findings { kept_tests: vec![(name("p::t x"), name("p::t y"))], touched: true, ..Findings::default() };
    assert_eq!(compare(&base, &head, Some(&findings)).decision, Decision::AllowReview);
    assert_eq!(compare(&base, &head, None).decision, Decision::AllowReview);
    assert_eq!(rules(&compare(&base, &head, Some(&Findings::default()))), [Rule::TestDeleted]);
}

#[test]
fn a_lost_test_is_told_with_the_mutants_that_it_killed() {
    let base = map(&[("m-1", Killed, "p::t x"), ("m-2", Killed, "p::t y")], &["p::t x", "p::t y"]);
    let head = map(&[("m-1", Killed, "p::t z"), ("m-2", Killed, "p::t y")], &["p::t y"]);
    let comparison = compare(&base, &head, None);
    assert_eq!(rules(&comparison), [Rule::TestDeleted]);
    assert_eq!(comparison.reasons[0].mutants, ["m-1"]);
    let mut ignored = head.clone();
    ignored.unused.insert("p::t x".into(), "ignored".into());
    assert_eq!(rules(&compare(&base, &ignored, None)), [Rule::TestIgnored]);
}

#[test]
fn a_static_reason_names_the_mutants_of_its_test() {
    let base = map(&[("m-1", Killed, "p::t x::case_1")], &["p::t x::case_1"]);
    let reason = Reason::new(Rule::AssertionRemoved, "why").test("p::t x");
    let findings = Findings { reasons: vec![reason], touched: true, ..Findings::default() };
    let comparison = compare(&base, &base.clone(), Some(&findings));
    assert_eq!(comparison.reasons[0].mutants, ["m-1"]);
    assert_eq!(comparison.decision, Decision::Reject);
}

#[test]
fn without_a_base_nothing_is_allowed() {
    let head = map(&[("m-1", Killed, "p::t x")], &["p::t x"]);
    let comparison = judge(&Input { base: Err("it does not compile".into()), head: Ok(&head), findings: None });
    assert_eq!(comparison.decision, Decision::Hold);
    assert!(comparison.notes[0].contains("does not compile"));
}

#[test]
fn open_verdicts_leave_it_incomplete_unless_something_is_lost_anyway() {
    let base = map(&[("m-1", Killed, "p::t x"), ("m-2", Killed, "p::t x")], &["p::t x"]);
    let mut head = map(&[("m-1", Killed, "p::t x"), ("m-2", Unverified, "")], &["p::t x"]);
    head.complete = false;
    assert_eq!(compare(&base, &head, None).decision, Decision::Incomplete);
    let mut worse = map(&[("m-1", Survived, ""), ("m-2", Unverified, "")], &["p::t x"]);
    worse.complete = false;
    assert_eq!(compare(&base, &worse, None).decision, Decision::Reject);
}

#[test]
fn a_kill_that_does_not_reproduce_and_a_test_that_broke_are_for_a_person() {
    let base = map(&[("m-1", Killed, "p::t x")], &["p::t x", "p::t y"]);
    let head = map(&[("m-1", Flaky, "")], &["p::t x", "p::t y"]);
    assert_eq!(compare(&base, &head, None).decision, Decision::Hold);
    let mut broken = map(&[("m-1", Killed, "p::t x")], &["p::t x"]);
    broken.unused.insert("p::t y".into(), "fails".into());
    assert_eq!(compare(&base, &broken, None).decision, Decision::Hold);
}

#[test]
fn a_map_that_was_cut_off_before_its_tests_were_listed_loses_no_test() {
    let base = map(&[("m-1", Killed, "p::t x")], &["p::t x"]);
    let cut = KillMap { complete: false, ..KillMap::default() };
    let comparison = compare(&base, &cut, None);
    assert_eq!((rules(&comparison), comparison.decision), (Vec::new(), Decision::Incomplete));
}
