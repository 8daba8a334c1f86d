//! The two steps together, on sources in memory and lists made by hand.

use super::*;
use crate::workspace::cfg::CfgSet;
use crate::workspace::modules::{Files, normal};
use crate::workspace::{Edition, Package, Target, TargetKind};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::io;

/// A base, a head, and what the head's test binaries list.
#[derive(Default)]
struct Case {
    base: BTreeMap<String, String>,
    head: BTreeMap<String, String>,
    renames: Vec<(String, String)>,
    list: Vec<ListedTest>,
    manifest: Vec<TestId>,
    features: Vec<&'static str>,
}

struct Memory<'a>(&'a BTreeMap<String, String>);

impl Files for Memory<'_> {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        let name = path.strip_prefix("/r").unwrap_or(path);
        self.0.get(name.as_str()).map(|t| t.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        normal(path)
    }
}

impl Case {
    /// A file that is the same on both sides.
    fn same(mut self, path: &str, text: &str) -> Case {
        self.base.insert(path.into(), text.into());
        self.head.insert(path.into(), text.into());
        self
    }

    fn change(mut self, path: &str, base: &str, head: &str) -> Case {
        self.base.insert(path.into(), base.into());
        self.head.insert(path.into(), head.into());
        self
    }

    fn add(mut self, path: &str, head: &str) -> Case {
        self.head.insert(path.into(), head.into());
        self
    }

    fn remove(mut self, path: &str, base: &str) -> Case {
        self.base.insert(path.into(), base.into());
        self
    }

    fn rename(mut self, from: &str, to: &str) -> Case {
        self.renames.push((from.into(), to.into()));
        self
    }

    /// Tests of a binary, located at the first line of a file of the head that holds the text.
    fn list(mut self, binary: &str, file: &str, tests: &[(&str, &str)]) -> Case {
        for (name, text) in tests {
            let head = &self.head[file];
            let line = head.lines().position(|l| l.contains(text)).unwrap_or_else(|| panic!("`{text}` in {head}"));
            let source = Some((file.to_owned(), line as u32 + 1));
            self.list.push(ListedTest { id: TestId::new(binary, *name), ignored: false, source });
        }
        self
    }

    /// Tests of a binary without a location.
    fn unplaced(mut self, binary: &str, tests: &[&str]) -> Case {
        let test = |name: &&str| ListedTest { id: TestId::new(binary, *name), ignored: false, source: None };
        self.list.extend(tests.iter().map(test));
        self
    }

    fn ignore(mut self, name: &str) -> Case {
        self.list.iter_mut().filter(|t| t.id.name == name).for_each(|t| t.ignored = true);
        self
    }

    /// Packages are directories with a `src`; targets lie where cargo looks for them.
    fn workspace(&self) -> Workspace {
        let mut packages: Vec<Package> = Vec::new();
        let dirs: BTreeSet<String> =
            self.head.keys().filter_map(|p| p.split_once("src/").map(|(d, _)| d.to_owned())).collect();
        for dir in &dirs {
            let name = dir.trim_end_matches('/').rsplit('/').next().filter(|n| !n.is_empty()).unwrap_or("p");
            let mut targets = Vec::new();
            for path in self.head.keys() {
                let Some(inner) = path.strip_prefix(dir.as_str()) else { continue };
                let (target, kind) = match inner {
                    "src/lib.rs" => (name, TargetKind::Lib),
                    "src/main.rs" => (name, TargetKind::Bin),
                    "build.rs" => ("build-script-build", TargetKind::BuildScript),
                    _ => match inner.strip_prefix("tests/").and_then(|t| t.strip_suffix(".rs")) {
                        Some(stem) if !stem.contains('/') => (stem, TargetKind::Test),
                        _ => continue,
                    },
                };
                targets.push(Target {
                    name: target.to_owned(),
                    kind,
                    root: format!("/r/{path}").into(),
                    edition: Edition::E2021,
                    test: true,
                    doctest: false,
                    required_features: Vec::new(),
                });
            }
            packages.push(Package {
                id: name.to_owned(),
                name: name.to_owned(),
                dir: format!("/r/{dir}").trim_end_matches('/').into(),
                manifest: format!("/r/{dir}Cargo.toml").into(),
                targets,
                features: self.features.iter().map(|f| (*f).to_owned()).collect(),
                dependencies: BTreeSet::new(),
            });
        }
        Workspace { root: "/r".into(), target_dir: "/r/target".into(), build_dir: None, packages }
    }

    fn diff(&self) -> Vec<ChangedFile> {
        let mut pairs: Vec<(Option<String>, Option<String>)> = Vec::new();
        let (from, to): (Vec<String>, Vec<String>) = self.renames.iter().cloned().unzip();
        pairs.extend(self.renames.iter().map(|(f, t)| (Some(f.clone()), Some(t.clone()))));
        let all: BTreeSet<&String> = self.base.keys().chain(self.head.keys()).collect();
        for path in all.into_iter().filter(|p| self.base.get(*p) != self.head.get(*p)) {
            let old = self.base.get(path).filter(|_| !from.contains(path)).map(|_| path.clone());
            let new = self.head.get(path).filter(|_| !to.contains(path)).map(|_| path.clone());
            if old.is_some() || new.is_some() {
                pairs.push((old, new));
            }
        }
        let file = |(old_path, new_path): (Option<String>, Option<String>)| {
            let old = old_path.as_ref().and_then(|p| self.base.get(p)).cloned();
            let new = new_path.as_ref().and_then(|p| self.head.get(p)).cloned();
            let before: Vec<&str> = old.as_deref().unwrap_or("").lines().collect();
            let lines = (1..).zip(new.as_deref().unwrap_or("").lines()).filter(|(_, l)| !before.contains(l));
            let changed_new_lines = lines.map(|(n, _)| n).collect();
            ChangedFile { old_path, new_path, old, new, changed_new_lines }
        };
        pairs.into_iter().map(file).collect()
    }

    fn candidates(&self) -> (Workspace, Candidates) {
        let workspace = self.workspace();
        let all: Vec<usize> = (0..workspace.packages.len()).collect();
        let cfg = CfgSet::from_rustc_lines("unix\ntarget_os=\"linux\"");
        let modules = ModuleMap::load(&workspace, Utf8Path::new("/r"), &all, &cfg, &Memory(&self.head));
        let found = candidates(&Inputs {
            workspace: &workspace,
            modules: &modules,
            root: Utf8Path::new("/r"),
            files: &self.diff(),
            read: &|path| self.head.get(path).cloned(),
            test_path: &|path| path.starts_with("tests/") || path.contains("/tests/"),
            manifest: &self.manifest,
        });
        (workspace, found)
    }

    /// The binary IDs of the candidates.
    fn targets(&self) -> Vec<String> {
        let (ws, found) = self.candidates();
        found.targets().map(|(p, t)| ws.packages[p].binary_id(&ws.packages[p].targets[t])).collect()
    }

    /// The delta by the head's list alone.
    fn delta(&self) -> Delta {
        self.candidates().1.resolve(&self.list, None, false).unwrap_or_else(|needs| panic!("{needs:?}"))
    }

    /// The delta with the base's list.
    fn with_base(&self, base: &[(&str, &str)]) -> Delta {
        let base: Vec<TestId> = base.iter().map(|(binary, name)| TestId::new(*binary, *name)).collect();
        let found = self.candidates().1;
        let Err(needs) = found.resolve(&self.list, None, false) else { panic!("the base's list is not asked for") };
        assert!(!needs.targets.is_empty() && !needs.why.is_empty());
        found.resolve(&self.list, Some(&base), false).unwrap()
    }
}

/// The tests of a delta, e.g. `p::it m::t added`.
fn shown(delta: &Delta) -> Vec<String> {
    let word = |change| match change {
        TestChange::Added => "added",
        TestChange::Modified => "modified",
        TestChange::ModifiedHelper => "helper",
    };
    delta.tests.iter().map(|e| format!("{} {}", e.test.id, word(e.test.change))).collect()
}

fn whys(delta: &Delta) -> Vec<&str> {
    delta.tests.iter().map(|e| e.why.as_str()).collect()
}

const NONE: [&str; 0] = [];

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

#[test]
fn deleting_tests_leaves_an_empty_delta() {
    let case = Case::default()
        .same("src/lib.rs", "")
        .change("tests/it.rs", "#[test]\nfn a() {}\n#[test]\nfn b() {}\n", "#[test]\nfn a() {}\n")
        .list("p::it", "tests/it.rs", &[("a", "fn a")]);
    assert_eq!(case.targets(), NONE);
}
