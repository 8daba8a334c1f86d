//! Kill maps and comparisons: what is cached, refused, left out, and what may never be allowed.

use crate::harness::{Fixture, program};
use crate::tampering::{comparison, repository};
use camino::Utf8PathBuf;
use cargo_hunkmut::compare::model::{Comparison, Decision, Rule};
use cargo_hunkmut::killmap::model::KillMap;

fn map(fixture: &Fixture, side: &str) -> KillMap {
    let path = fixture.root().join(format!("target/hunkmut/report/killmap-{side}.json"));
    KillMap::read(&Utf8PathBuf::from_path_buf(path).unwrap()).unwrap()
}

fn rules(comparison: &Comparison) -> Vec<Rule> {
    comparison.reasons.iter().map(|reason| reason.rule).collect()
}

/// A crate with one function, and a patch on `patch`.
fn small(base: &[(&str, &str)], head: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::unborn();
    fixture.crate_files("small", "pub fn f(a: u32) -> bool {\n    a > 3\n}\n");
    base.iter().for_each(|(path, text)| fixture.write(path, text));
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    head.iter().for_each(|(path, text)| fixture.write(path, text));
    fixture.commit("patch");
    fixture
}

const TEST: &str = "#[test]\nfn f_of_four() {\n    assert!(small::f(4));\n    assert!(!small::f(3));\n}\n";
const GROWN: &str = "pub fn f(a: u32) -> bool {\n    a > 3\n}\n\npub fn g(a: u32) -> u32 {\n    a + 1\n}\n";
const GROWN_TEST: &str = "#[test]\nfn g_of_one() {\n    assert_eq!(small::g(1), 2);\n}\n";

#[test]
fn a_base_map_is_used_again_and_both_maps_name_mutants_alike() {
    let fixture = small(&[("tests/f.rs", TEST)], &[("src/lib.rs", GROWN), ("tests/g.rs", GROWN_TEST)]);
    let first = fixture.hunkmut(&["compare", "--base", "main"]);
    first.ends(0, &["allow-review"]);
    let (base, head) = (map(&fixture, "base"), map(&fixture, "head"));
    assert!(!base.killed.is_empty() && base.killed.is_subset(&head.killed));
    assert_eq!(base.tests.iter().collect::<Vec<_>>(), ["small::f f_of_four"]);
    let again = fixture.hunkmut(&["compare", "--base", "main"]);
    again.ends(0, &["fresh"]);
    assert_eq!(map(&fixture, "base"), base);
    assert_eq!(map(&fixture, "head"), head);

    // The two sides one by one are the same maps, and can be compared as files.
    let dir = fixture.root().join("target/maps").to_string_lossy().into_owned();
    fixture.hunkmut(&["killmap", "--base", "main", "--rev", "main", "--report-dir", &dir]).ends(0, &["killed"]);
    fixture.hunkmut(&["killmap", "--base", "main", "--rev", "patch", "--report-dir", &dir]).ends(0, &["killed"]);
    let files = [format!("{dir}/killmap-base.json"), format!("{dir}/killmap-head.json")];
    fixture.hunkmut(&["compare", &files[0], &files[1]]).ends(0, &["allow-review"]);
    fixture.hunkmut(&["compare", &files[1], &files[0]]).ends(1, &["test-deleted"]);
    refuses_what_does_not_belong_together(&fixture, &files);
}

fn refuses_what_does_not_belong_together(fixture: &Fixture, files: &[String; 2]) {
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let changed = |name: &str, text: String| {
        fixture.write(&format!("target/maps/{name}"), text);
        fixture.root().join("target/maps").join(name).to_string_lossy().into_owned()
    };
    let version = env!("CARGO_PKG_VERSION");
    let other_catalog = changed("catalog.json", text.replace("mutants-v1", "mutants-v0"));
    fixture.hunkmut(&["compare", &other_catalog, &files[1]]).ends(2, &["different catalogs"]);
    let other_version = changed("version.json", text.replace(&format!("\"{version}\""), "\"0.0.1\""));
    fixture.hunkmut(&["compare", &other_version, &files[1]]).ends(2, &["different versions"]);
    let cut = changed("cut.json", text[..text.len() / 2].to_owned());
    fixture.hunkmut(&["compare", &cut, &files[1]]).ends(2, &["cut off"]);
    let open = changed("open.json", text.replace("\"complete\": true", "\"complete\": false"));
    fixture.hunkmut(&["compare", &open, &files[1]]).ends(5, &["incomplete"]);
    fixture.hunkmut(&["compare", &files[0], "no-such-map.json"]).ends(2, &["no-such-map.json"]);
}

#[test]
fn a_base_that_does_not_compile_is_never_allowed() {
    let broken = "pub fn f(a: u32) -> bool {\n    a > \"3\"\n}\n";
    let fixture = small(&[("src/lib.rs", broken), ("tests/f.rs", TEST)], &[("src/lib.rs", GROWN)]);
    fixture.hunkmut(&["compare", "--base", "main"]).ends(3, &["the base cannot be measured", "hold"]);
    let comparison = comparison(&fixture).unwrap();
    assert_eq!((comparison.decision, comparison.killmaps.base), (Decision::Hold, None));
}

#[test]
fn a_base_without_tests_loses_nothing() {
    let fixture = small(&[], &[("src/lib.rs", GROWN), ("tests/f.rs", TEST), ("tests/g.rs", GROWN_TEST)]);
    fixture.hunkmut(&["compare", "--base", "main"]).ends(0, &["the base has no tests"]);
    assert!(map(&fixture, "base").killed.is_empty() && comparison(&fixture).unwrap().new_kills.len() > 3);
}

#[test]
fn a_head_that_does_not_compile_is_an_error() {
    let fixture = small(&[("tests/f.rs", TEST)], &[("src/lib.rs", "pub fn f(a: u32) -> bool {\n    a > \"3\"\n}\n")]);
    fixture.hunkmut(&["compare", "--base", "main"]).ends(2, &["does not compile"]);
}

#[test]
fn a_patch_without_code_and_tests_is_let_through_and_a_cap_is_not() {
    let fixture = small(&[("tests/f.rs", TEST)], &[("README.md", "words\n")]);
    fixture.hunkmut(&["compare", "--base", "main"]).ends(0, &["allow-review"]);
    let fixture = small(&[("tests/f.rs", TEST)], &[("src/lib.rs", GROWN), ("tests/g.rs", GROWN_TEST)]);
    fixture.hunkmut(&["compare", "--base", "main", "--cap", "1ms"]).ends(5, &["incomplete"]);
}

#[test]
fn a_frozen_test_neither_kills_nor_blocks_until_its_day() {
    let entry = |name: &str, day: &str| {
        format!("[\"{name}\"]\nowner = \"a@example.com\"\nreason = \"slow\"\nexpires = \"{day}\"\n")
    };
    let failing = "#[test]\nfn g_of_one() {\n    assert_eq!(small::g(1), 3);\n}\n";
    let good = "#[test]\nfn g_of_two() {\n    assert_eq!(small::g(2), 3);\n}\n";
    let flakes = entry("small::g g_of_one", "2031-05-05");
    let old = "#[test]\nfn g_of_one() {}\n";
    let fixture = small(
        &[("tests/f.rs", TEST), ("tests/g.rs", old), ("tests/flake_freeze.toml", &flakes)],
        &[("src/lib.rs", GROWN), ("tests/g.rs", failing), ("tests/two.rs", good)],
    );
    let run = |day: &str| fixture.hunkmut(&["--base", "main", "--gate", "ratio", "--date", day]);
    run("2031-05-05").ends(0, &["frozen"]);
    let report = program::report(&fixture.root()).unwrap();
    assert_eq!(report.tests.delta.iter().map(|test| test.id.name.as_str()).collect::<Vec<_>>(), ["g_of_two"]);
    run("2031-05-06").ends(4, &["frozen no longer"]);
    run("31.5.2031").ends(2, &["2031-12-31"]);
}

#[test]
fn the_gate_kill_map_judges_patches_of_tests_alone() {
    let fixture = repository("body-emptied");
    let ran = fixture.hunkmut(&["--base", "main", "--gate", "ratio", "--gate", "kill-map"]);
    ran.ends(1, &["resurrected", "assertion-removed"]);
    let comparison = comparison(&fixture).unwrap();
    assert!(rules(&comparison).contains(&Rule::Resurrected));
    let report = program::report(&fixture.root()).unwrap();
    let names: Vec<&str> = report.gates.iter().map(|gate| gate.name.as_str()).collect();
    assert_eq!(names, ["ratio", "kill-map"]);
    let page = std::fs::read_to_string(fixture.root().join("target/hunkmut/report/compare.md")).unwrap();
    assert!(page.contains("| killed |") && page.contains("every_started_hour_counts"));

    let stronger = "#[test]\nfn f_of_many() {\n    assert!(small::f(4));\n    assert!(!small::f(3));\n}\n";
    let weak = "#[test]\nfn f_of_many() {\n    assert!(small::f(9));\n}\n";
    let fixture = small(&[("tests/f.rs", weak)], &[("tests/f.rs", stronger)]);
    fixture.hunkmut(&["--base", "main", "--gate", "ratio", "--gate", "kill-map"]).ends(0, &["pass"]);
}

#[test]
fn what_touched_tests_execute_is_found_when_it_is_more_than_the_cap() {
    let modules: String = (0..12).map(|n| format!("pub mod m{n};\n")).collect();
    let module = |n: u32| {
        format!(
            "pub fn f(a: u32) -> u32 {{\n    if a > {n} {{\n        a * 2 + {n}\n    }} else {{\n        a - 1\n    }}\n}}\n"
        )
    };
    let names: Vec<(String, String)> = (0..12).map(|n| (format!("src/m{n}.rs"), module(n))).collect();
    let mut base: Vec<(&str, &str)> = names.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let test = "#[test]\nfn seven() {\n    assert_eq!(small::m7::f(8), 23);\n    assert_eq!(small::m7::f(7), 6);\n}\n";
    base.extend([("src/lib.rs", modules.as_str()), ("tests/seven.rs", test)]);
    let weaker = "#[test]\nfn seven() {\n    assert_eq!(small::m7::f(8), small::m7::f(8));\n    assert_eq!(small::m7::f(7), small::m7::f(7));\n}\n";
    let fixture = small(&base, &[("tests/seven.rs", weaker)]);
    let compare = ["compare", "--base", "main", "--max-mutants", "40"];
    let first = fixture.hunkmut(&compare);
    first.ends(1, &["resurrected", "src/m7.rs"]);
    assert!(first.transcript().contains("Tracing"), "{}", first.transcript());
    let base = map(&fixture, "base");
    assert!(base.mutants.values().all(|mutant| mutant.file == "src/m7.rs"), "{base:?}");
    let again = fixture.hunkmut(&compare);
    again.ends(1, &["resurrected", "src/m7.rs", "fresh"]);
    assert!(!again.transcript().contains("Tracing"), "{}", again.transcript());
    assert_eq!(map(&fixture, "base"), base);
}

#[test]
fn what_the_cap_leaves_out_is_not_woven_in_and_the_rest_keeps_its_verdicts() {
    let code = |edge: u32| {
        let function = |n: u32| {
            format!(
                "pub fn f{n}(a: u32) -> u32 {{\n    if a > {n} {{\n        a * 2 + {edge}\n    }} else {{\n        7\n    }}\n}}\n"
            )
        };
        (0..4).map(function).collect::<String>()
    };
    let (base, head) = (code(3), code(4));
    let test = "#[test]\nfn odd_ones() {\n    assert_eq!(small::f1(1), 7);\n    assert!(small::f1(2) > 6);\n    assert_eq!(small::f3(1), 7);\n}\n";
    let fixture = small(&[("src/lib.rs", &base), ("tests/odd.rs", test)], &[("src/lib.rs", &head)]);
    let maps = |cap: &str| {
        fixture.hunkmut(&["compare", "--base", "main", "--max-mutants", cap]).ends(0, &["allow-review"]);
        [map(&fixture, "base"), map(&fixture, "head")]
    };
    let (whole, capped) = (maps("1000"), maps("24"));
    for (whole, capped) in whole.iter().zip(&capped) {
        assert!(capped.left_out > 0 && (1..=24).contains(&capped.mutants.len()), "{capped:?}");
        for (id, mutant) in &capped.mutants {
            assert_eq!(capped.verdict(id), whole.verdict(id), "{mutant:?}");
            assert_eq!(mutant.killed_by, whole.mutants[id].killed_by, "{mutant:?}");
        }
    }
    assert!(capped.iter().any(|map| !map.killed.is_empty()) && capped.iter().any(|map| !map.survived.is_empty()));
}
