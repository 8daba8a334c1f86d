//! The ways to name a patch: revisions, the work tree, a diff from elsewhere.

use crate::harness::untouched::Snapshot;
use crate::harness::{Fixture, Problems, invariants, program};

/// Runs with `args`, wants a pass by one killed mutant or more, and an untouched repository.
#[track_caller]
fn passes(fixture: &Fixture, args: &[&str]) -> cargo_hunkmut::report::model::Report {
    let before = Snapshot::of(fixture);
    let ran = fixture.hunkmut(args);
    ran.ends(0, &["pass"]);
    let mut problems = Problems::default();
    before.check(fixture, &mut problems);
    let report = program::report(&fixture.root()).expect("a report");
    problems.expect(report.counts.killed > 0, || "nothing was killed".into());
    problems.settle(&format!("{args:?}"), &ran);
    report
}

#[test]
fn a_head_that_is_not_checked_out_is_judged_beside_the_work_tree() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("src/lib.rs", "this does not even parse(\n");
    let report = passes(&fixture, &["--base", "main", "--head", "patch"]);
    assert_eq!(report.repo.head, Some(fixture.git(&["rev-parse", "patch"])));
    assert!(!report.repo.dirty);
    assert_eq!(fixture.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn the_diff_starts_at_the_merge_base() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("src/lib.rs", "pub fn zero() -> u32 {\n    0\n}\n// main went on\n");
    fixture.commit("main goes on");
    fixture.git(&["checkout", "-q", "patch"]);
    let report = passes(&fixture, &["--base", "main"]);
    assert_eq!(report.repo.merge_base, fixture.git(&["rev-parse", "main~1"]));
    assert_eq!(report.repo.base, fixture.git(&["rev-parse", "main"]));
}

#[test]
fn without_a_base_the_default_branch_is_the_base() {
    let fixture = Fixture::counter();
    let report = passes(&fixture, &[]);
    assert_eq!(report.repo.base, fixture.git(&["rev-parse", "main"]));
}

#[test]
fn a_detached_head_is_a_head() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "--detach", "patch"]);
    passes(&fixture, &["--base", "main"]);
}

#[test]
fn tags_and_abbreviated_ids_are_revisions() {
    let fixture = Fixture::counter();
    fixture.git(&["tag", "-a", "-m", "one", "v1", "main"]);
    let head = fixture.git(&["rev-parse", "--short", "patch"]);
    let report = passes(&fixture, &["--base", "v1", "--head", &head]);
    assert_eq!(report.repo.base, fixture.git(&["rev-parse", "main"]));
}

#[test]
fn uncommitted_changes_and_untracked_files_are_part_of_the_patch() {
    let fixture = Fixture::unborn();
    fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.commit("base");
    fixture.grow_counter();
    let report = passes(&fixture, &["--base", "main"]);
    assert!(report.repo.dirty);
    assert_eq!(report.repo.head, None);
}

#[test]
fn a_diff_from_elsewhere_says_what_changed() {
    let fixture = Fixture::counter();
    std::fs::create_dir_all(fixture.root().join("target")).unwrap();
    let diff = fixture.git(&["diff", "main", "patch"]);
    fixture.write("target/patch.diff", format!("{diff}\n"));
    let report = passes(&fixture, &["--in-diff", "target/patch.diff"]);
    let mut problems = Problems::default();
    invariants::check(&report, &fixture.root(), &mut problems);
    assert!(report.mutants.iter().all(|m| m.file == "src/lib.rs" && m.line == 6));
}

#[test]
fn a_diff_that_does_not_fit_the_head_is_refused() {
    let fixture = Fixture::counter();
    let diff = fixture.git(&["diff", "main", "patch"]).replace("n + 1", "n + 2");
    std::fs::create_dir_all(fixture.root().join("target")).unwrap();
    fixture.write("target/patch.diff", format!("{diff}\n"));
    fixture.hunkmut(&["--in-diff", "target/patch.diff"]).ends(2, &["src/lib.rs"]);
}

#[test]
fn a_linked_worktree_is_judged_like_the_main_one() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.git(&["worktree", "add", "-q", "target/linked", "patch"]);
    let ran = fixture.hunkmut_in("target/linked", &["--base", "main"]);
    ran.ends(0, &["pass"]);
    assert!(program::report(&fixture.root().join("target/linked")).is_some());
    assert_eq!(fixture.git(&["worktree", "list"]).lines().count(), 2);
}

#[test]
fn nothing_changed_is_a_vacuous_pass() {
    let fixture = Fixture::counter();
    let ran = fixture.hunkmut(&["--base", "patch"]);
    ran.ends(0, &["vacuous"]);
    assert_eq!(program::report(&fixture.root()).unwrap().counts.total, 0);
}
