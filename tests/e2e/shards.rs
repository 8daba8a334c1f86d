//! One run divided among several machines, each with a copy of the repository of its own.

use crate::harness::case::Case;
use crate::harness::program::{finish, hunkmut, report, report_at};
use crate::harness::{Fixture, Problems, Ran};
use cargo_hunkmut::report::model::{Decision, Report, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SHARES: u32 = 4;

/// A clone in a folder beside the fixture's repository, on the patch's branch, with `main` beside it.
fn machine(fixture: &Fixture, name: &str) -> PathBuf {
    let to = fixture.root().parent().unwrap().join(name);
    fixture.git(&["clone", "-q", ".", to.to_str().unwrap()]);
    fixture.git(&["-C", to.to_str().unwrap(), "branch", "-q", "main", "origin/main"]);
    to
}

fn at(fixture: &Fixture, dir: &Path, args: &[&str]) -> Ran {
    let mut command = hunkmut(dir);
    command.args(args).env("TMPDIR", fixture.temporary());
    finish(command)
}

/// All shares of the patch, each judged on a machine of its own: where the reports lie.
fn shares(fixture: &Fixture, more: &[&str]) -> Vec<PathBuf> {
    let share = |index: u32| {
        let dir = machine(fixture, &format!("machine {index}"));
        let share = format!("{index}/{SHARES}");
        let ran = at(fixture, &dir, &[&["--base", "main", "--shard", &share], more].concat());
        let report = report(&dir).unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
        let shard = report.shard.as_ref().expect("a shard's report says so");
        assert_eq!((shard.index, shard.count), (index, SHARES));
        assert!(!report.complete && report.decision != Decision::Pass, "{}", ran.transcript());
        assert_ne!(ran.code, Some(0), "{}", ran.transcript());
        dir.join("target/hunkmut/report/report.json")
    };
    (1..=SHARES).map(share).collect()
}

fn merged(fixture: &Fixture, reports: &[PathBuf], name: &str) -> (Ran, Option<Report>) {
    let out = fixture.root().parent().unwrap().join(name);
    let mut args = vec!["merge", "--report-dir", out.to_str().unwrap()];
    args.extend(reports.iter().map(|path| path.to_str().unwrap()));
    (at(fixture, &fixture.root(), &args), report_at(&out))
}

fn verdicts(report: &Report) -> BTreeMap<String, Verdict> {
    report.mutants.iter().map(|mutant| (mutant.id.clone(), mutant.verdict)).collect()
}

#[test]
fn four_shards_in_separate_folders_make_the_report_of_one_machine() {
    for name in ["pass", "hold-many-survivors", "const-code"] {
        let case = Case::named(name);
        let fixture = case.repository();
        let alone = machine(&fixture, "alone");
        let ran = at(&fixture, &alone, &["--base", "main"]);
        let one = report(&alone).unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
        let mut reports = shares(&fixture, &[]);
        reports.rotate_left(1);
        let (merge, whole) = merged(&fixture, &reports, "whole");
        let whole = whole.unwrap_or_else(|| panic!("no report\n{}", merge.transcript()));

        let mut problems = Problems::default();
        problems.same("exit code", merge.code, ran.code);
        problems.same("verdicts", verdicts(&whole), verdicts(&one));
        problems.same("counts", whole.counts, one.counts);
        problems.same("ratio", whole.kill_ratio, one.kill_ratio);
        problems.same("gates", &whole.gates, &one.gates);
        problems.same("decision", whole.decision, one.decision);
        problems.same("toothless", &whole.tests.toothless, &one.tests.toothless);
        problems.same("reverted", &whole.reverted, &one.reverted);
        problems.same("complete", whole.complete, one.complete);
        problems.same("shard", whole.shard, None);
        problems.settle(name, &merge);

        // A missing share, one twice, and a lone one that wants to be believed.
        merged(&fixture, &reports[1..], "gap").0.ends(2, &["shard 2 of 4 is missing"]);
        merged(&fixture, &[&reports[..], &reports[..1]].concat(), "twice").0.ends(2, &["are both shard 2"]);
        let lone = reports[0].to_str().unwrap();
        let verify = |file: &str| fixture.hunkmut(&["verify-report", file, "--base", "main", "--head", "patch"]);
        verify(lone).ends(1, &["it is shard 2 of 4 of a run"]);
        if whole.decision == Decision::Pass {
            let file = fixture.root().parent().unwrap().join("whole/report.json");
            verify(file.to_str().unwrap()).ends(0, &["verified"]);
        }
    }
}

#[test]
fn shares_balanced_by_cost_merge_and_do_not_mix_with_others() {
    let case = Case::named("pass");
    let fixture = case.repository();
    let (ran, first) = case.run_in(&fixture);
    let costs = fixture.root().parent().unwrap().join("costs.json");
    std::fs::copy(fixture.root().join("target/hunkmut/report/report.json"), &costs).unwrap();
    let balanced = shares(&fixture, &["--shard-costs", costs.to_str().unwrap()]);
    let (merge, whole) = merged(&fixture, &balanced, "whole");
    let whole = whole.unwrap_or_else(|| panic!("no report\n{}", merge.transcript()));
    assert_eq!((merge.code, verdicts(&whole)), (ran.code, verdicts(&first.unwrap())));
    let loads: Vec<usize> =
        balanced.iter().map(|path| report_at(path.parent().unwrap()).unwrap().shard.unwrap().mutants.len()).collect();
    assert!(loads.iter().all(|load| *load > 0), "{loads:?}");

    // Another share of the same patch, divided by ID.
    let dir = fixture.root().parent().unwrap().join("machine 2");
    at(&fixture, &dir, &["--base", "main", "--shard", "2/4"]);
    merged(&fixture, &balanced, "mixed").0.ends(2, &["which mutant belongs to which shard"]);
    // And one of another patch.
    fixture.git(&[
        "-C",
        dir.to_str().unwrap(),
        "-c",
        "user.name=T",
        "-c",
        "user.email=t@e.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "more",
    ]);
    at(&fixture, &dir, &["--base", "main", "--shard", "2/4", "--shard-costs", costs.to_str().unwrap()]);
    merged(&fixture, &balanced, "other").0.ends(2, &["base and head"]);
}

#[test]
fn a_patch_without_new_tests_is_blocked_by_the_whole_as_by_one_machine() {
    let case = Case::named("no-new-tests");
    let fixture = case.repository();
    let (ran, _) = case.run_in(&fixture);
    let (merge, whole) = merged(&fixture, &shares(&fixture, &[]), "whole");
    assert_eq!(merge.code, ran.code, "{}", merge.transcript());
    assert_eq!(whole.unwrap().decision, Decision::Block);
}
