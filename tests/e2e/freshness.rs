//! The user's own build artifacts: after a run, the user's next build has nothing to do.

use crate::harness::case::Case;
use crate::harness::program::{clean, finish};
use crate::harness::{Fixture, Ran};
use cargo_hunkmut::report::model::{Report, Verdict};

/// The test targets, built the user's way.
fn build(fixture: &Fixture) -> Ran {
    let mut cargo = clean("cargo", &fixture.root());
    cargo.args(["test", "--no-run", "--workspace", "--message-format=json"]);
    let ran = finish(cargo);
    assert_eq!(ran.code, Some(0), "{}", ran.transcript());
    ran
}

/// What cargo says of each artifact: its name and whether it was built already.
fn artifacts(ran: &Ran) -> Vec<(String, bool)> {
    ran.stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .map(|message| (message["target"]["name"].as_str().unwrap().into(), message["fresh"].as_bool().unwrap()))
        .collect()
}

fn stay_fresh(case: &str) {
    let case = Case::named(case);
    let fixture = case.repository();
    build(&fixture);
    assert!(artifacts(&build(&fixture)).iter().all(|(_, fresh)| *fresh), "a second build is fresh");
    let (ran, report) = case.run_in(&fixture);
    assert_eq!(ran.code, Some(case.expect.exit), "{}", ran.transcript());
    let first = verdicts(report);
    assert!(!first.is_empty(), "mutants were built");
    let after = artifacts(&build(&fixture));
    assert!(!after.is_empty());
    let stale: Vec<_> = after.iter().filter(|(_, fresh)| !fresh).collect();
    assert!(stale.is_empty(), "rebuilt after the run: {stale:?}\n{}", ran.transcript());

    // And a second run of the program builds on its first.
    let (again, second) = case.run_in(&fixture);
    assert_eq!(again.code, ran.code, "{}", again.transcript());
    assert_eq!(verdicts(second), first);
}

fn verdicts(report: Option<Report>) -> Vec<(String, Verdict)> {
    report.expect("a report").mutants.into_iter().map(|m| (m.id, m.verdict)).collect()
}

#[test]
fn the_users_next_build_has_nothing_to_do() {
    stay_fresh("pass");
}

#[test]
fn nor_in_a_workspace_of_two_crates() {
    stay_fresh("two-crates");
}
