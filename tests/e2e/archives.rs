//! One build for many machines: an archive, run where there is neither cargo nor a compiler.

use crate::harness::case::Case;
use crate::harness::program::{finish, hunkmut, report, report_at};
use crate::harness::{Fixture, Problems, Ran, nextest};
use cargo_hunkmut::report::model::{Decision, Report, Verdict};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHARES: u32 = 4;

/// A clone in a folder beside the fixture's repository.
fn machine(fixture: &Fixture, name: &str) -> PathBuf {
    let to = fixture.root().parent().unwrap().join(name);
    fixture.git(&["clone", "-q", ".", to.to_str().unwrap()]);
    to
}

fn archive_file(fixture: &Fixture) -> PathBuf {
    fixture.root().parent().unwrap().join("patch.tar.zst")
}

/// Builds the fixture's patch into an archive beside it.
fn archive(fixture: &Fixture, more: &[&str]) -> Ran {
    let file = archive_file(fixture);
    fixture.hunkmut(&[&["archive", "--base", "main", file.to_str().unwrap()], more].concat())
}

/// A `PATH` with git and nextest, and nothing that compiles.
#[cfg(unix)]
fn without_compiler(fixture: &Fixture) -> PathBuf {
    let dir = fixture.root().parent().unwrap().join("tools");
    std::fs::create_dir_all(&dir).unwrap();
    let path = nextest::path().cloned().or_else(|| std::env::var_os("PATH")).unwrap();
    for tool in ["git", "cargo-nextest"] {
        let found = std::env::split_paths(&path).map(|dir| dir.join(tool)).find(|file| file.is_file());
        if let Some(found) = found.filter(|_| !dir.join(tool).exists()) {
            std::os::unix::fs::symlink(found, dir.join(tool)).unwrap();
        }
    }
    dir
}

#[cfg(unix)]
fn worker(fixture: &Fixture, dir: &Path, args: &[&str]) -> Ran {
    let mut command = hunkmut(dir);
    command.args(["run", "--archive"]).arg(archive_file(fixture)).args(args);
    command.env("TMPDIR", fixture.temporary()).env("PATH", without_compiler(fixture));
    finish(command)
}

/// What two runs have in common: no times, no order of killers, nothing of the clone, no word about the merge.
fn timeless(report: &Report) -> Value {
    let mut value = serde_json::to_value(report).unwrap();
    let fields = value.as_object_mut().unwrap();
    fields.remove("timings_ms");
    fields.remove("tree");
    for (list, of) in [("/mutants", "duration_ms"), ("/tests/baseline", "duration_ms")] {
        for entry in value.pointer_mut(list).unwrap().as_array_mut().unwrap() {
            entry.as_object_mut().unwrap().remove(of);
        }
    }
    // Which killer comes first depends on what else was run before.
    for mutant in value.pointer_mut("/mutants").unwrap().as_array_mut().unwrap() {
        mutant["killed_by"].as_array_mut().unwrap().sort_by_key(ToString::to_string);
    }
    let notes = value.pointer_mut("/notes").unwrap().as_array_mut().unwrap();
    notes.retain(|note| !note.as_str().unwrap().starts_with("merged from"));
    value
}

#[cfg(unix)]
#[test]
fn four_shards_of_one_archive_without_a_compiler_make_the_report_of_one_machine() {
    for name in ["pass", "const-code", "two-crates"] {
        let fixture = Case::named(name).repository();
        // All killers: a test without a kill is tried on until it has one, among the mutants of a share or of the whole.
        let ran = fixture.hunkmut(&["--base", "main", "--exhaustive"]);
        let one = report(&fixture.root()).unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
        archive(&fixture, &[]).ends(0, &["archived"]);

        let mut merge = vec!["merge".to_owned(), "--report-dir".to_owned(), "target/whole".to_owned()];
        for index in 1..=SHARES {
            let dir = machine(&fixture, &format!("machine {index}"));
            let part = worker(&fixture, &dir, &["--exhaustive", "--shard", &format!("{index}/{SHARES}")]);
            let share = report(&dir).unwrap_or_else(|| panic!("no report\n{}", part.transcript()));
            assert!(!share.complete && share.decision != Decision::Pass, "{}", part.transcript());
            merge.push(dir.join("target/hunkmut/report/report.json").to_str().unwrap().to_owned());
        }
        let merge = fixture.hunkmut(&merge.iter().map(String::as_str).collect::<Vec<_>>());
        let whole = report_at(&fixture.root().join("target/whole"));
        let whole = whole.unwrap_or_else(|| panic!("no report\n{}", merge.transcript()));
        let mut problems = Problems::default();
        problems.same("exit code", merge.code, ran.code);
        let (whole, one) = (timeless(&whole), timeless(&one));
        for (key, value) in one.as_object().unwrap() {
            problems.same(key, &whole[key], value);
        }
        problems.settle(name, &merge);
    }
}

/// Tests find programs by the path that they were compiled with.
#[cfg(unix)]
#[test]
fn tests_of_programs_say_the_same_where_the_archive_was_made_and_nothing_wrong_elsewhere() {
    for name in ["cleared-environment", "binary-crate"] {
        let fixture = Case::named(name).repository();
        let ran = fixture.hunkmut(&["--base", "main"]);
        let one = report(&fixture.root()).unwrap();
        archive(&fixture, &[]).ends(0, &[]);
        let elsewhere = machine(&fixture, "elsewhere");
        worker(&fixture, &elsewhere, &[]).ends(2, &["may have been compiled to start"]);

        let builder = fixture.root().parent().unwrap().join("builder");
        std::fs::rename(fixture.root(), &builder).unwrap();
        worker(&fixture, &elsewhere, &[]).ends(4, &["were green where the archive was made"]);
        Command::new("git").args(["clone", "-q"]).args([&builder, &fixture.root()]).status().unwrap();
        let again = worker(&fixture, &fixture.root(), &[]);
        let other = report(&fixture.root()).unwrap_or_else(|| panic!("no report\n{}", again.transcript()));
        let mut problems = Problems::default();
        problems.same("exit code", again.code, ran.code);
        problems.same("report", timeless(&other), timeless(&one));
        problems.settle(name, &again);
    }
}

#[cfg(unix)]
#[test]
fn a_mutant_that_the_archive_does_not_hold_is_unverified() {
    let fixture = Case::named("const-code").repository();
    archive(&fixture, &[]).ends(0, &[]);
    // The executables of mutants that are compiled alone are of no use to tests that start another machine's program;
    // here they are taken out of what the archive says.
    let file = archive_file(&fixture);
    let text = unpacked(&std::fs::read(&file).unwrap());
    let (label, rest) = text.split_first().unwrap();
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
    for (path, bytes) in std::iter::once(label).chain(rest) {
        let mut bytes = bytes.clone();
        if path == "target/hunkmut/contents.json" {
            let mut contents: Value = serde_json::from_slice(&bytes).unwrap();
            let alone = contents.pointer_mut("/build/alone").unwrap().as_object_mut().unwrap();
            assert!(!alone.is_empty(), "this case has mutants that no switch can hold");
            alone.clear();
            bytes = serde_json::to_vec(&contents).unwrap();
        }
        append(&mut tar, path, &bytes);
    }
    std::fs::write(&file, tar.into_inner().unwrap().finish().unwrap()).unwrap();
    let dir = machine(&fixture, "worker");
    let ran = worker(&fixture, &dir, &[]);
    ran.ends(5, &[]);
    let report = report(&dir).unwrap();
    let left: Vec<_> = report.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Unverified).collect();
    assert!(!left.is_empty() && !report.complete, "{}", ran.transcript());
    let why = |reason: &str| reason.contains("the archive does not hold it");
    assert!(left.iter().all(|mutant| mutant.reason.as_deref().is_some_and(why)), "{left:?}");
}

/// What becomes of a file of an archive, by path.
type Change<'a> = dyn Fn(&str, Vec<u8>) -> Option<Vec<u8>> + 'a;

/// The files of an archive, in their order.
fn unpacked(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut tar = tar::Archive::new(zstd::Decoder::new(bytes).unwrap());
    let mut files = Vec::new();
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        files.push((entry.path().unwrap().to_str().unwrap().to_owned(), bytes));
    }
    files
}

fn append(tar: &mut tar::Builder<impl std::io::Write>, path: &str, bytes: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o755);
    tar.append_data(&mut header, path, bytes).unwrap();
}

#[cfg(unix)]
#[test]
fn archives_that_are_of_no_use_are_refused_with_the_reason() {
    let fixture = Fixture::counter();
    let dir = machine(&fixture, "worker");
    let run = |words: &[&str]| {
        let ran = worker(&fixture, &dir, &[]);
        ran.ends(2, words);
        assert!(report(&dir).is_none(), "no report of a run that was none\n{}", ran.transcript());
    };
    run(&["could not read the archive", "patch.tar.zst"]);
    archive(&fixture, &[]).ends(0, &[]);
    let file = archive_file(&fixture);
    let whole = std::fs::read(&file).unwrap();

    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    run(&["could not read the archive", "cut off or damaged"]);
    std::fs::write(&file, &whole[..40]).unwrap();
    run(&["could not read the archive", "cut off or damaged"]);
    std::fs::write(&file, b"not an archive").unwrap();
    run(&["could not read the archive"]);
    let mut broken = whole.clone();
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    std::fs::write(&file, &broken).unwrap();
    run(&["could not read the archive"]);

    let changed = |change: &Change<'_>| {
        let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
        for (path, bytes) in unpacked(&whole) {
            if let Some(bytes) = change(&path, bytes) {
                append(&mut tar, &path, &bytes);
            }
        }
        std::fs::write(&file, tar.into_inner().unwrap().finish().unwrap()).unwrap();
    };
    let of_label = |from: &'static str, to: &'static str| {
        move |path: &str, bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Some(if path.ends_with("label.json") { text.replace(from, to).into_bytes() } else { bytes })
        }
    };
    changed(&of_label("\"version\":\"", "\"version\":\"0.0."));
    run(&["it is of cargo-hunkmut 0.0."]);
    changed(&of_label("\"platform\":\"", "\"platform\":\"pdp11-"));
    run(&["its programs are for pdp11-"]);
    changed(&of_label("\"protocol\":\"", "\"protocol\":\"0"));
    run(&["another build of cargo-hunkmut"]);
    changed(&|path, bytes| (!path.ends_with("contents.json")).then_some(bytes));
    run(&["its end is missing"]);
    changed(&|path, bytes| (!path.contains("/deps/")).then_some(bytes));
    run(&["is missing"]);
    changed(&|path, bytes| Some(if path.contains("/deps/") { b"#!/bin/true\n".to_vec() } else { bytes }));
    run(&["is not what was put into it"]);
    // What leads elsewhere is neither read nor written nor started.
    let of_contents = |change: &dyn Fn(&mut Value)| {
        changed(&|path, bytes| {
            if !path.ends_with("hunkmut/contents.json") {
                return Some(bytes);
            }
            let mut contents: Value = serde_json::from_slice(&bytes).unwrap();
            change(contents.pointer_mut("/build").unwrap());
            Some(serde_json::to_vec(&contents).unwrap())
        });
        run(&[]);
    };
    let victim = dir.parent().unwrap().join("victim");
    for to in [victim.to_str().unwrap(), "/w/../victim"] {
        for from in ["target/hunkmut/label.json", "/etc/hostname", "target/../../victim"] {
            of_contents(&|build| build["alone"]["0"] = serde_json::json!({"Built": [[from, to]]}));
        }
    }
    of_contents(&|build| build["built"]["binaries"][0]["path"] = "/bin/true".into());
    of_contents(&|build| {
        let path = build["built"]["binaries"][0]["path"].as_str().unwrap().to_owned();
        let program = format!("{}/../../../../../../../../../../../../../..{}", path, victim.display());
        build["built"]["libraries"] = serde_json::json!([program]);
    });
    assert!(!victim.exists());
    of_contents(&|build| drop(build["fates"].as_array_mut().unwrap().pop()));
    of_contents(&|build| build["validity"]["999"] = serde_json::json!("Valid"));
    changed(&of_label("\"users_target\":\"", "\"users_target\":\"/../.."));
    run(&["outside of the folders"]);
    // Nor does a second file take the place of one that was looked at.
    let twice = {
        let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
        for (path, bytes) in unpacked(&whole) {
            append(&mut tar, &path, &bytes);
            append(&mut tar, &path, b"another");
        }
        tar.into_inner().unwrap().finish().unwrap()
    };
    std::fs::write(&file, twice).unwrap();
    run(&["may not hold"]);
    // An archive of nextest's own.
    changed(&|path, bytes| (!path.contains("/hunkmut/")).then_some(bytes));
    run(&["`cargo hunkmut archive` has not made it"]);

    std::fs::write(&file, &whole).unwrap();
    std::fs::write(dir.join("new.txt"), "").unwrap();
    run(&["changes that are not committed"]);
    std::fs::remove_file(dir.join("new.txt")).unwrap();
    fixture.git(&["-C", dir.to_str().unwrap(), "checkout", "-q", "HEAD~1"]);
    run(&["it is of the head", "this checkout is at", "git checkout"]);
    fixture.git(&["-C", dir.to_str().unwrap(), "checkout", "-q", "patch"]);
    worker(&fixture, &dir, &["--gate", "kill-map"]).ends(2, &["kill-map", "no compiler"]);
    worker(&fixture, &dir, &["--historical"]).ends(2, &["archive was made without it", "--historical"]);
    worker(&fixture, &dir, &["--cap", "8x"]).ends(2, &["no compiler here", "--cap"]);
    worker(&fixture, &dir, &["--base", "main"]).ends(2, &["cannot be used with"]);
    worker(&fixture, &dir, &[]).ends(0, &[]);
}

#[test]
fn what_another_machine_cannot_check_out_or_run_is_not_archived() {
    let fixture = Fixture::counter();
    fixture.write("src/lib.rs", "pub fn zero() -> u32 {\n    0\n}\n");
    archive(&fixture, &[]).ends(2, &["changes that are not committed"]);
    let red = Case::named("baseline-red").repository();
    archive(&red, &[]).ends(4, &["no archive is written"]);
    assert!(!archive_file(&fixture).exists() && !archive_file(&red).exists());
}

#[cfg(unix)]
#[test]
fn a_patch_that_needs_no_build_is_judged_from_its_archive_as_without() {
    for name in ["no-new-tests", "docs-only"] {
        let fixture = Case::named(name).repository();
        let ran = fixture.hunkmut(&["--base", "main"]);
        let one = report(&fixture.root()).unwrap();
        archive(&fixture, &[]).ends(0, &["nothing"]);
        let dir = machine(&fixture, "worker");
        let again = worker(&fixture, &dir, &[]);
        assert_eq!(again.code, ran.code, "{}", again.transcript());
        assert_eq!(timeless(&report(&dir).unwrap()), timeless(&one));
    }
}

#[cfg(unix)]
#[test]
fn the_gate_zero_survivors_asks_the_whole_suite_without_a_compiler() {
    let fixture = Case::named("zero-survivors-compiled-alone").repository();
    let asked = ["--gate", "zero-survivors"];
    let ran = fixture.hunkmut(&[&["--base", "main", "--equivalence", "never"][..], &asked].concat());
    let one = report(&fixture.root()).unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
    archive(&fixture, &asked).ends(0, &[]);
    let dir = machine(&fixture, "worker");
    let again = worker(&fixture, &dir, &[&asked[..], &["--equivalence", "never"]].concat());
    assert_eq!(again.code, ran.code, "{}", again.transcript());
    assert_eq!(timeless(&report(&dir).unwrap()), timeless(&one));
}

#[test]
fn nextest_reads_the_archive_as_one_of_its_own() {
    nextest::required();
    let fixture = Fixture::counter();
    archive(&fixture, &[]).ends(0, &[]);
    let mut command = crate::harness::program::clean("cargo", &fixture.root());
    if let Some(path) = nextest::path() {
        command.env("PATH", path);
    }
    command.args(["nextest", "run", "--workspace-remap", ".", "--archive-file"]).arg(archive_file(&fixture));
    finish(command).ends(0, &["1 passed"]);
}
