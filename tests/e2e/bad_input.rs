//! What goes wrong outside: each failure ends with the documented code and says what to do.

use crate::harness::program::{finish, hunkmut, report};
use crate::harness::{Fixture, Ran};
use std::time::{Duration, Instant};

const RUN: &[&str] = &["--base", "main"];

/// No verdict was reached: exit 2, these words, and no report that could be taken for one.
#[track_caller]
fn refuses(fixture: &Fixture, args: &[&str], words: &[&str]) -> Ran {
    let ran = fixture.hunkmut(args);
    ran.ends(2, words);
    assert!(report(&fixture.root()).is_none(), "a report was written\n{}", ran.transcript());
    assert!(!ran.said().contains("panicked"), "{}", ran.transcript());
    ran
}

#[test]
fn no_repository() {
    let fixture = Fixture::folder();
    fixture.crate_files("lonely", "");
    // The system's temporary folder may lie in a repository.
    let mut command = hunkmut(&fixture.root());
    command.args(RUN).env("GIT_CEILING_DIRECTORIES", fixture.root().parent().unwrap());
    finish(command).ends(2, &["git", "repository"]);
}

#[test]
fn an_unknown_revision() {
    let fixture = Fixture::counter();
    refuses(&fixture, &["--base", "nosuch"], &["nosuch"]);
    refuses(&fixture, &["--base", "main", "--head", "nosuch"], &["nosuch"]);
    refuses(&fixture, &["scope", "--base", "nosuch"], &["nosuch"]);
}

#[test]
fn a_base_that_looks_like_an_option() {
    refuses(&Fixture::counter(), &["--base=--upload-pack=touch x"], &[]);
}

#[test]
#[cfg(unix)]
fn a_module_behind_a_symbolic_link_is_named_and_not_judged() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("other/real.rs", "pub fn same(x: u32) -> u32 {\n    x\n}\n");
    std::os::unix::fs::symlink("../other/real.rs", fixture.root().join("src/link.rs")).unwrap();
    fixture.write("src/lib.rs", "pub mod link;\n");
    fixture.commit("a link");
    fixture.git(&["checkout", "-q", "-B", "patch"]);
    fixture.write("other/real.rs", "pub fn same(x: u32) -> u32 {\n    x + 2\n}\n");
    fixture.write("tests/link.rs", "#[test]\nfn two_more() {\n    assert_eq!(counter::link::same(1), 3);\n}\n");
    fixture.commit("patch");
    let ran = fixture.hunkmut(RUN);
    let report = report(&fixture.root()).unwrap();
    assert!(report.mutants.is_empty() && ran.code != Some(0), "{}", ran.transcript());
    assert_eq!(report.scope.unmutated.iter().map(|line| &*line.reason).collect::<Vec<_>>(), ["symbolic-link"]);
}

#[test]
fn no_common_ancestor() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "--orphan", "other"]);
    fixture.commit("another beginning");
    refuses(&fixture, RUN, &["merge base"]);
}

#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("more.txt", "more");
    fixture.commit("main goes on");
    fixture.git(&["checkout", "-q", "patch"]);
    let clone = Fixture::folder();
    let from = format!("file://{}", fixture.root().display());
    clone.git(&["clone", "-q", "--depth=1", "--no-single-branch", &from, "."]);
    clone.git(&["checkout", "-q", "patch"]);
    refuses(&clone, &["--base", "origin/main"], &["shallow", "git fetch", "unshallow"]);
}

#[test]
fn a_repository_without_a_commit() {
    let fixture = Fixture::unborn();
    fixture.crate_files("unborn", "pub fn f() {}\n");
    refuses(&fixture, &[], &["commit"]);
}

#[test]
fn a_merge_in_progress() {
    let fixture = Fixture::counter();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("src/lib.rs", "pub fn zero() -> u32 {\n    1 - 1\n}\n\npub fn previous() {}\n");
    fixture.commit("main goes on");
    fixture.git(&["checkout", "-q", "patch"]);
    let mut merge = crate::harness::program::clean("git", &fixture.root());
    merge.args(["merge", "-q", "main"]);
    assert_ne!(finish(merge).code, Some(0), "the merge conflicts");
    refuses(&fixture, RUN, &["merge"]);
    assert!(fixture.root().join(".git/MERGE_HEAD").exists(), "the merge is still in progress");
}

#[test]
fn a_file_that_does_not_parse_is_named_and_held() {
    let fixture = Fixture::counter();
    // Only compiled for another system: rustc never sees it, this program does.
    fixture.write("src/other.rs", "pub fn broken( {\n");
    fixture.write("src/lib.rs", format!("#[cfg(windows)]\nmod other;\n{}", fixture.read("src/lib.rs")));
    fixture.commit("a broken file");
    let ran = fixture.hunkmut(RUN);
    ran.ends(3, &["src/other.rs"]);
    let report = report(&fixture.root()).unwrap();
    assert!(report.counts.killed > 0, "the rest is judged\n{}", ran.transcript());
    let reason = report.scope.unmutated.iter().find(|u| u.file == "src/other.rs").map(|u| u.reason.as_str());
    assert!(matches!(reason, Some("unparsable" | "cfg-off")), "{reason:?}");
}

#[test]
fn a_name_that_later_editions_reserve_makes_a_file_unparsable() {
    let fixture = Fixture::counter();
    fixture.write("Cargo.toml", "[package]\nname = \"counter\"\nversion = \"0.1.0\"\n");
    fixture.write("src/old.rs", "pub fn twice(async: u32) -> u32 {\n    async * 2\n}\n");
    fixture.write("src/lib.rs", format!("pub mod old;\n{}", fixture.read("src/lib.rs")));
    fixture.write("tests/next.rs", format!("extern crate counter;\n{}", fixture.read("tests/next.rs")));
    fixture.commit("edition 2015");
    fixture.hunkmut(RUN).ends(3, &["src/old.rs", "parse"]);
}

#[test]
fn a_file_that_is_not_utf_8_is_named_and_held() {
    let fixture = Fixture::counter();
    fixture.write("src/latin.rs", b"// caf\xe9\npub fn cafe() -> u32 {\n    7 + 1\n}\n");
    fixture.write("src/lib.rs", format!("#[cfg(windows)]\nmod latin;\n{}", fixture.read("src/lib.rs")));
    fixture.commit("a file in another encoding");
    let ran = fixture.hunkmut(RUN);
    ran.ends(3, &["src/latin.rs"]);
    assert!(report(&fixture.root()).unwrap().counts.killed > 0, "{}", ran.transcript());
}

#[test]
fn a_manifest_that_does_not_load() {
    let fixture = Fixture::counter();
    fixture.write("Cargo.toml", "[package]\nname = \"counter\"\nversion = \"one\"\n");
    refuses(&fixture, RUN, &["Cargo.toml"]);
}

#[test]
fn no_manifest_at_all() {
    let fixture = Fixture::unborn();
    fixture.write("README.md", "no crate");
    fixture.commit("base");
    refuses(&fixture, RUN, &["Cargo.toml"]);
}

#[test]
fn a_build_that_fails_shows_the_compilers_own_words() {
    let fixture = Fixture::counter();
    fixture.write("src/lib.rs", "pub fn zero() -> u32 {\n    0\n}\n\npub fn next(n: u32) -> u32 {\n    \"no\"\n}\n");
    refuses(&fixture, RUN, &["E0308", "mismatched types", "src/lib.rs:6"]);
}

#[test]
fn a_test_that_does_not_compile_shows_the_compilers_own_words() {
    let fixture = Fixture::counter();
    fixture.write("tests/next.rs", "#[test]\nfn t() {\n    counter::nothing();\n}\n");
    refuses(&fixture, RUN, &["E0425", "tests/next.rs:3"]);
}

#[test]
fn a_test_list_that_fails_is_named() {
    let fixture = Fixture::counter();
    let manifest = fixture.read("Cargo.toml") + "\n[[test]]\nname = \"own\"\nharness = false\n";
    fixture.write("Cargo.toml", manifest);
    fixture.write("tests/own.rs", "fn main() {\n    eprintln!(\"no list today\");\n    std::process::exit(1);\n}\n");
    fixture.commit("a harness of its own");
    let ran = fixture.hunkmut(RUN);
    let said = ran.said();
    assert!(said.contains("counter::own") || said.contains("`own`") || said.contains("own.rs"), "{}", ran.transcript());
    // The target itself is part of the patch, so judging without it would miss tests.
    assert_ne!(ran.code, Some(0), "{}", ran.transcript());
}

#[test]
fn a_lock_file_that_was_not_there_is_not_left_behind() {
    let fixture = Fixture::counter();
    fixture.git(&["rm", "-q", "Cargo.lock"]);
    fixture.commit("no lock file");
    fixture.hunkmut(RUN).ends(0, &["pass"]);
    assert!(!fixture.root().join("Cargo.lock").exists(), "the work tree has a new file");
    assert!(report(&fixture.root()).unwrap().tree.clean);
}

#[test]
fn an_unknown_key_of_the_policy_suggests_the_nearest() {
    let fixture = Fixture::unborn();
    fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.write(".config/hunkmut.toml", "flor = 30\n");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.grow_counter();
    fixture.commit("patch");
    refuses(&fixture, RUN, &["flor", "`floor`", ".config/hunkmut.toml"]);
}

#[test]
fn a_policy_file_that_is_not_there() {
    refuses(&Fixture::counter(), &["--base", "main", "--policy", "nosuch.toml"], &["nosuch.toml"]);
}

#[test]
fn a_huge_data_file_does_not_drown_a_small_change() {
    let fixture = Fixture::counter();
    let rows: String = (0..20_000).map(|n| format!("    {n},\n")).collect();
    fixture.write("src/table.rs", format!("// @generated\npub static TABLE: &[u32] = &[\n{rows}];\n"));
    fixture.write("src/lib.rs", format!("pub mod table;\n{}", fixture.read("src/lib.rs")));
    fixture.commit("a table");
    let start = Instant::now();
    let ran = fixture.hunkmut(RUN);
    ran.ends(0, &["pass"]);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let report = report(&fixture.root()).unwrap();
    assert!(report.mutants.iter().all(|m| m.file == "src/lib.rs"), "generated code is not mutated");
}

#[test]
fn a_report_folder_that_cannot_be_made() {
    let fixture = Fixture::counter();
    fixture.write("target/taken", "a file");
    let ran = fixture.hunkmut(&["--base", "main", "--report-dir", "target/taken/report"]);
    ran.ends(2, &["target/taken"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_not_a_verdict() {
    let fixture = Fixture::counter();
    std::fs::create_dir_all(fixture.root().join("target/full")).unwrap();
    // Every write to this device fails with "no space left".
    for file in ["report.json", "report.md"] {
        std::os::unix::fs::symlink("/dev/full", fixture.root().join("target/full").join(file)).unwrap();
    }
    let ran = fixture.hunkmut(&["--base", "main", "--report-dir", "target/full"]);
    let replaced = !fixture.root().join("target/full/report.json").is_symlink();
    // A report that is renamed into place never meets the device; one that is written through must fail.
    assert!(ran.code == Some(2) || (ran.code == Some(0) && replaced), "{}", ran.transcript());
}
