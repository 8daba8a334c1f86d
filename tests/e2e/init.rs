//! `init`: the first files, and the templates used for real as far as this machine can.

use crate::harness::program::{clean, finish};
use crate::harness::{Fixture, Ran};
use std::path::{Path, PathBuf};

/// `PATH` with the built program, so that `cargo hunkmut` is a subcommand.
fn path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-hunkmut")).parent().unwrap().to_owned();
    let rest = crate::harness::nextest::path().cloned().or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&rest))).unwrap()
}

fn run(fixture: &Fixture, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Ran {
    let mut command = clean(program, &fixture.root());
    command.args(args).env("PATH", path());
    finish(command)
}

/// A tool of this machine; says so where there is none.
fn tool(name: &str) -> Option<PathBuf> {
    let found = std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(name)).find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: `{name}` is not installed");
    }
    found
}

/// The crate of [`Fixture::counter`] whose `main` has what `init` writes, and one more file.
fn started(option: &str, file: &str, content: &str) -> Fixture {
    let fixture = Fixture::unborn();
    fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.hunkmut(&["init", option]).ends(0, &["wrote"]);
    fixture.write(file, content);
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.grow_counter();
    fixture
}

fn text(fixture: &Fixture, file: &str) -> String {
    std::fs::read_to_string(fixture.root().join(file)).unwrap()
}

#[test]
fn init_writes_a_policy_that_judges_as_none_would_and_overwrites_nothing() {
    let fixture = Fixture::counter();
    fixture.hunkmut(&["init"]).ends(0, &["wrote .config/hunkmut.toml", "merge base"]);
    fixture.hunkmut(&["list", "--policy", ".config/hunkmut.toml"]).ends(0, &["src/lib.rs"]);
    fixture.write(".config/hunkmut.toml", "floor = 1\n");
    fixture.hunkmut(&["init"]).ends(2, &["exists already"]);
    fixture.hunkmut(&["init", "--just"]).ends(0, &["kept  .config/hunkmut.toml", "wrote hunkmut.just"]);
    assert_eq!(text(&fixture, ".config/hunkmut.toml"), "floor = 1\n");
}

#[test]
fn init_writes_every_template_where_its_tool_looks() {
    let fixture = Fixture::counter();
    let all = ["init", "--ci", "github", "--ci", "github-action", "--ci", "gitlab", "--just", "--cargo-make", "--hook"];
    fixture.hunkmut(&all).ends(0, &["required checks"]);
    for file in [
        ".config/hunkmut.toml",
        ".github/workflows/hunkmut.yml",
        ".github/actions/hunkmut/action.yml",
        ".gitlab/hunkmut.yml",
        "hunkmut.just",
        "hunkmut.Makefile.toml",
        ".git/hooks/pre-push",
    ] {
        assert!(fixture.root().join(file).is_file(), "{file}");
    }
    fixture.hunkmut(&["init", "--ci", "gitlab"]).ends(2, &[".gitlab/hunkmut.yml", "nothing is overwritten"]);
}

#[test]
fn in_a_workspace_below_the_repositorys_root_the_pipeline_goes_there() {
    let fixture = Fixture::unborn();
    fixture.write("rust/Cargo.toml", "[package]\nname = \"deep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    fixture.write("rust/src/lib.rs", "");
    fixture.commit("base");
    let manifest = ["--manifest-path", "rust/Cargo.toml"];
    fixture
        .hunkmut(&["init", "--ci", "github", manifest[0], manifest[1]])
        .ends(0, &["wrote rust/.config/hunkmut.toml"]);
    assert!(text(&fixture, ".github/workflows/hunkmut.yml").contains("working-directory: \"rust\""));
}

#[test]
fn a_configuration_of_cargo_mutants_is_taken_over() {
    let fixture = Fixture::counter();
    fixture.write(".cargo/mutants.toml", "exclude_globs = [\"src/lib.rs\"]\nskip_calls = [\"x\"]\n");
    fixture.hunkmut(&["init", "--from-cargo-mutants"]).ends(0, &["`paths.exclude`", "`skip_calls` has no counterpart"]);
    let ran = fixture.hunkmut(&["list", "--base", "main", "--policy", ".config/hunkmut.toml"]);
    assert!(!ran.stdout.contains("src/lib.rs:"), "{}", ran.transcript());
    Fixture::counter().hunkmut(&["init", "--from-cargo-mutants"]).ends(2, &[".cargo/mutants.toml"]);
}

#[cfg(unix)]
#[test]
fn the_hook_stops_a_push_that_its_tests_would_not_notice() {
    let fixture = Fixture::counter();
    let remote = tempfile::tempdir().unwrap();
    fixture.git(&["init", "-q", "--bare", remote.path().to_str().unwrap()]);
    fixture.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    fixture.git(&["push", "-q", "origin", "main"]);
    fixture.git(&["remote", "set-head", "origin", "main"]);
    fixture.hunkmut(&["init", "--hook"]).ends(0, &[".git/hooks/pre-push"]);
    run(&fixture, "git", &["push", "origin", "patch"]).ends(0, &["pass"]);
    run(&fixture, "git", &["push", "origin", "--delete", "patch"]).ends(0, &[]);
    fixture.git(&["checkout", "-q", "-b", "untested", "main"]);
    fixture.write("src/lib.rs", "pub fn zero() -> u32 {\n    0\n}\n\npub fn next(n: u32) -> u32 {\n    n + 1\n}\n");
    fixture.commit("no test");
    run(&fixture, "git", &["push", "origin", "untested"]).ends(1, &["block", "exit code 1"]);
}

#[test]
fn the_recipes_for_just_run() {
    let Some(just) = tool("just") else { return };
    let fixture = started("--just", "justfile", "import 'hunkmut.just'\n");
    run(&fixture, &just, &["hunkmut-look"]).ends(0, &["src/lib.rs:5", "counter::next one_follows_zero"]);
    run(&fixture, &just, &["hunkmut", "main", "-j", "1"]).ends(0, &["pass"]);
    run(&fixture, &just, &["hunkmut-report", "short"]).ends(0, &["killed"]);
}

#[test]
fn the_tasks_for_cargo_make_run() {
    let Some(make) = tool("cargo-make") else { return };
    let fixture = started("--cargo-make", "Makefile.toml", "extend = \"hunkmut.Makefile.toml\"\n");
    run(&fixture, &make, &["make", "hunkmut-list"]).ends(0, &["src/lib.rs:"]);
    run(&fixture, &make, &["make", "hunkmut", "-j", "1"]).ends(0, &["pass"]);
    run(&fixture, &make, &["make", "hunkmut-report"]).ends(0, &["killed"]);
}
