//! With nextest, without it, and with tests driven in other ways: the same tests and the same verdicts.

use crate::harness::case::Case;
use crate::harness::program::{finish, hunkmut, report};
use crate::harness::{Fixture, Ran, nextest};
use cargo_hunkmut::report::model::Report;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of links to only what a fresh machine with Rust, git and a C linker has; `None` where links are not to be
/// had.
#[cfg(unix)]
pub fn bare_path(fixture: &Fixture) -> Option<PathBuf> {
    let bin = fixture.root().parent()?.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    // The toolchain's own programs, not rustup's proxies, which need a home.
    let rustc = |program: &str| {
        let out = Command::new("rustc").arg("--print=sysroot").output().unwrap();
        let root = PathBuf::from(String::from_utf8(out.stdout).unwrap().trim());
        root.join("bin").join(program)
    };
    for program in ["cargo", "rustc", "rustdoc"] {
        std::os::unix::fs::symlink(rustc(program), bin.join(program)).unwrap();
    }
    for program in ["git", "cc", "ld", "as", "ar"] {
        let found = std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(program)).find(|p| p.exists());
        if let Some(found) = found {
            std::os::unix::fs::symlink(found.canonicalize().unwrap(), bin.join(program)).unwrap();
        }
    }
    Some(bin)
}

#[cfg(unix)]
fn with_path(dir: &Path, bin: &Path, args: &[&str]) -> Ran {
    let mut command = hunkmut(dir);
    // cargo looks for subcommands in its home, too.
    command.args(args).env("PATH", bin).env("CARGO_HOME", bin.join("cargo-home"));
    finish(command)
}

fn verdicts(report: &Report) -> Vec<(String, String, Vec<String>)> {
    let killers = |m: &cargo_hunkmut::report::model::Mutant| m.executed_by.iter().map(|t| t.to_string()).collect();
    report.mutants.iter().map(|m| (m.id.clone(), format!("{:?}", m.verdict), killers(m))).collect()
}

fn delta(report: &Report) -> Vec<String> {
    report.tests.delta.iter().map(|t| t.id.to_string()).collect()
}

#[cfg(unix)]
fn same_without_nextest(name: &str) {
    nextest::required();
    let case = Case::named(name);
    let fixture = case.repository();
    let (ran, with) = case.run_in(&fixture);
    let with = with.unwrap_or_else(|| panic!("{}", ran.transcript()));
    let bin = bare_path(&fixture).unwrap();
    let bare = with_path(&fixture.root(), &bin, &["--base", "main"]);
    let without = report(&fixture.root()).unwrap();
    assert_eq!(bare.code, ran.code, "{}", bare.transcript());
    assert_eq!(without.tool.nextest, None, "{}", bare.transcript());
    assert_eq!(delta(&without), delta(&with), "{}", bare.transcript());
    assert_eq!(verdicts(&without), verdicts(&with), "{}", bare.transcript());
}

#[test]
#[cfg(unix)]
fn a_library_with_unit_tests_is_judged_the_same_without_nextest() {
    same_without_nextest("unit-tests-in-file");
}

#[test]
#[cfg(unix)]
fn a_library_and_binary_of_one_name_are_judged_the_same_without_nextest() {
    same_without_nextest("lib-and-bin");
}

#[test]
#[cfg(unix)]
fn a_binary_crate_is_judged_the_same_without_nextest() {
    same_without_nextest("binary-crate");
}

#[test]
#[cfg(unix)]
fn a_repository_that_configures_nextest_needs_nextest() {
    let fixture = Fixture::unborn();
    fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.write(".config/nextest.toml", "[profile.default]\nretries = 1\n");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.grow_counter();
    fixture.commit("patch");
    let bin = bare_path(&fixture).unwrap();
    let ran = with_path(&fixture.root(), &bin, &["--base", "main"]);
    ran.ends(2, &["nextest", "cargo install", "--locked"]);
}

fn same_by_nextest(name: &str) {
    nextest::required();
    let case = Case::named(name);
    let fixture = case.repository();
    let direct = fixture.hunkmut(&["--base", "main", "--test-driver", "direct"]);
    let first = report(&fixture.root()).unwrap_or_else(|| panic!("{}", direct.transcript()));
    let driven = fixture.hunkmut(&["--base", "main", "--test-driver", "nextest"]);
    let second = report(&fixture.root()).unwrap();
    assert_eq!(driven.code, direct.code, "{}", driven.transcript());
    assert_eq!(verdicts(&second), verdicts(&first), "{}", driven.transcript());
    assert_eq!(killers(&second), killers(&first), "{}", driven.transcript());
}

fn killers(report: &Report) -> Vec<Vec<(String, String)>> {
    let of = |m: &cargo_hunkmut::report::model::Mutant| {
        m.killed_by.iter().map(|k| (k.id.to_string(), format!("{:?}", k.how))).collect()
    };
    report.mutants.iter().map(of).collect()
}

macro_rules! same_by_nextest {
    ($($test:ident: $name:literal;)*) => {$(
        #[test]
        fn $test() {
            same_by_nextest($name);
        }
    )*};
}

same_by_nextest! {
    nextest_gives_the_same_verdicts_on_survivors: "boundary-unkilled";
    nextest_gives_the_same_verdicts_on_loops: "hanging";
    nextest_gives_the_same_verdicts_on_aborts: "aborting-mutants";
    nextest_gives_the_same_verdicts_on_rebuilt_mutants: "const-code";
    nextest_gives_the_same_verdicts_on_programs: "binary-crate";
    nextest_gives_the_same_verdicts_on_cleared_environments: "cleared-environment";
    nextest_gives_the_same_verdicts_on_expected_panics: "expected-panics";
    nextest_gives_the_same_verdicts_on_unit_tests: "unit-tests-in-file";
    nextest_gives_the_same_verdicts_on_tests_without_teeth: "toothless";
}
