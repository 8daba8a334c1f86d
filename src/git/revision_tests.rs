use super::super::testing::{TempRepo, git_in};
use super::*;

fn refused(repo: &Repo, rev: &str) -> String {
    repo.commit(rev).unwrap_err().to_string()
}

/// A clone of `from` cut off after one commit.
fn shallow_clone(from: &TempRepo) -> TempRepo {
    let clone = TempRepo::empty_folder();
    let url = format!("file://{}", from.root);
    git_in(&clone.root, &["clone", "-q", "--depth=1", "--no-single-branch", &url, "."]);
    clone
}

#[test]
fn a_branch_a_tag_and_a_short_id_give_the_full_commit() {
    let temp = TempRepo::with(&[("a", "1")]);
    temp.git(&["tag", "-a", "v1", "-m", "v1"]);
    let id = temp.git(&["rev-parse", "HEAD"]);
    let repo = temp.open();
    for rev in ["main", "HEAD", "v1", &id[..9], &id] {
        assert_eq!(repo.commit(rev).unwrap().as_str(), id, "{rev}");
    }
}

#[test]
fn an_unknown_revision_is_named() {
    let temp = TempRepo::with(&[("a", "1")]);
    let repo = temp.open();
    let said = refused(&repo, "no-such-branch");
    assert!(said.contains("`no-such-branch`: unknown revision") && said.contains("git branch --all"), "{said}");
    for odd in ["", "-x", "--all", "a b", "0123456789012345678901234567890123456789"] {
        assert!(refused(&repo, odd).contains(&format!("`{odd}`")));
    }
    assert!(refused(&repo, "HEAD:a").contains("names no commit"));
}

#[test]
fn a_branch_that_only_the_remote_has_is_suggested() {
    let origin = TempRepo::with(&[("a", "1")]);
    origin.git(&["branch", "trunk"]);
    let clone = TempRepo::empty_folder();
    git_in(&clone.root, &["clone", "-q", origin.root.as_str(), "."]);
    let said = refused(&clone.open(), "trunk");
    assert!(said.contains("did you mean `origin/trunk`?"), "{said}");
    let said = refused(&clone.open(), "origin/gone");
    assert!(said.contains("git fetch origin gone:refs/remotes/origin/gone"), "{said}");
}

#[test]
fn a_shallow_clone_is_told_what_to_fetch() {
    let origin = TempRepo::with(&[("a", "1")]);
    origin.git(&["checkout", "-q", "-b", "patch"]);
    origin.commit(&[("a", "2")]);
    origin.git(&["checkout", "-q", "main"]);
    origin.commit(&[("b", "2")]);
    let clone = shallow_clone(&origin);
    let repo = clone.open();
    assert!(repo.is_shallow());
    let said = refused(&repo, "HEAD~1");
    assert!(said.contains("shallow clone") && said.contains("git fetch --unshallow origin"), "{said}");
    let (main, patch) = (repo.commit("origin/main").unwrap(), repo.commit("origin/patch").unwrap());
    let said = repo.merge_base(&main, &patch).unwrap_err().to_string();
    assert!(said.contains("shallow clone") && said.contains("git fetch --unshallow origin"), "{said}");
}

#[test]
fn an_unborn_head_is_said_to_be_one() {
    let temp = TempRepo::unborn();
    for rev in ["HEAD", "main"] {
        assert!(refused(&temp.open(), rev).contains("branch `main` has no commit yet"));
    }
    assert!(temp.open().default_base().unwrap_err().to_string().contains("no commit yet"));
}

#[test]
fn the_merge_base_is_where_histories_part() {
    let temp = TempRepo::with(&[("a", "1")]);
    let fork = temp.git(&["rev-parse", "HEAD"]);
    temp.git(&["checkout", "-q", "-b", "patch"]);
    temp.commit(&[("b", "1")]);
    temp.git(&["checkout", "-q", "main"]);
    temp.commit(&[("c", "1")]);
    let repo = temp.open();
    let (main, patch) = (repo.commit("main").unwrap(), repo.commit("patch").unwrap());
    assert_eq!(repo.merge_base(&main, &patch).unwrap().as_str(), fork);
}

#[test]
fn unrelated_histories_have_no_merge_base() {
    let temp = TempRepo::with(&[("a", "1")]);
    temp.git(&["checkout", "-q", "--orphan", "other"]);
    temp.commit(&[("b", "1")]);
    let repo = temp.open();
    let (main, other) = (repo.commit("main").unwrap(), repo.commit("other").unwrap());
    let said = repo.merge_base(&main, &other).unwrap_err().to_string();
    assert!(said.contains("unrelated") && said.contains("--base"), "{said}");
}

#[test]
fn the_default_base_is_the_upstreams_default_branch() {
    let origin = TempRepo::with(&[("a", "1")]);
    origin.git(&["branch", "-m", "trunk"]);
    let clone = TempRepo::empty_folder();
    git_in(&clone.root, &["clone", "-q", "-o", "up", origin.root.as_str(), "."]);
    assert_eq!(clone.open().default_base().unwrap(), "up/trunk");
    // As a CI job clones: no symbolic HEAD of the remote, no local branch.
    git_in(&clone.root, &["branch", "-m", "trunk", "work"]);
    git_in(&clone.root, &["remote", "set-head", "up", "--delete"]);
    git_in(&clone.root, &["update-ref", "refs/remotes/up/main", "HEAD"]);
    assert_eq!(clone.open().default_base().unwrap(), "up/main");
}

#[test]
fn without_an_upstream_main_or_master_is_the_default_base() {
    let temp = TempRepo::with(&[("a", "1")]);
    assert_eq!(temp.open().default_base().unwrap(), "main");
    temp.git(&["branch", "-m", "master"]);
    assert_eq!(temp.open().default_base().unwrap(), "master");
    temp.git(&["branch", "-m", "other"]);
    assert!(temp.open().default_base().unwrap_err().to_string().contains("`--base REV`"));
}

#[test]
fn a_detached_head_is_a_commit_like_any_other() {
    let temp = TempRepo::with(&[("a", "1")]);
    temp.git(&["checkout", "-q", "--detach"]);
    let repo = temp.open();
    assert_eq!(repo.commit("HEAD").unwrap(), repo.commit("main").unwrap());
    assert_eq!(repo.default_base().unwrap(), "main");
}
