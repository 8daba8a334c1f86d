//! What counts as weaker, and what does not.

use super::super::pairs::pair;
use super::super::read::FileUnits;
use super::*;
use crate::source::SourceFile;
use Rule::*;

fn read(old: &str, new: &str) -> ReadFile {
    let units = |text: &str| FileUnits::of(&SourceFile::parse("tests/t.rs", text).unwrap());
    let path = Some("tests/t.rs".to_owned());
    ReadFile { old_path: path.clone(), new_path: path, old: units(old), new: units(new), test_file: true }
}

fn rules_of(files: &[ReadFile]) -> Vec<Rule> {
    weakened(files, &pair(files), &|_, unit| format!("p::t {}", unit.name)).into_iter().map(|r| r.rule).collect()
}

/// The rules that a change of one test's body, or of a whole file, breaks.
fn rules(old: &str, new: &str) -> Vec<Rule> {
    let whole = |text: &str| match text.contains("fn ") {
        true => text.to_owned(),
        false => format!("#[test]\nfn t() {{ {text} }}"),
    };
    rules_of(&[read(&whole(old), &whole(new))])
}

const NONE: [Rule; 0] = [];

#[test]
fn removed_and_loosened_assertions_are_weaker() {
    for (old, new) in [
        ("assert_eq!(f(1), 2); assert!(g());", "assert_eq!(f(1), 2);"),
        ("assert_eq!(f(1), 2);", "assert!(f(1) > 0);"),
        ("assert_eq!(f(1), 2);", "assert_ne!(f(1), 3);"),
        ("assert_eq!(f(1), 2);", "assert!(f(1) == 2 || g());"),
        ("assert_eq!(f(1), 2);", "assert_eq!(2, 2);"),
        ("assert!(f(1) > 0);", "assert!(true);"),
        ("assert!((a() - b()).abs() < 1e-9);", "assert!((a() - b()).abs() < 1e-2);"),
        ("f(1).unwrap();", "let _ = f(1);"),
        ("f(1).unwrap();", "f(1).ok();"),
        ("assert_eq!(f(1), 2);", ""),
        ("f(1).unwrap();", "/* later */"),
        ("assert_eq!(f(1), 2);", "if skip() { return; } assert_eq!(f(1), 2);"),
        ("assert_eq!(f(1), 2);", "if ready() { assert_eq!(f(1), 2); }"),
        ("match f() { Ok(x) => x, Err(_) => panic!() }", "match f() { Ok(x) => x, Err(_) => 0 }"),
        ("cmd().assert().success().stdout(\"x\");", "cmd().assert();"),
    ] {
        assert_eq!(rules(old, new), [AssertionRemoved], "{old} -> {new}");
    }
}

#[test]
fn reformatted_strengthened_and_split_assertions_are_not() {
    for (old, new) in [
        ("assert_eq!(f(1), 2);", "assert_eq!(\n    f(1),\n    2,\n    \"why\",\n);"),
        ("assert!(f(1) > 0);", "assert_eq!(f(1), 2);"),
        ("assert!(a() && b());", "assert!(a()); assert!(b());"),
        ("assert!(a()); assert!(b());", "assert!(a() && b());"),
        ("assert_eq!(f(1), 2);", "assert_eq!(f(1), 3);"),
        ("assert_eq!(v[0], 1); assert_eq!(v[1], 2);", "assert_eq!(v, [1, 2]);"),
        ("assert!((a() - b()).abs() < 1e-3);", "assert!((a() - b()).abs() < 1e-9);"),
        ("let x = f().unwrap(); assert_eq!(x, 1);", "let x = f()?; assert_eq!(x, 1);"),
    ] {
        assert_eq!(rules(old, new), NONE, "{old} -> {new}");
    }
}

#[test]
fn what_went_into_another_test_or_a_helper_is_not_lost() {
    let one = "#[test] fn t() { assert_eq!(f(1), 2); assert_eq!(f(2), 3); }";
    let two = "#[test] fn t() { assert_eq!(f(1), 2); } #[test] fn u() { assert_eq!(f(2), 3); }";
    assert_eq!(rules(one, two), NONE);
    assert_eq!(rules(two, one), NONE);
    let helper = "fn twice(a: u8, b: u8) { assert_eq!(f(a), b); } #[test] fn t() { twice(1, 2); twice(2, 3); }";
    assert_eq!(rules(one, helper), NONE);
    let weaker = "fn twice(a: u8, b: u8) { assert!(f(a) > 0); } #[test] fn t() { twice(1, 2); twice(2, 3); }";
    assert_eq!(rules(one, weaker), [AssertionRemoved]);
    let ignored = "#[test] fn t() { assert_eq!(f(1), 2); } #[test] #[ignore] fn u() { assert_eq!(f(2), 3); }";
    assert_eq!(rules(one, ignored), [AssertionRemoved]);
}

#[test]
fn a_weaker_helper_weakens_the_tests_that_use_it() {
    let text = |body: &str| format!("fn check(x: u8) {{ {body} }} #[test] fn t() {{ check(1); }} #[test] fn u() {{}}");
    let files = [read(&text("assert_eq!(f(x), 2);"), &text("let _ = f(x);"))];
    let found = weakened(&files, &pair(&files), &|_, unit| unit.name.clone());
    assert_eq!((found[0].rule, &found[0].tests[..]), (AssertionRemoved, &["t".to_owned()][..]));
}

#[test]
fn attributes_that_keep_a_test_from_failing_are_told() {
    let with = |attribute: &str| format!("#[test]\n{attribute}\nfn t() {{ f(1) }}");
    for (old, new, rule) in [
        ("", "#[ignore]", TestIgnored),
        ("", "#[cfg_attr(unix, ignore = \"slow\")]", TestIgnored),
        ("", "#[cfg(feature = \"slow\")]", TestGated),
        ("#[cfg(unix)]", "#[cfg(all(unix, windows))]", TestGated),
        ("", "#[should_panic]", ShouldPanicWidened),
        ("#[should_panic(expected = \"too hot\")]", "#[should_panic]", ShouldPanicWidened),
        ("#[should_panic(expected = \"too hot\")]", "#[should_panic(expected = \"hot\")]", ShouldPanicWidened),
        ("#[case(1)]\n#[case(2)]", "#[case(1)]", TestDeleted),
    ] {
        assert_eq!(rules(&with(old), &with(new)), [rule], "{old} -> {new}");
        let back = rules(&with(new), &with(old));
        assert!(!back.contains(&rule), "{new} -> {old}: {back:?}");
    }
    assert_eq!(rules(&with("#[ignore = \"a\"]"), &with("#[ignore = \"b\"]")), NONE);
}

#[test]
fn a_module_that_is_gated_gates_its_tests() {
    let with = |gate: &str| format!("#[cfg({gate})]\nmod tests {{ #[test] fn t() {{ f(1) }} }}");
    assert_eq!(rules(&with("test"), &with("all(test, feature = \"x\")")), [TestGated]);
    assert_eq!(rules("#[test] fn t() { f(1) }", &with("test")), NONE);
}

#[test]
fn a_deleted_test_is_told_and_a_renamed_or_moved_one_is_not() {
    let test = "#[test] fn t() { assert_eq!(f(1), 2); }";
    assert_eq!(rules(&format!("{test} fn x() {{}}"), "fn x() {}"), [TestDeleted]);
    assert_eq!(rules(test, "fn t() { assert_eq!(f(1), 2); }"), [TestDeleted]);
    assert_eq!(rules(test, "mod m { #[test] fn renamed() { assert_eq!(f(1), 2); } }"), NONE);
    assert_eq!(rules_of(&[read(test, ""), read("", test)]), NONE);
}
