use super::super::testing::TempRepo;

/// A repository in which merging `other` into `main` conflicts.
fn conflicted() -> TempRepo {
    let temp = TempRepo::with(&[("a", "1\n"), ("b", "1\n")]);
    temp.git(&["checkout", "-q", "-b", "other"]);
    temp.commit(&[("a", "2\n"), ("b", "2\n")]);
    temp.git(&["checkout", "-q", "main"]);
    temp.commit(&[("a", "3\n"), ("b", "3\n")]);
    let merge = crate::process::Cmd::new("git").args(["merge", "-q", "other"]).cwd(&temp.root);
    assert!(!merge.output().unwrap().status.success(), "the merge is meant to conflict");
    temp
}

#[test]
fn untracked_files_are_listed_but_not_ignored_ones() {
    let temp = TempRepo::with(&[(".gitignore", "*.log\n")]);
    temp.git(&["config", "status.showUntrackedFiles", "no"]);
    for path in ["new é.rs", "deep/new.rs", "x.log", "two\nlines"] {
        temp.write(path, "x");
    }
    let mut found = temp.open().untracked().unwrap();
    found.sort();
    assert_eq!(found, ["deep/new.rs", "new é.rs", "two\nlines"]);
    assert!(temp.open().has_uncommitted().unwrap());
}

#[test]
fn a_target_folder_that_nobody_ignored_is_no_part_of_the_patch() {
    let temp = TempRepo::with(&[("a", "1")]);
    temp.write("target/debug/x", "x");
    assert!(temp.open().has_uncommitted().unwrap());
    temp.write("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# cargo");
    assert!(!temp.open().has_uncommitted().unwrap());
    assert_eq!(temp.open().untracked().unwrap(), [""; 0]);
}

#[test]
fn staged_unstaged_and_deleted_files_are_uncommitted() {
    let temp = TempRepo::with(&[("a", "1")]);
    assert!(!temp.open().has_uncommitted().unwrap());
    temp.write("a", "2");
    assert!(temp.open().has_uncommitted().unwrap());
    temp.git(&["add", "a"]);
    assert!(temp.open().has_uncommitted().unwrap());
    temp.git(&["commit", "-q", "-m", "2"]);
    assert!(!temp.open().has_uncommitted().unwrap());
    temp.remove("a");
    assert!(temp.open().has_uncommitted().unwrap());
}

#[test]
fn a_touched_but_equal_file_is_no_change() {
    let temp = TempRepo::with(&[("a", "1")]);
    temp.remove("a");
    temp.write("a", "1");
    assert!(!temp.open().has_uncommitted().unwrap());
}

#[test]
fn a_conflict_stops_the_run_and_names_file_and_operation() {
    let temp = conflicted();
    let repo = temp.open();
    assert_eq!(repo.in_progress(), Some("merge"));
    let said = repo.ensure_merged().unwrap_err().to_string();
    assert!(said.contains("a merge is in progress: `a` and 1 more is unmerged"), "{said}");
    assert!(said.contains("git add"), "{said}");
    temp.git(&["checkout", "-q", "--ours", "a", "b"]);
    temp.git(&["add", "a", "b"]);
    assert_eq!(repo.in_progress(), Some("merge"), "resolved, but not committed");
    repo.ensure_merged().unwrap();
}

#[test]
fn a_bisection_is_noticed() {
    let temp = TempRepo::with(&[("a", "1")]);
    assert_eq!(temp.open().in_progress(), None);
    temp.git(&["bisect", "start"]);
    assert_eq!(temp.open().in_progress(), Some("bisect"));
}
