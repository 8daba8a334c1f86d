//! `testdata/tampering/`: one small crate, and patches that make its tests look away, each in its own way; beside
//! honest ones that must be let through.
//!
//! A patch is a folder with `patch.toml` (the rules that `compare` names, the decision, files of the base that are gone)
//! and the files of the head that differ.

use crate::harness::untouched::Snapshot;
use crate::harness::{Fixture, Problems};
use cargo_hunkmut::compare::model::Comparison;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    about: String,
    /// Rules that must be among the reasons. All others must follow from `resurrected` being one of them.
    rules: Vec<String>,
    decision: String,
    #[serde(default)]
    removed: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/tampering")
}

/// The base on `main`, the patch on `patch`, checked out.
pub fn repository(name: &str) -> Fixture {
    let fixture = Fixture::unborn();
    fixture.overlay(&folder().join("base"), "");
    fixture.write(".gitignore", "target/\n");
    fixture.lock("");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    let patch = read(name);
    for path in &patch.removed {
        std::fs::remove_file(fixture.root().join(path)).unwrap();
    }
    let head = folder().join("patches").join(name).join("head");
    if head.exists() {
        fixture.overlay(&head, "");
    }
    fixture.commit("patch");
    fixture
}

fn read(name: &str) -> Patch {
    let path = folder().join("patches").join(name).join("patch.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    toml::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

pub fn comparison(fixture: &Fixture) -> Option<Comparison> {
    let text = std::fs::read_to_string(fixture.root().join("target/hunkmut/report/compare.json")).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

fn check(name: &str) {
    let (patch, fixture) = (read(name), repository(name));
    let before = Snapshot::of(&fixture);
    let ran = fixture.hunkmut(&["compare", "--base", "main"]);
    let mut problems = Problems::default();
    before.check(&fixture, &mut problems);
    let code = match patch.decision.as_str() {
        "allow-review" => 0,
        "reject" => 1,
        "hold" => 3,
        other => panic!("`{other}` is no decision"),
    };
    problems.same("exit code", ran.code, Some(code));
    match comparison(&fixture) {
        None => problems.add("there is no compare.json"),
        Some(comparison) => {
            problems.same("decision", comparison.decision.to_string(), patch.decision.clone());
            let said: BTreeSet<String> = comparison.reasons.iter().map(|reason| reason.rule.to_string()).collect();
            for rule in &patch.rules {
                problems.expect(said.contains(rule), || format!("lacks the rule `{rule}`: {said:?}"));
            }
            // What a patch may bring along: mutants that live again, and a hold for touching the judge's files.
            let more = said.iter().filter(|rule| !patch.rules.contains(rule));
            for rule in more.filter(|rule| !["resurrected", "policy-changed"].contains(&rule.as_str())) {
                problems.add(format!("has the rule `{rule}`"));
            }
        }
    }
    problems.settle(&patch.about, &ran);
}

macro_rules! patches {
    ($($test:ident: $folder:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($folder);
            }
        )*

        const NAMES: &[&str] = &[$($folder),*];
    };
}

patches! {
    assertion_loosened: "assertion-loosened",
    assertion_removed: "assertion-removed",
    body_emptied: "body-emptied",
    early_return: "early-return",
    fixture_changed: "fixture-changed",
    fixture_removed: "fixture-removed",
    fixture_synthesized_only: "fixture-synthesized-only",
    fixture_without_provenance: "fixture-without-provenance",
    freeze_added: "freeze-added",
    freeze_extended: "freeze-extended",
    freeze_incomplete: "freeze-incomplete",
    freeze_unreadable: "freeze-unreadable",
    honest_good_change: "honest-good-change",
    honest_moved_module: "honest-moved-module",
    honest_new_fixture: "honest-new-fixture",
    honest_reformatted: "honest-reformatted",
    honest_renamed_test: "honest-renamed-test",
    honest_split_file: "honest-split-file",
    honest_strengthened: "honest-strengthened",
    nextest_filter: "nextest-filter",
    nextest_retries: "nextest-retries",
    nextest_timeout: "nextest-timeout",
    no_new_kills: "no-new-kills",
    policy_changed: "policy-changed",
    resurrected_through_helper: "resurrected-through-helper",
    should_panic_widened: "should-panic-widened",
    test_deleted: "test-deleted",
    test_file_deleted: "test-file-deleted",
    test_gated: "test-gated",
    test_gated_by_manifest: "test-gated-by-manifest",
    test_ignored: "test-ignored",
    test_made_plain: "test-made-plain",
    tolerance_widened: "tolerance-widened",
    unwrap_dropped: "unwrap-dropped",
}

#[test]
fn every_patch_is_a_test() {
    let all = folder().join("patches").read_dir().unwrap();
    let folders: BTreeSet<String> = all.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(folders, NAMES.iter().map(|name| name.to_string()).collect());
}

#[test]
fn the_freeze_alone_builds_nothing_and_names_the_rule() {
    let fixture = repository("test-ignored");
    let ran = fixture.hunkmut(&["freeze", "--base", "main"]);
    ran.ends(1, &["test-ignored", "every_started_hour_counts", "tests/fees.rs"]);
    assert!(!fixture.root().join("target/hunkmut/target").exists());
    assert_eq!(comparison(&fixture).unwrap().killmaps.base, None);
    repository("honest-good-change").hunkmut(&["freeze", "--base", "main"]).ends(0, &[]);
}
