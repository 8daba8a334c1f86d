//! `scope`, `list`, `tests` and the forms of output, as scripts use them.

use crate::harness::case::Case;
use crate::harness::{Fixture, program};

#[test]
fn scope_prints_one_range_for_each_hunk() {
    let fixture = Case::named("boundary-killed").repository();
    let ran = fixture.hunkmut(&["scope", "--base", "main"]);
    ran.ends(0, &[]);
    assert_eq!(ran.stdout, "src/lib.rs:3-3\ntests/load.rs:7-12\n");
    assert!(!fixture.root().join("target").exists(), "nothing is built");
}

#[test]
fn scope_of_deletions_alone_is_empty() {
    let fixture = Case::named("deletions-only").repository();
    let ran = fixture.hunkmut(&["scope", "--base", "main"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.transcript());
}

#[test]
fn scope_counts_deletions_out_and_shows_the_new_sides_numbers() {
    let fixture = Fixture::unborn();
    fixture.crate_files("lines", "pub fn a() {}\npub fn b() {}\npub fn c() {}\npub fn d() {}\npub fn e() {}\n");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.write("src/lib.rs", "pub fn b() {}\npub fn c2() {}\npub fn d() {}\npub fn e() {}\npub fn f() {}\n");
    fixture.commit("patch");
    let ran = fixture.hunkmut(&["scope", "--base", "main"]);
    assert_eq!(ran.stdout, "src/lib.rs:2-2\nsrc/lib.rs:5-5\n", "{}", ran.transcript());
}

#[test]
fn list_shows_the_mutants_that_a_run_judges() {
    let fixture = Case::named("pass").repository();
    let ran = fixture.hunkmut(&["list", "--base", "main", "--message-format", "json"]);
    ran.ends(0, &[]);
    assert!(!fixture.root().join("target/hunkmut/target").exists(), "nothing is built");
    let listed: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let listed = listed.as_array().or_else(|| listed["mutants"].as_array()).expect("a list of mutants");
    let mut ids: Vec<_> = listed.iter().map(|m| m["id"].as_str().unwrap().to_owned()).collect();
    fixture.hunkmut(&["--base", "main"]).ends(0, &[]);
    let report = program::report(&fixture.root()).unwrap();
    let mut judged: Vec<_> = report.mutants.into_iter().map(|m| m.id).collect();
    ids.sort();
    judged.sort();
    assert_eq!(ids, judged);
}

#[test]
fn tests_names_each_delta_test_and_the_reason() {
    let fixture = Case::named("touched-helper").repository();
    let ran = fixture.hunkmut(&["tests", "--base", "main", "--message-format", "short"]);
    ran.ends(0, &["maze::walk two_steps", "modified-helper"]);
    assert!(!ran.stdout.contains("alone"), "{}", ran.transcript());
}

#[test]
fn standard_output_is_the_report_itself_when_asked_for_json() {
    let fixture = Fixture::counter();
    let ran = fixture.hunkmut(&["run", "--base", "main", "--message-format", "json"]);
    ran.ends(0, &[]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let written = std::fs::read_to_string(fixture.root().join("target/hunkmut/report/report.json")).unwrap();
    assert_eq!(said, serde_json::from_str::<serde_json::Value>(&written).unwrap());
}

#[test]
fn reports_go_where_they_are_asked_to_go() {
    let fixture = Fixture::counter();
    fixture.hunkmut(&["--base", "main", "--report-dir", "target/elsewhere/deep"]).ends(0, &[]);
    assert!(program::report_at(&fixture.root().join("target/elsewhere/deep")).is_some());
    assert!(fixture.root().join("target/elsewhere/deep/report.md").exists());
    assert!(program::report(&fixture.root()).is_none());
}

#[test]
fn a_cap_that_is_over_at_once_leaves_the_run_incomplete_and_never_passes() {
    let fixture = Fixture::counter();
    let ran = fixture.hunkmut(&["--base", "main", "--cap", "1ms"]);
    ran.ends(5, &["incomplete"]);
    let report = program::report(&fixture.root()).expect("a report");
    assert!(!report.complete && report.cap.reached && report.counts.unverified > 0, "{}", ran.transcript());
}

#[test]
fn every_operator_of_the_catalog_can_be_explained() {
    let fixture = Fixture::counter();
    fixture.hunkmut(&["--base", "main"]).ends(0, &[]);
    let operators = program::report(&fixture.root()).unwrap().catalog.operators;
    assert!(operators.len() > 10);
    let all = fixture.hunkmut(&["explain"]);
    for operator in operators {
        assert!(all.stdout.contains(&operator), "{operator} in\n{}", all.transcript());
    }
    fixture.hunkmut(&["explain", "relational"]).ends(0, &["a < b", "a <= b"]);
    fixture.hunkmut(&["explain", "relationl"]).ends(2, &["relational"]);
}

#[test]
fn wrong_usage_is_an_error_and_no_verdict() {
    let fixture = Fixture::counter();
    fixture.hunkmut(&["--bass", "main"]).ends(2, &["--base"]);
    fixture.hunkmut(&["--base", "main", "--gate", "nosuch"]).ends(2, &["ratio"]);
    assert!(program::report(&fixture.root()).is_none());
}

#[test]
fn packages_that_are_not_chosen_lend_no_tests_and_nothing_passes_for_it() {
    let fixture = Case::named("two-crates").repository();
    let ran = fixture.hunkmut(&["--base", "main", "-p", "coins"]);
    ran.ends(1, &["no test in the delta: block", "1 test target with changed tests left out"]);
    assert!(program::report(&fixture.root()).unwrap().tests.delta.is_empty());
}

#[test]
fn an_empty_patch_is_called_one() {
    let fixture = Case::named("boundary-killed").repository();
    fixture.git(&["checkout", "-q", "main"]);
    let base = fixture.git(&["rev-parse", "main"]);
    let ran = fixture.hunkmut(&["--base", "main"]);
    ran.ends(0, &["vacuous", &format!("the patch is empty: nothing differs from the base `{}`", base.trim())]);
}
