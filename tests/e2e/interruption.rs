//! Runs that are interrupted, and runs that meet.

#![cfg(unix)]

use crate::harness::program::{finish, hunkmut, report};
use crate::harness::untouched::Snapshot;
use crate::harness::{Fixture, Problems, Ran, case::Case};
use cargo_hunkmut::report::model::Decision;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

/// Sends a signal as soon as the run says that it does something, and waits for its end.
fn interrupted(fixture: &Fixture, doing: &str, signal: Signal) -> Ran {
    let mut command = hunkmut(&fixture.root());
    command.args(["--base", "main"]).env("TMPDIR", fixture.temporary());
    let line = format!("{command:?}");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut stderr = String::new();
    while !stderr.contains(doing) {
        assert_ne!(errors.read_line(&mut stderr).unwrap(), 0, "the run never says `{doing}`:\n{stderr}");
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    errors.read_to_string(&mut stderr).unwrap();
    let out = child.wait_with_output().unwrap();
    Ran { line, code: out.status.code(), stdout: String::from_utf8_lossy(&out.stdout).into_owned(), stderr }
}

fn incomplete(doing: &str, signal: Signal) {
    let fixture = Case::named("hanging").repository();
    let before = Snapshot::of(&fixture);
    let ran = interrupted(&fixture, doing, signal);
    let mut problems = Problems::default();
    before.check(&fixture, &mut problems);
    problems.same("exit code", ran.code, Some(5));
    match report(&fixture.root()) {
        None => problems.add("there is no report"),
        Some(report) => {
            problems.same("decision", report.decision, Decision::Incomplete);
            problems.expect(!report.complete, || "the report says that it is complete".into());
        }
    }
    problems.settle(&format!("{signal:?} while {doing}"), &ran);
    // What is left does not stand in the way of the next run.
    fixture.hunkmut(&["--base", "main"]).ends(0, &["pass"]);
}

#[test]
fn a_run_interrupted_while_it_builds_is_incomplete() {
    incomplete("Building", Signal::INT);
}

#[test]
fn a_run_terminated_while_it_runs_tests_is_incomplete() {
    incomplete("Running", Signal::TERM);
}

#[test]
fn two_runs_in_one_workspace_wait_for_each_other() {
    let fixture = Fixture::counter();
    let run = || {
        let mut command = hunkmut(&fixture.root());
        command.args(["--base", "main", "--message-format", "short"]);
        finish(command)
    };
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(run);
        (run(), other.join().unwrap())
    });
    one.ends(0, &["pass"]);
    two.ends(0, &["pass"]);
    assert_eq!(one.stdout, two.stdout);
}
