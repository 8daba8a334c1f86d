use super::super::testing::TempRepo;

#[test]
fn the_digest_moves_with_anything_of_the_users_and_with_nothing_else() {
    let temp = TempRepo::with(&[("a", "1"), (".gitignore", "/target\n")]);
    let mut seen = vec![temp.open().tree_digest().unwrap()];
    let mut moved = |what: &str| {
        let now = temp.open().tree_digest().unwrap();
        assert!(!seen.contains(&now), "{what} left no trace");
        seen.push(now);
    };
    temp.write("a", "2");
    moved("a change");
    temp.write("a", "3");
    moved("another change of a file that differs already");
    temp.git(&["add", "a"]);
    moved("staging");
    temp.write("new", "1");
    moved("an untracked file");
    temp.write("new", "2");
    moved("other bytes in an untracked file");
    temp.git(&["stash", "-q", "-u"]);
    moved("the stash");
    temp.git(&["branch", "x"]);
    moved("a ref");
    temp.git(&["checkout", "-q", "x"]);
    moved("another branch at the same commit");
    let before = temp.open().tree_digest().unwrap();
    temp.write("target/x", "1");
    assert_eq!(temp.open().tree_digest().unwrap(), before, "ignored files do not count");
    super::super::mark_as_cache(&temp.root.join("cache")).unwrap();
    temp.write("cache/x", "1");
    assert_eq!(temp.open().tree_digest().unwrap(), before, "caches do not count");
    temp.git(&["add", "cache/x"]);
    assert_ne!(temp.open().tree_digest().unwrap(), before, "a tracked file counts wherever it is");
}

#[test]
fn asking_writes_nothing_into_the_git_directory() {
    let temp = TempRepo::with(&[("a", "1")]);
    let index = temp.root.join(".git/index");
    // A file whose times differ from the index's record invites git to refresh it.
    temp.remove("a");
    temp.write("a", "1");
    let before = std::fs::read(&index).unwrap();
    let repo = temp.open();
    repo.has_uncommitted().unwrap();
    repo.tree_digest().unwrap();
    repo.diff_working_tree(&repo.commit("HEAD").unwrap()).unwrap();
    assert_eq!(std::fs::read(&index).unwrap(), before);
    assert!(!temp.root.join(".git/index.lock").exists());
}

#[test]
fn a_repository_without_a_commit_has_a_digest_too() {
    assert_eq!(TempRepo::unborn().open().tree_digest().unwrap().len(), 64);
}
