//! Functions and their helpers.

use super::*;

#[test]
fn new_and_changed_functions_are_the_delta_and_others_are_not() {
    let base = "#[test]\nfn kept() {}\n#[test]\nfn grown() { a(1) }\n#[test]\nfn shrunk() {\n    a(1);\n    b(2);\n}\n#[test]\nfn talked_about() {}\n";
    let head = "#[test]\nfn kept() {}\n#[test]\nfn grown() { a(2) }\n#[test]\nfn shrunk() {\n    a(1);\n}\n/// Said.\n#[test]\nfn talked_about() {} // more\n#[test]\nfn fresh() {}\n";
    let names = ["kept", "grown", "shrunk", "talked_about", "fresh"];
    let tests: Vec<(String, String)> = names.iter().map(|n| ((*n).to_owned(), format!("fn {n}"))).collect();
    let tests: Vec<(&str, &str)> = tests.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let case =
        Case::default().same("src/lib.rs", "").change("tests/it.rs", base, head).list("p::it", "tests/it.rs", &tests);
    assert_eq!(case.targets(), ["p::it"]);
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::it fresh added", "p::it grown modified", "p::it shrunk modified"]);
    assert_eq!((delta.tests[0].test.file.as_deref(), delta.tests[0].test.line), (Some("tests/it.rs"), Some(12)));
}

#[test]
fn a_patch_without_test_code_has_no_candidates() {
    let case = Case::default()
        .change(
            "src/lib.rs",
            "pub fn f() { 1 }\n#[cfg(test)]\nmod tests { #[test] fn t() {} }",
            "pub fn f() { 2 }\n#[cfg(test)]\nmod tests { #[test] fn t() {} }",
        )
        .same("tests/it.rs", "#[test] fn x() {}");
    assert_eq!(case.targets(), NONE);
    assert_eq!(case.delta(), Delta::default());
}

#[test]
fn unit_tests_beside_production_code_belong_to_the_library() {
    let production = "pub fn depth(p: &str) -> usize { 1 }\n";
    let base = format!(
        "{production}#[cfg(test)]\nmod tests {{\n    use super::*;\n    mod parents {{\n        #[test]\n        fn old() {{}}\n    }}\n}}\n"
    );
    let head = format!(
        "{production}pub fn more() {{}}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n    mod parents {{\n        #[test]\n        fn old() {{}}\n        #[test]\n        fn siblings() {{}}\n    }}\n}}\n#[cfg(all(test, unix))]\nmod unix_tests {{\n    fn nested() {{}}\n    mod depths {{\n        #[test]\n        fn levels() {{ super::nested() }}\n    }}\n}}\n"
    );
    let case = Case::default()
        .same("src/lib.rs", "mod normalize;")
        .same("tests/it.rs", "#[test] fn x() {}")
        .change("src/normalize.rs", &base, &head)
        .list(
            "p",
            "src/normalize.rs",
            &[
                ("normalize::tests::parents::old", "fn old"),
                ("normalize::tests::parents::siblings", "fn siblings"),
                ("normalize::unix_tests::depths::levels", "fn levels"),
            ],
        );
    assert_eq!(case.targets(), ["p"]);
    assert_eq!(
        shown(&case.delta()),
        ["p normalize::tests::parents::siblings added", "p normalize::unix_tests::depths::levels added"]
    );
}

#[test]
fn a_file_in_the_library_and_the_binary_gives_tests_of_both() {
    let base = "pub fn f() {}\n";
    let case = Case::default()
        .same("src/lib.rs", "mod shared;")
        .same("src/main.rs", "mod shared; fn main() {}")
        .change("src/shared.rs", base, &format!("{base}#[test]\nfn t() {{}}\n"))
        .list("p", "src/shared.rs", &[("shared::t", "fn t")])
        .list("p::bin/p", "src/shared.rs", &[("shared::t", "fn t")]);
    assert_eq!(case.targets(), ["p", "p::bin/p"]);
    assert_eq!(shown(&case.delta()), ["p shared::t added", "p::bin/p shared::t added"]);
}

#[test]
fn a_test_in_a_sibling_crate_is_found_there() {
    let base = "#[test]\nfn empty() {}\n";
    let case = Case::default()
        .change("crates/core/src/lib.rs", "pub fn d() { 0 }", "pub fn d() { 1 }")
        .same("crates/app/src/lib.rs", "")
        .change("crates/app/tests/checkout.rs", base, &format!("{base}#[test]\nfn ten() {{}}\n"))
        .list("app::checkout", "crates/app/tests/checkout.rs", &[("empty", "fn empty"), ("ten", "fn ten")]);
    assert_eq!(case.targets(), ["app::checkout"]);
    assert_eq!(shown(&case.delta()), ["app::checkout ten added"]);
}

#[test]
fn what_only_moved_is_not_in_the_delta() {
    let test = "#[test]\nfn works() { check(1) }\n";
    let (inner, outer) = (format!("mod tests {{\n{test}}}\n"), format!("mod unit_tests {{\n{test}}}\n"));
    let renamed_module = Case::default().same("src/lib.rs", "").change("tests/it.rs", &inner, &outer).list(
        "p::it",
        "tests/it.rs",
        &[("unit_tests::works", "fn works")],
    );
    assert_eq!(shown(&renamed_module.delta()), NONE);

    let other_file = Case::default()
        .same("src/lib.rs", "")
        .change("tests/a.rs", test, "")
        .change("tests/b.rs", "", test)
        .list("p::b", "tests/b.rs", &[("works", "fn works")]);
    assert_eq!(shown(&other_file.delta()), NONE);

    let renamed_file = Case::default()
        .same("src/lib.rs", "")
        .remove("tests/old.rs", test)
        .add("tests/new.rs", &format!("{test}#[test]\nfn more() {{}}\n"))
        .rename("tests/old.rs", "tests/new.rs")
        .list("p::new", "tests/new.rs", &[("works", "fn works"), ("more", "fn more")]);
    assert_eq!(shown(&renamed_file.delta()), ["p::new more added"]);
}

#[test]
fn one_more_case_touches_all_cases_of_its_function() {
    let text = |cases: &str| {
        format!("#[rstest]\n{cases}fn adds(#[case] a: u8) {{}}\n#[rstest]\nfn other(#[values(1, 2)] v: u8) {{}}\n")
    };
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", &text("#[case(1)]\n"), &text("#[case(1)]\n#[case(2)]\n"))
        .list(
            "p::it",
            "tests/it.rs",
            &[("adds::case_1", "fn adds"), ("adds::case_2", "#[case(2)]"), ("other::v_1_1", "fn other")],
        );
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::it adds::case_1 modified", "p::it adds::case_2 modified"]);
    assert_eq!(whys(&delta)[0], "its attributes or cases differ from the base");
    // The same without locations.
    let unplaced =
        Case { list: Vec::new(), ..case }.unplaced("p::it", &["adds::case_1", "adds::case_2", "other::v_1_1"]);
    assert_eq!(shown(&unplaced.delta()), ["p::it adds::case_1 modified", "p::it adds::case_2 modified"]);
}

#[test]
fn a_changed_helper_touches_the_tests_that_reach_it_in_every_target() {
    let common =
        |n: u8| format!("pub fn parser() -> u8 {{ {n} }}\npub fn other() {{}}\npub fn outer() {{ parser() }}\n");
    let a = "mod common;\nuse common::outer;\n#[test]\nfn far() { outer() }\n#[test]\nfn not() { common::other() }\n";
    let b = "mod common;\n#[test]\nfn near() { common::parser() }\n";
    let c = "mod common;\n#[test]\nfn none() { common::other() }\n";
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/common/mod.rs", &common(1), &common(2))
        .same("tests/a.rs", a)
        .same("tests/b.rs", b)
        .same("tests/c.rs", c)
        .list("p::a", "tests/a.rs", &[("far", "fn far"), ("not", "fn not")])
        .list("p::b", "tests/b.rs", &[("near", "fn near")])
        .list("p::c", "tests/c.rs", &[("none", "fn none")]);
    assert_eq!(case.targets(), ["p::a", "p::b"]);
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::a far helper", "p::b near helper"]);
    assert_eq!(
        whys(&delta),
        [
            "uses `common::parser` (tests/common/mod.rs:1), which changed, through `common::outer`",
            "uses `common::parser` (tests/common/mod.rs:1), which changed"
        ]
    );
}

#[test]
fn a_helper_in_a_test_module_of_the_library_touches_its_tests() {
    let text = |n: u8| {
        format!(
            "pub fn f() {{}}\n#[cfg(test)]\nmod tests {{\n    fn h() {{ {n} }}\n    #[test]\n    fn a() {{ h() }}\n    #[test]\n    fn b() {{}}\n}}\n"
        )
    };
    let case = Case::default().change("src/lib.rs", &text(1), &text(2)).list(
        "p",
        "src/lib.rs",
        &[("tests::a", "fn a"), ("tests::b", "fn b")],
    );
    assert_eq!(shown(&case.delta()), ["p tests::a helper"]);
}

#[test]
fn imports_and_data_files_are_no_helpers() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", "use a::b;\n#[test]\nfn t() { b() }\n", "use a::c as b;\n#[test]\nfn t() { b() }\n")
        .change("tests/data.txt", "1", "2")
        .list("p::it", "tests/it.rs", &[("t", "fn t")]);
    assert_eq!(case.targets(), NONE);
}

#[test]
fn ignored_tests_are_left_out_unless_asked_for() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change(
            "tests/it.rs",
            "#[test]\n#[ignore]\nfn woken() {}\n",
            "#[test]\nfn woken() {}\n#[test]\n#[ignore]\nfn asleep() {}\n",
        )
        .list("p::it", "tests/it.rs", &[("woken", "fn woken"), ("asleep", "fn asleep")])
        .ignore("asleep");
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::it woken modified"]);
    assert_eq!(delta.ignored.len(), 1);
    let asked = case.candidates().1.resolve(&case.list, None, true).unwrap();
    assert_eq!(shown(&asked), ["p::it asleep added", "p::it woken modified"]);
}

#[test]
fn deleting_tests_leaves_an_empty_delta() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", "#[test]\nfn a() {}\n#[test]\nfn b() {}\n", "#[test]\nfn a() {}\n")
        .list("p::it", "tests/it.rs", &[("a", "fn a")]);
    assert_eq!(case.targets(), NONE);
}
