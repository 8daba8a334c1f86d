//! Tests that macros make.

use super::*;

#[test]
fn only_the_changed_property_of_a_block_is_touched() {
    let text = |bound: u8| {
        format!(
            "quickcheck! {{\n    fn first(x: u8) -> bool {{ x < 9 }}\n\n    fn second(y: u8) -> bool {{ y < {bound} }}\n}}\nproptest! {{\n    #[test]\n    fn third(z in 0..9u8) {{}}\n}}\n"
        )
    };
    let case = Case::default().same("src/lib.rs", "").change("tests/it.rs", &text(1), &text(2)).list(
        "p::it",
        "tests/it.rs",
        &[("first", "fn first"), ("second", "fn second"), ("third", "fn third")],
    );
    assert_eq!(shown(&case.delta()), ["p::it second modified"]);
}

#[test]
fn functions_in_a_macro_of_the_project_are_told_apart() {
    // The macro adds `#[test]`; its own definition does not show in the invocation.
    let text = |more: &str| format!("limit! {{\n    fn first(x: u8) -> bool {{ x < 9 }}\n{more}}}\n");
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", &text(""), &text("    fn second(y: u8) -> bool { y < 9 }\n"))
        .list("p::it", "tests/it.rs", &[("first", "fn first"), ("second", "fn second")]);
    assert_eq!(case.targets(), ["p::it"]);
    assert_eq!(shown(&case.delta()), ["p::it second added"]);
}

const CHECK: &str = "macro_rules! check {\n    ($name:ident: $good:expr, $bad:expr) => {\n        mod $name {\n            #[test]\n            fn ok() { f($good) }\n            #[test]\n            fn err() { f($bad) }\n        }\n    };\n}\n";

fn macro_made(base: &str, head: &str, names: &[&str]) -> Case {
    let root = |calls: &str| format!("#[macro_use]\nmod common;\n\n{calls}");
    let mut case = Case::default().same("src/lib.rs", "").same("tests/common/mod.rs", CHECK).change(
        "tests/it.rs",
        &root(base),
        &root(head),
    );
    for name in names {
        let (ok, err) = (format!("{name}::ok"), format!("{name}::err"));
        case = case.list("p::it", "tests/common/mod.rs", &[(&ok, "fn ok"), (&err, "fn err")]);
    }
    case
}

#[test]
fn tests_that_a_macro_of_another_file_makes_belong_to_their_invocation() {
    let old = "check!(commas: \"a\", 1);\ncheck!(semicolons: \"b\", 2);\n";
    let case = macro_made(old, &format!("{old}check!(tabs: \"c\", 3);\n"), &["commas", "semicolons", "tabs"]);
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::it tabs::err added", "p::it tabs::ok added"]);
    assert_eq!((delta.tests[0].test.file.as_deref(), delta.tests[0].test.line), (Some("tests/it.rs"), Some(6)));
    assert!(whys(&delta)[0].contains("check!"), "{:?}", whys(&delta));
    let changed = macro_made(old, &old.replace("\"b\"", "\"x\""), &["commas", "semicolons"]);
    assert_eq!(shown(&changed.delta()), ["p::it semicolons::err modified", "p::it semicolons::ok modified"]);
}

#[test]
fn an_identifier_used_inside_another_invocation_does_not_confuse() {
    let old = "check!(commas: \"a\", 1);\n";
    let case = macro_made(old, &format!("{old}check!(tabs: commas, 3);\n"), &["commas", "tabs"]);
    assert_eq!(shown(&case.delta()), ["p::it tabs::err added", "p::it tabs::ok added"]);
}

#[test]
fn invocations_in_modules_are_told_apart_by_their_module() {
    let old = "mod a { check!(x: 1, 2); }\nmod b { check!(x: 1, 2); }\n";
    let case = macro_made(old, &old.replace("b { check!(x: 1", "b { check!(x: 7"), &["a::x", "b::x"]);
    assert_eq!(shown(&case.delta()), ["p::it b::x::err modified", "p::it b::x::ok modified"]);
}

#[test]
fn where_the_invocation_cannot_be_told_the_bases_list_decides() {
    // `paste!` made the module's name: no identifier of either invocation is in the path.
    let old = "check!([<a b>]: 1, 2);\n";
    let case = macro_made(old, &format!("{old}check!([<c d>]: 1, 2);\n"), &["ab", "cd"]);
    let delta = case.with_base(&[("p::it", "ab::ok"), ("p::it", "ab::err")]);
    assert_eq!(shown(&delta), ["p::it cd::err added", "p::it cd::ok added"]);
    assert!(delta.notes.iter().any(|n| n.contains("p::it ab::ok")), "{:?}", delta.notes);
}

#[test]
fn a_pasted_name_belongs_to_the_invocation_whose_identifier_is_in_it() {
    let old = "check!(alpha: 1, 2);\n";
    let case = macro_made(old, &format!("{old}check!(beta: 3, 4);\n"), &["pre_alpha", "pre_beta"]);
    assert_eq!(shown(&case.delta()), ["p::it pre_beta::err added", "p::it pre_beta::ok added"]);
}

#[test]
fn the_only_invocation_of_a_macro_makes_all_its_tests() {
    let case = macro_made("check!([<a b>]: 1, 2);\n", "check!([<a b>]: 1, 3);\n", &["ab"]);
    assert_eq!(shown(&case.delta()), ["p::it ab::err modified", "p::it ab::ok modified"]);
}

#[test]
fn a_new_invocation_touches_no_other_of_the_same_macro() {
    let text = |calls: &str| format!("{CHECK}macro_rules! outer {{ ($n:ident) => {{ check!($n: 1, 2); }} }}\n{calls}");
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", &text("outer!(a);\n"), &text("outer!(a);\nouter!(b);\n"))
        .list("p::it", "tests/it.rs", &[("a::ok", "fn ok"), ("b::ok", "fn ok")]);
    assert_eq!(shown(&case.delta()), ["p::it b::ok added"]);
}

#[test]
fn a_template_of_cases_touches_the_functions_that_apply_it() {
    let text = |cases: &str| {
        format!(
            "#[template]\n#[rstest]\n{cases}fn cases(#[case] a: u8) {{}}\n#[apply(cases)]\nfn applied(a: u8) {{}}\n"
        )
    };
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", &text("#[case(1)]\n"), &text("#[case(1)]\n#[case(2)]\n"))
        .list("p::it", "tests/it.rs", &[("applied::case_1", "fn applied"), ("applied::case_2", "fn applied")]);
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::it applied::case_1 helper", "p::it applied::case_2 helper"]);
    assert_eq!(delta.notes, Vec::<String>::new());
}

/// A macro of another file that changes, invoked twice in `it` and not in `unrelated`.
fn changed_macro(head: &str) -> Case {
    let root = "#[macro_use]\nmod common;\ncheck!(a: 1, 2);\ncheck!(b: 3, 4);\n#[test]\nfn own() {}\n";
    let made = [("a::ok", "fn ok"), ("a::err", "fn err"), ("b::ok", "fn ok"), ("b::err", "fn err")];
    Case::default()
        .same("src/lib.rs", "")
        .same("tests/it.rs", root)
        .same("tests/unrelated.rs", "#[macro_use]\nmod common;\n#[test] fn x() {}")
        .change("tests/common/mod.rs", CHECK, head)
        .list("p::it", "tests/common/mod.rs", &made)
        .list("p::it", "tests/it.rs", &[("own", "fn own")])
}

#[test]
fn a_changed_macro_changes_all_tests_that_it_makes() {
    let case = changed_macro(&CHECK.replace("$bad:expr", "$bad:literal"));
    assert_eq!(case.targets(), ["p::it"]);
    assert_eq!(shown(&case.delta()), ["a::err", "a::ok", "b::err", "b::ok"].map(|n| format!("p::it {n} helper")));
}

#[test]
fn a_changed_test_function_in_a_macro_changes_its_own_tests_only() {
    let case = changed_macro(&CHECK.replace("f($bad)", "g($bad)"));
    assert_eq!(case.targets(), ["p::it"]);
    let delta = case.delta();
    assert_eq!(shown(&delta), ["p::it a::err modified", "p::it b::err modified"]);
    assert_eq!(delta.tests[0].test.file.as_deref(), Some("tests/common/mod.rs"));
}

#[test]
fn a_changed_helper_touches_only_the_test_functions_of_a_macro_that_use_it() {
    let macros = CHECK.replace("f($good)", "help($good)");
    let text = |n: u8| format!("fn help(x: u8) {{ {n} }}\n{macros}check!(a: 1, 2);\n");
    let case = Case::default().same("src/lib.rs", "").change("tests/it.rs", &text(1), &text(2)).list(
        "p::it",
        "tests/it.rs",
        &[("a::ok", "fn ok"), ("a::err", "fn err")],
    );
    assert_eq!(case.targets(), ["p::it"]);
    assert_eq!(shown(&case.delta()), ["p::it a::ok helper"]);
}

#[test]
fn an_import_in_a_macro_changes_none_of_its_tests() {
    let case = changed_macro(&CHECK.replace("mod $name {", "mod $name { use a::b;"));
    assert_eq!(shown(&case.delta()), NONE);
}

#[test]
fn tests_named_at_the_invocation_are_located_there() {
    let text = |rows: &str| {
        format!(
            "macro_rules! cases {{ ($($n:ident: $v:expr,)*) => {{ $(#[test] fn $n() {{ f($v) }})* }} }}\ncases! {{\n{rows}}}\n#[test]\nfn own() {{}}\n"
        )
    };
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", &text("    one: 1,\n"), &text("    one: 1,\n    two: 2,\n"))
        .list("p::it", "tests/it.rs", &[("one", "one:"), ("two", "two:"), ("own", "fn own")]);
    let delta = case.delta();
    assert_eq!(delta.tests.len(), 2, "{delta:?}");
    assert!(delta.tests.iter().all(|t| t.test.id.name != "own"));
}

#[test]
fn tests_of_a_macro_from_another_crate_are_found_by_the_bases_list() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", "suite!(Old);\n", "suite!(Old);\nsuite!(New);\n")
        .unplaced("p::it", &["old_a", "new_a"]);
    assert_eq!(shown(&case.with_base(&[("p::it", "old_a")])), ["p::it new_a added"]);
}
