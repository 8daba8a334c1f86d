//! What lies outside of the touched code: other files, lists, manifests, notes.

use super::*;

#[test]
fn a_patch_with_documentation_tests_only_is_told_so() {
    let case = Case::default().change("src/lib.rs", "fn f() {}\n", "/// ```\n/// f();\n/// ```\nfn f() {}\n");
    assert_eq!(case.targets(), NONE);
    let delta = case.delta();
    assert!(delta.is_doctests_only());
    assert_eq!(
        delta.doctests,
        [("src/lib.rs".to_owned(), 1), ("src/lib.rs".to_owned(), 2), ("src/lib.rs".to_owned(), 3)]
    );
}

#[test]
fn a_file_that_a_macro_finds_belongs_to_the_targets_above_it() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .same("tests/suite.rs", "automod::dir!(\"tests/parts\");")
        .same("tests/other.rs", "")
        .change("tests/parts/one.rs", "", "#[test]\nfn t() {}\n")
        .list("p::suite", "tests/parts/one.rs", &[("one::t", "fn t")]);
    assert_eq!(case.targets(), ["p::suite"]);
    assert_eq!(shown(&case.delta()), ["p::suite one::t added"]);
    let unplaced = Case { list: Vec::new(), ..case }.unplaced("p::suite", &["one::t", "two::t"]);
    assert_eq!(shown(&unplaced.delta()), ["p::suite one::t added"]);
}

#[test]
fn where_no_target_points_at_a_file_that_a_macro_finds_all_above_it_may() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .same("tests/a.rs", "include_all!();")
        .same("tests/b.rs", "include_all!();")
        .change("tests/parts/one.rs", "", "#[test]\nfn t() {}\n");
    assert_eq!(case.targets(), ["p::a", "p::b"]);
}

#[test]
fn an_unchanged_file_that_is_linked_in_is_new_where_the_base_lacks_it() {
    let case = Case::default()
        .change("src/lib.rs", "#[cfg(test)]\nmod a;", "#[cfg(test)]\nmod a;\n#[cfg(test)]\nmod b;")
        .same("src/a.rs", "#[test]\nfn x() {}\n")
        .same("src/b.rs", "#[test]\nfn y() {}\n")
        .list("p", "src/a.rs", &[("a::x", "fn x")])
        .list("p", "src/b.rs", &[("b::y", "fn y")]);
    assert_eq!(case.targets(), ["p"]);
    assert_eq!(shown(&case.with_base(&[("p", "a::x")])), ["p b::y added"]);
}

#[test]
fn a_module_whose_declaration_moved_brings_nothing_new() {
    let module = "#[cfg(test)]\n#[path = \"t.rs\"]\nmod t;\n";
    let case = Case::default()
        .change("src/lib.rs", &format!("mod a;\n{module}"), "mod a;\n")
        .change("src/a.rs", "", module)
        .same("src/t.rs", "#[test]\nfn x() {}\n")
        .list("p", "src/t.rs", &[("a::t::x", "fn x")]);
    assert_eq!(case.targets(), NONE);
    assert_eq!(shown(&case.delta()), NONE);
}

#[test]
fn what_moved_is_not_new_though_the_base_has_no_such_id() {
    let mut case = Case::default()
        .same("src/lib.rs", "")
        .change("Cargo.toml", "[features]\nx = []\n", "[features]\ndefault = [\"x\"]\nx = []\n")
        .change(
            "tests/it.rs",
            "mod old {\n#[test]\nfn t() {}\n}\n#[cfg(feature = \"x\")]\n#[test]\nfn u() {}\n",
            "mod new {\n#[test]\nfn t() {}\n}\n#[cfg(feature = \"x\")]\n#[test]\nfn u() {}\n",
        )
        .list("p::it", "tests/it.rs", &[("new::t", "fn t"), ("u", "fn u")]);
    case.features = vec!["default", "x"];
    assert_eq!(shown(&case.with_base(&[("p::it", "old::t")])), ["p::it u added"]);
}

#[test]
fn a_new_module_with_a_new_file_needs_no_base_list() {
    let case = Case::default()
        .change("tests/it.rs", "mod a;", "mod a;\nmod b;")
        .same("src/lib.rs", "")
        .same("tests/a.rs", "#[test]\nfn x() {}\n")
        .add("tests/b.rs", "#[test]\nfn y() {}\n")
        .list("p::it", "tests/b.rs", &[("b::y", "fn y")])
        .list("p::it", "tests/a.rs", &[("a::x", "fn x")]);
    assert_eq!(shown(&case.delta()), ["p::it b::y added"]);
}

#[test]
fn tests_switched_on_by_a_condition_are_new_where_the_base_lacks_them() {
    let text = |cfg: &str| format!("#[cfg({cfg})]\nmod m {{\n    #[test]\n    fn t() {{}}\n}}\n#[test]\nfn u() {{}}\n");
    let case = Case::default().same("src/lib.rs", "").change("tests/it.rs", &text("windows"), &text("unix")).list(
        "p::it",
        "tests/it.rs",
        &[("m::t", "fn t"), ("u", "fn u")],
    );
    assert_eq!(shown(&case.with_base(&[("p::it", "u")])), ["p::it m::t added"]);
}

#[test]
fn a_feature_that_becomes_active_asks_for_the_bases_list() {
    let mut case = Case::default()
        .same("src/lib.rs", "")
        .change("Cargo.toml", "[features]\nx = []\n", "[features]\ndefault = [\"x\"]\nx = []\n")
        .same("tests/it.rs", "#[cfg(feature = \"x\")]\n#[test]\nfn t() {}\n")
        .same("tests/plain.rs", "#[test]\nfn t() {}\n")
        .list("p::it", "tests/it.rs", &[("t", "fn t")]);
    case.features = vec!["default", "x"];
    assert_eq!(case.targets(), ["p::it"]);
    assert_eq!(shown(&case.with_base(&[])), ["p::it t added"]);
}

#[test]
fn a_file_that_is_a_test_of_its_own_is_found_by_the_bases_list() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .same(
            "tests/it.rs",
            "#[rstest]\nfn reads(#[files(\"tests/data/*.txt\")] p: PathBuf) {}\n#[test]\nfn own() {}\n",
        )
        .add("tests/data/new.txt", "x")
        .list(
            "p::it",
            "tests/it.rs",
            &[("reads::path_1_old", "fn reads"), ("reads::path_2_new", "fn reads"), ("own", "fn own")],
        );
    assert_eq!(
        shown(&case.with_base(&[("p::it", "reads::path_1_old"), ("p::it", "own")])),
        ["p::it reads::path_2_new added"]
    );
}

#[test]
fn tests_that_a_build_script_makes_are_found_by_the_bases_list() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("build.rs", "fn main() { 1 }", "fn main() { 2 }")
        .same("tests/it.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/t.rs\"));\n#[test]\nfn own() {}\n")
        .unplaced("p::it", &["made_old", "made_new"])
        .list("p::it", "tests/it.rs", &[("own", "fn own")]);
    assert_eq!(case.targets(), ["p::it"]);
    assert_eq!(shown(&case.with_base(&[("p::it", "made_old")])), ["p::it made_new added"]);
}

#[test]
fn the_policys_manifest_adds_tests() {
    let mut case = Case::default().same("src/lib.rs", "").same("tests/it.rs", "").unplaced("p::it", &["a", "b"]);
    case.manifest = vec![TestId::new("p::it", "b"), TestId::new("p::it", "gone")];
    assert_eq!(case.targets(), ["p::it"]);
    assert_eq!(shown(&case.delta()), ["p::it b added"]);
}

#[test]
fn in_a_file_that_does_not_parse_lines_decide() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change(
            "tests/it.rs",
            "#[test]\nfn a() {\n}\n#[test]\nfn b() {\n}\n",
            "#[test]\nfn a() {\n}\n#[test]\nfn b() {\n  @new syntax@\n}\n",
        )
        .list("p::it", "tests/it.rs", &[("a", "fn a"), ("b", "fn b")]);
    assert_eq!(shown(&case.delta()), ["p::it b modified"]);
}

#[test]
fn where_the_bases_file_does_not_parse_lines_decide() {
    let tests = "#[test]\nfn a() {\n}\n#[test]\nfn b() {\n";
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", &format!("{tests}  @@\n}}\n"), &format!("{tests}  ok()\n}}\n"))
        .list("p::it", "tests/it.rs", &[("a", "fn a"), ("b", "fn b")]);
    assert_eq!(shown(&case.delta()), ["p::it b modified"]);
}

#[test]
fn the_bases_list_says_nothing_of_targets_that_were_not_asked_for() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/known.rs", "#[test]\nfn t() { 1 }\n", "#[test]\nfn t() { 2 }\n")
        .change("tests/asked.rs", "suite!(Old);\n", "suite!(Old);\nsuite!(New);\n")
        .list("p::known", "tests/known.rs", &[("t", "fn t")])
        .unplaced("p::asked", &["old_a", "new_a"]);
    assert_eq!(shown(&case.with_base(&[("p::asked", "old_a")])), ["p::asked new_a added", "p::known t modified"]);
}

#[test]
fn tests_in_a_file_that_is_switched_off_are_named() {
    let case = Case::default().same("src/lib.rs", "#[cfg(feature = \"retry\")]\nmod retry;").change(
        "src/retry.rs",
        "",
        "#[test]\nfn t() {}\n",
    );
    assert_eq!(case.targets(), NONE);
    assert!(case.delta().notes[0].contains("`t` (src/retry.rs:1)"));
}

#[test]
fn a_touched_test_that_is_not_listed_is_named() {
    let case =
        Case::default().same("src/lib.rs", "").change("tests/it.rs", "", "#[cfg(windows)]\n#[test]\nfn t() {}\n");
    let delta = case.delta();
    assert_eq!(shown(&delta), NONE);
    assert!(delta.notes[0].contains("`t` (tests/it.rs:1)"), "{:?}", delta.notes);
}
