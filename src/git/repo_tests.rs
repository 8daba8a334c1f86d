use super::super::testing::TempRepo;
use super::*;
use crate::diff::{self, Status};

/// What a user's configuration may hold to bend a diff.
const BENT: [(&str, &str); 16] = [
    ("diff.noprefix", "true"),
    ("diff.mnemonicPrefix", "true"),
    ("diff.external", "false"),
    ("diff.renames", "false"),
    ("diff.context", "9"),
    ("diff.interHunkContext", "9"),
    ("diff.orderFile", "/no/such/file"),
    ("diff.algorithm", "histogram"),
    ("diff.relative", "true"),
    ("diff.submodule", "log"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.suppressBlankEmpty", "true"),
    ("diff.wsErrorHighlight", "all"),
    ("color.ui", "always"),
    ("color.diff", "always"),
    ("core.quotePath", "false"),
];

fn discovery_fails(dir: &Utf8Path) -> String {
    Repo::discover(dir).unwrap_err().to_string()
}

#[test]
fn a_folder_outside_any_repository_is_told_to_make_one() {
    let temp = TempRepo::empty_folder();
    let said = discovery_fails(&temp.root);
    assert!(said.contains("not a git repository") && said.contains("git init"), "{said}");
    assert!(discovery_fails(&temp.root.join("no/such")).contains("check the path"));
}

#[test]
fn a_bare_repository_and_a_git_directory_have_no_work_tree() {
    let temp = TempRepo::empty_folder();
    temp.git(&["init", "-q", "--bare"]);
    let said = discovery_fails(&temp.root);
    assert!(said.contains("bare repository") && said.contains("git worktree add"), "{said}");
    let temp = TempRepo::with(&[]);
    assert!(discovery_fails(&temp.root.join(".git")).contains("inside the `.git` directory"));
}

#[test]
fn the_root_is_found_from_a_folder_below_and_from_a_linked_worktree() {
    let temp = TempRepo::with(&[("deep/er/a", "1")]);
    assert_eq!(Repo::discover(&temp.root.join("deep/er")).unwrap().root(), temp.root);
    let linked = TempRepo::empty_folder();
    let dir = linked.root.join("with space");
    temp.git(&["worktree", "add", "-q", "--detach", dir.as_str()]);
    let repo = Repo::discover(&dir).unwrap();
    assert_eq!(repo.root(), dir);
    assert_eq!(repo.blob(&repo.commit("HEAD").unwrap(), "deep/er/a").unwrap().unwrap(), b"1");
}

#[test]
fn blobs_come_in_the_order_asked_whatever_their_names() {
    let names = ["a b", "é \"q\"", "two\nlines", "-x", "sub/c", ":odd", "*"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, *name)).collect();
    let temp = TempRepo::with(&files);
    let repo = temp.open();
    let head = repo.commit("HEAD").unwrap();
    let mut asked = names.to_vec();
    asked.extend(["missing", "missing\nlines", "sub"]);
    let found = repo.blobs(&head, &asked).unwrap();
    for (name, bytes) in names.iter().zip(&found) {
        assert_eq!(bytes.as_deref(), Some(name.as_bytes()), "{name:?}");
    }
    assert_eq!(found[names.len()..], [None, None, None], "neither a missing path nor a folder is a file");
    let mut listed = repo.ls_tree(&head, "").unwrap();
    listed.sort();
    let mut expected = names.map(str::to_owned);
    expected.sort();
    assert_eq!(listed, expected);
    assert_eq!(repo.ls_tree(&head, "sub").unwrap(), ["sub/c"]);
}

#[test]
fn no_setting_bends_the_diff() {
    let names = ["a/x.rs", "with space.rs", "é.rs", "q\"uote.rs", "new\nline.rs"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "1\n2\n3\n4\n5\n6\n7\n")).collect();
    let temp = TempRepo::with(&files);
    temp.commit(&[("moved.rs", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"), (".gitattributes", "*.rs -diff binary\n")]);
    let from = temp.open().commit("HEAD").unwrap();
    for name in names {
        temp.write(name, "1\nTWO\n3\n4\nFIVE\n6\n7\n");
    }
    temp.git(&["mv", "moved.rs", "there.rs"]);
    temp.write("there.rs", "a\nb\nc\nd\ne\nf\ng\nh\ni\nJ\n");
    let plain = diff::parse(&temp.open().diff_working_tree(&from).unwrap()).unwrap();
    for (key, value) in BENT {
        temp.git(&["config", key, value]);
    }
    let repo = temp.open();
    let working = diff::parse(&repo.diff_working_tree(&from).unwrap()).unwrap();
    assert_eq!(working, plain);
    let mut paths: Vec<&str> = working.iter().map(|file| file.path()).collect();
    paths.sort_unstable();
    let mut expected = names.to_vec();
    expected.push("there.rs");
    expected.sort_unstable();
    assert_eq!(paths, expected);
    for file in &working {
        let renamed = file.path() == "there.rs";
        assert_eq!(file.status, if renamed { Status::Renamed } else { Status::Modified });
        assert_eq!(file.hunks.len(), if renamed { 1 } else { 2 }, "{file:?}");
        assert!(!file.binary);
    }
    temp.git(&["add", "-A"]);
    temp.git(&["-c", "diff.orderFile=/dev/null", "commit", "-q", "-m", "change"]);
    let committed = diff::parse(&repo.diff_commits(&from, &repo.commit("HEAD").unwrap()).unwrap()).unwrap();
    let facts = |files: Vec<crate::diff::FileDiff>| -> Vec<_> {
        files.into_iter().map(|file| (file.path().to_owned(), file.status, file.hunks)).collect()
    };
    assert_eq!(facts(committed), facts(working));
}

#[test]
fn a_file_meant_to_be_added_is_part_of_the_working_tree() {
    let temp = TempRepo::with(&[("a", "1\n")]);
    temp.write("new.rs", "x\ny\n");
    temp.git(&["add", "--intent-to-add", "new.rs"]);
    let repo = temp.open();
    let files = diff::parse(&repo.diff_working_tree(&repo.commit("HEAD").unwrap()).unwrap()).unwrap();
    assert_eq!((files[0].path(), files[0].status, files[0].hunks[0].new_lines), ("new.rs", Status::Added, 2));
}

#[test]
fn a_submodule_is_named_as_one() {
    let inner = TempRepo::with(&[("x", "1")]);
    let temp = TempRepo::with(&[("a", "1")]);
    let from = temp.open().commit("HEAD").unwrap();
    // As `git submodule add` would, which is a shell script and needs more than git.
    let commit = inner.git(&["rev-parse", "HEAD"]);
    temp.write(".gitmodules", format!("[submodule \"sub\"]\n\tpath = sub\n\turl = {}\n", inner.root));
    temp.git(&["add", ".gitmodules"]);
    temp.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{},sub", commit.trim())]);
    temp.git(&["commit", "-q", "-m", "sub"]);
    temp.git(&["config", "diff.submodule", "log"]);
    let repo = temp.open();
    let files = diff::parse(&repo.diff_commits(&from, &repo.commit("HEAD").unwrap()).unwrap()).unwrap();
    assert!(files.iter().any(|file| file.submodule && file.path() == "sub"), "{files:?}");
}

#[test]
fn a_sha256_repository_works_alike() {
    let temp = TempRepo::empty_folder();
    temp.git(&["init", "-q", "-b", "main", "--object-format=sha256"]);
    temp.git(&["config", "user.name", "Test"]);
    temp.git(&["config", "user.email", "test@example.com"]);
    let id = temp.commit(&[("a.rs", "1\n")]);
    temp.write("a.rs", "2\n");
    let repo = temp.open();
    let head = repo.commit("HEAD").unwrap();
    assert_eq!((head.as_str(), id.len()), (id.as_str(), 64));
    assert_eq!(repo.blobs(&head, &["a.rs", "no"]).unwrap(), [Some(b"1\n".to_vec()), None]);
    let files = diff::parse(&repo.diff_working_tree(&head).unwrap()).unwrap();
    assert_eq!(files[0].old_blob.as_ref().map(String::len), Some(64));
}
