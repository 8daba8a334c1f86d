use super::super::testing::TempRepo;
use super::*;

fn folders(temp: &TempRepo) -> usize {
    temp.git(&["worktree", "list"]).lines().count()
}

#[test]
fn a_revision_is_laid_out_and_taken_away_again() {
    let temp = TempRepo::with(&[("a b", "1"), (".gitignore", "/target\n")]);
    let old = temp.open().commit("HEAD").unwrap();
    temp.commit(&[("a b", "2")]);
    let repo = temp.open();
    let before = repo.tree_digest().unwrap();
    let dir = temp.root.join("target/hunk mut/x");
    let worktree = repo.worktree(&old, &dir).unwrap();
    assert_eq!(std::fs::read(worktree.dir().join("a b")).unwrap(), b"1");
    assert_eq!(Repo::discover(worktree.dir()).unwrap().commit("HEAD").unwrap(), old);
    drop(worktree);
    assert!(!dir.exists());
    assert_eq!(folders(&temp), 1);
    assert_eq!(repo.tree_digest().unwrap(), before);
    let worktree = repo.worktree(&old, &dir).unwrap();
    worktree.close().unwrap();
    assert!(!dir.exists());
}

#[cfg(unix)]
#[test]
fn no_hook_of_the_user_runs() {
    use std::os::unix::fs::PermissionsExt;
    let temp = TempRepo::with(&[("a", "1"), (".gitignore", "/target\n")]);
    let hook = temp.root.join(".git/hooks/post-checkout");
    temp.write(".git/hooks/post-checkout", "#!/bin/sh\nexit 1\n");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let repo = temp.open();
    repo.worktree(&repo.commit("HEAD").unwrap(), &temp.root.join("target/w")).unwrap();
}

#[test]
fn what_a_killed_run_left_behind_is_replaced() {
    let temp = TempRepo::with(&[("a", "1"), (".gitignore", "/target\n")]);
    let repo = temp.open();
    let head = repo.commit("HEAD").unwrap();
    let dir = temp.root.join("target/w");
    // Registered and locked, as a killed `git worktree add` leaves it, with dirt inside.
    temp.git(&["worktree", "add", "-q", "--detach", "--lock", dir.as_str()]);
    std::fs::write(dir.join("a"), "dirt").unwrap();
    let worktree = repo.worktree(&head, &dir).unwrap();
    assert_eq!(std::fs::read(dir.join("a")).unwrap(), b"1");
    worktree.close().unwrap();
    // Registered, but the folder is gone.
    temp.git(&["worktree", "add", "-q", "--detach", dir.as_str()]);
    std::fs::remove_dir_all(&dir).unwrap();
    repo.worktree(&head, &dir).unwrap().close().unwrap();
    // A folder that git knows nothing of.
    std::fs::create_dir_all(dir.join("x")).unwrap();
    repo.worktree(&head, &dir).unwrap().close().unwrap();
    assert_eq!(folders(&temp), 1);
}

#[test]
fn a_worktree_in_use_is_left_alone() {
    let temp = TempRepo::with(&[("a", "1"), (".gitignore", "/target\n")]);
    let repo = temp.open();
    let head = repo.commit("HEAD").unwrap();
    let dir = temp.root.join("target/w");
    let worktree = repo.worktree(&head, &dir).unwrap();
    let said = repo.worktree(&head, &dir).unwrap_err().to_string();
    assert!(said.contains("another run is using"), "{said}");
    assert!(worktree.dir().join("a").exists());
}
