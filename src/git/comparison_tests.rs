use super::super::testing::TempRepo;
use super::*;

const OLD: &str = "fn a() {}\nfn b() {}\nfn c() {}\n";
const NEW: &str = "fn a() {}\nfn B() {}\nfn c() {}\n";

/// `main`, and a branch `patch` (checked out) that changes the second line of `src/lib.rs`.
fn patched() -> TempRepo {
    let temp = TempRepo::with(&[("src/lib.rs", OLD), (".gitignore", "/target\n")]);
    temp.git(&["checkout", "-q", "-b", "patch"]);
    temp.commit(&[("src/lib.rs", NEW)]);
    temp
}

fn resolve(temp: &TempRepo, base: Option<&str>, head: Option<&str>, in_diff: Option<&str>) -> Result<Comparison> {
    let diff = in_diff.map(str::as_bytes);
    Comparison::resolve(&temp.open(), base, head, diff, &temp.root.join("target/hunkmut"))
}

fn paths(comparison: &Comparison) -> Vec<(&str, Status)> {
    let mut all: Vec<_> = comparison.files.iter().map(|file| (file.path(), file.status)).collect();
    all.sort();
    all
}

#[test]
fn a_clean_tree_is_its_commit() {
    let temp = patched();
    let found = resolve(&temp, None, None, None).unwrap();
    assert_eq!(found.head.as_ref(), Some(&found.head_commit));
    assert!(!found.dirty && found.in_place() && found.tree == temp.root);
    assert_eq!(found.base.as_str(), temp.git(&["rev-parse", "main"]));
    assert_eq!(paths(&found), [("src/lib.rs", Status::Modified)]);
    assert_eq!(found.base_text(&temp.open(), &found.files[0]).unwrap().unwrap(), OLD.as_bytes());
    let all: Vec<&FileDiff> = found.files.iter().collect();
    let one_by_one = all.iter().map(|file| found.base_text(&temp.open(), file).unwrap()).collect::<Vec<_>>();
    assert_eq!(found.base_texts(&temp.open(), &all).unwrap(), one_by_one);
}

#[test]
fn what_main_did_meanwhile_is_no_part_of_the_patch() {
    let temp = patched();
    let fork = temp.git(&["rev-parse", "main"]);
    temp.git(&["checkout", "-q", "main"]);
    temp.commit(&[("src/other.rs", "x\n"), ("src/lib.rs", "fn a() {}\n")]);
    temp.git(&["checkout", "-q", "patch"]);
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    assert_eq!(found.merge_base.as_str(), fork);
    assert_ne!(found.base, found.merge_base);
    assert_eq!(paths(&found), [("src/lib.rs", Status::Modified)]);
    assert_eq!(found.base_text(&temp.open(), &found.files[0]).unwrap().unwrap(), OLD.as_bytes());
}

#[test]
fn uncommitted_changes_count_staged_unstaged_and_untracked() {
    let temp = patched();
    temp.write("src/lib.rs", NEW.replace('c', "C"));
    temp.write("src/staged.rs", "s\n");
    temp.git(&["add", "src/staged.rs"]);
    temp.write("src/new é.rs", "1\n2\n3");
    temp.write("target/x.rs", "ignored");
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    assert!(found.dirty && found.head.is_none() && found.in_place());
    assert_eq!(
        paths(&found),
        [("src/lib.rs", Status::Modified), ("src/new é.rs", Status::Added), ("src/staged.rs", Status::Added)]
    );
    let new = found.files.iter().find(|file| file.path() == "src/new é.rs").unwrap();
    assert_eq!(new.hunks, [Hunk { old_start: 0, old_lines: 0, new_start: 1, new_lines: 3 }]);
    let lib = found.files.iter().find(|file| file.path() == "src/lib.rs").unwrap();
    assert_eq!(lib.hunks[0].new_range(), 2..4);
}

#[test]
fn head_named_and_checked_out_clean_is_judged_in_place() {
    let temp = patched();
    let found = resolve(&temp, Some("main"), Some("patch"), None).unwrap();
    assert!(found.in_place() && !found.dirty && found.head.is_some());
}

#[test]
fn head_named_on_a_dirty_tree_is_judged_without_the_dirt() {
    let temp = patched();
    temp.write("src/lib.rs", "dirt\n");
    temp.write("untracked.rs", "dirt\n");
    let found = resolve(&temp, Some("main"), Some("patch"), None).unwrap();
    assert!(!found.in_place() && !found.dirty && found.head.is_some());
    assert_eq!(std::fs::read_to_string(found.tree.join("src/lib.rs")).unwrap(), NEW);
    assert_eq!(paths(&found), [("src/lib.rs", Status::Modified)]);
}

#[test]
fn a_head_that_is_not_checked_out_gets_a_worktree_for_the_time_being() {
    let temp = patched();
    temp.git(&["checkout", "-q", "main"]);
    let before = temp.open().tree_digest().unwrap();
    let found = resolve(&temp, Some("main"), Some("patch"), None).unwrap();
    let tree = found.tree.clone();
    assert_eq!(tree, temp.root.join("target/hunkmut/worktrees").join(found.head_commit.short()));
    let second = resolve(&temp, Some("main"), Some("patch"), None).unwrap();
    assert_ne!(second.tree, tree, "two runs at a time do not share a folder");
    drop(second);
    assert_eq!(std::fs::read_to_string(tree.join("src/lib.rs")).unwrap(), NEW);
    found.close().unwrap();
    assert!(!tree.exists());
    assert_eq!(temp.open().tree_digest().unwrap(), before);
}

#[test]
fn the_hunkmut_directory_is_never_part_of_the_patch() {
    let temp = TempRepo::with(&[("src/lib.rs", OLD)]);
    temp.write("target/hunkmut/report/report.json", "{}");
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    assert!(!found.dirty && found.files.is_empty());
}

#[test]
fn an_untracked_move_is_a_rename() {
    let temp = patched();
    temp.remove("src/lib.rs");
    temp.write("src/moved.rs", OLD);
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    assert_eq!(paths(&found), [("src/moved.rs", Status::Renamed)]);
    assert_eq!(found.files[0].old_path.as_deref(), Some("src/lib.rs"));
    assert!(found.files[0].hunks.is_empty());
}

#[test]
fn a_nested_repository_and_binaries_are_named_and_skipped() {
    let temp = patched();
    temp.write("inner/x", "1");
    let inner = temp.root.join("inner");
    super::super::testing::git_in(&inner, &["init", "-q"]);
    temp.write("logo.png", b"\x89PNG\0\0");
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    assert!(found.notes.iter().any(|note| note.contains("`inner/`")), "{:?}", found.notes);
    assert!(found.notes.iter().any(|note| note.contains("`logo.png`: binary")), "{:?}", found.notes);
}

#[test]
fn a_merge_with_conflicts_is_refused_and_a_resolved_one_noted() {
    let temp = patched();
    temp.git(&["checkout", "-q", "main"]);
    temp.commit(&[("src/lib.rs", "other\n")]);
    temp.git(&["checkout", "-q", "patch"]);
    let _ = crate::process::Cmd::new("git").args(["merge", "-q", "main"]).cwd(&temp.root).output().unwrap();
    let said = resolve(&temp, Some("main"), None, None).unwrap_err().to_string();
    assert!(said.contains("`src/lib.rs` is unmerged"), "{said}");
    assert!(resolve(&temp, Some("main"), Some("patch"), None).is_ok(), "a commit can be judged meanwhile");
    temp.write("src/lib.rs", NEW);
    temp.git(&["add", "src/lib.rs"]);
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    assert!(found.notes.iter().any(|note| note.contains("merge is in progress")), "{:?}", found.notes);
}

#[test]
fn a_diff_handed_over_is_taken_at_its_word() {
    let temp = patched();
    let diff = temp.git(&["diff", "-U2", "--full-index", "main", "patch"]) + "\n";
    let found = resolve(&temp, None, None, Some(&diff)).unwrap();
    assert!(found.head.is_none() && !found.dirty && found.in_place());
    assert_eq!(found.files[0].hunks, [Hunk { old_start: 2, old_lines: 1, new_start: 2, new_lines: 1 }]);
    assert_eq!(found.base_text(&temp.open(), &found.files[0]).unwrap().unwrap(), OLD.as_bytes());
}

#[test]
fn the_old_side_of_a_diff_handed_over_is_found_by_its_object() {
    let temp = patched();
    let middle = "fn a() {}\nfn M() {}\nfn c() {}\n";
    temp.commit(&[("src/lib.rs", middle)]);
    temp.commit(&[("src/lib.rs", NEW)]);
    let diff = temp.git(&["diff", "HEAD~1", "HEAD"]) + "\n";
    let found = resolve(&temp, Some("main"), None, Some(&diff)).unwrap();
    assert_eq!(found.base_text(&temp.open(), &found.files[0]).unwrap().unwrap(), middle.as_bytes());
}

#[test]
fn a_diff_of_another_tree_is_refused() {
    let temp = patched();
    for (diff, says) in [
        ("--- a/no.rs\n+++ b/no.rs\n@@ -1 +1 @@\n-a\n+b\n", "`no.rs` of the diff is not there"),
        ("--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -9 +9 @@\n-a\n+b\n", "line 9 of `src/lib.rs` is not `b`"),
        (
            "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -2 +2 @@\n-a\n+fn M() {}\n",
            "line 2 of `src/lib.rs` is not `fn M() {}`",
        ),
        ("nonsense\n", "holds no file header"),
    ] {
        let said = resolve(&temp, None, None, Some(diff)).unwrap_err().to_string();
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn an_unborn_head_and_unknown_revisions_are_refused() {
    let said = resolve(&TempRepo::unborn(), None, None, None).unwrap_err().to_string();
    assert!(said.contains("no commit yet"), "{said}");
    let temp = patched();
    assert!(resolve(&temp, Some("nope"), None, None).unwrap_err().to_string().contains("`nope`"));
    assert!(resolve(&temp, None, Some("nope"), None).unwrap_err().to_string().contains("`nope`"));
}

#[test]
fn the_paths_that_the_patch_touches_are_told() {
    let temp = patched();
    temp.git(&["mv", "src/lib.rs", "src/there.rs"]);
    temp.git(&["commit", "-q", "-m", "move"]);
    let found = resolve(&temp, Some("main"), None, None).unwrap();
    let paths = ["src/lib.rs", "src/there.rs", "src/other.rs"].map(str::to_owned);
    assert_eq!(found.touched(&paths), ["src/lib.rs", "src/there.rs"]);
}
