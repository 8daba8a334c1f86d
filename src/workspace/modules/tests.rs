use super::*;
use crate::workspace::{Edition, Package, Target, canonical};
use std::collections::BTreeSet;
use std::io;

/// Files in memory below `/r`.
struct Memory(BTreeMap<Utf8PathBuf, Vec<u8>>);

impl Memory {
    fn new(files: &[(&str, &str)]) -> Memory {
        Memory(files.iter().map(|(p, t)| (Utf8PathBuf::from(format!("/r/{p}")), t.as_bytes().to_vec())).collect())
    }
}

impl Files for Memory {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        normal(path)
    }
}

fn workspace(targets: &[(TargetKind, &str, &str)]) -> Workspace {
    let target = |(kind, name, root): &(TargetKind, &str, &str)| Target {
        name: (*name).to_owned(),
        kind: *kind,
        root: format!("/r/{root}").into(),
        edition: Edition::E2021,
        test: true,
        doctest: false,
        required_features: Vec::new(),
    };
    let package = Package {
        id: "p".into(),
        name: "p".into(),
        dir: "/r".into(),
        manifest: "/r/Cargo.toml".into(),
        targets: targets.iter().map(target).collect(),
        features: BTreeSet::from(["on".to_owned()]),
        dependencies: BTreeSet::new(),
    };
    let (root, target_dir) = ("/r".into(), "/r/target".into());
    Workspace { root, target_dir, build_dir: None, packages: vec![package], compile_time: BTreeSet::new() }
}

fn load(targets: &[(TargetKind, &str, &str)], files: &Memory) -> ModuleMap {
    let cfg = CfgSet::from_rustc_lines("unix\ntarget_os=\"linux\"");
    ModuleMap::load(&workspace(targets), Utf8Path::new("/r"), &[0], &cfg, files)
}

fn lib(files: &[(&str, &str)]) -> ModuleMap {
    load(&[(TargetKind::Lib, "p", "src/lib.rs")], &Memory::new(files))
}

/// Every file with its modules, e.g. `src/a.rs=a`.
fn tree(map: &ModuleMap) -> Vec<String> {
    map.files().flat_map(|(f, uses)| uses.iter().map(move |u| format!("{f}={}", u.module.join("::")))).collect()
}

#[test]
fn modules_lie_beside_or_below_their_file() {
    let map = lib(&[
        ("src/lib.rs", "mod a; mod b; mod r#type;"),
        ("src/a.rs", "mod x;"),
        ("src/a/x.rs", ""),
        ("src/b/mod.rs", "mod y; mod z;"),
        ("src/b/y.rs", ""),
        ("src/b/z/mod.rs", ""),
        ("src/type.rs", ""),
    ]);
    assert_eq!(
        tree(&map),
        [
            "src/a.rs=a",
            "src/a/x.rs=a::x",
            "src/b/mod.rs=b",
            "src/b/y.rs=b::y",
            "src/b/z/mod.rs=b::z",
            "src/lib.rs=",
            "src/type.rs=type"
        ]
    );
    assert_eq!(map.problems(), []);
}

#[test]
fn inline_modules_are_directories() {
    let map = lib(&[
        ("src/lib.rs", "mod i { mod x; mod j { mod y; } } mod a;"),
        ("src/i/x.rs", ""),
        ("src/i/j/y.rs", ""),
        ("src/a.rs", "mod k { mod z; }"),
        ("src/a/k/z.rs", ""),
    ]);
    assert_eq!(
        tree(&map),
        ["src/a.rs=a", "src/a/k/z.rs=a::k::z", "src/i/j/y.rs=i::j::y", "src/i/x.rs=i::x", "src/lib.rs="]
    );
}

/// The examples of the Rust reference, "The path attribute".
#[test]
fn path_attributes_follow_the_reference() {
    let text = "#[path = \"foo.rs\"] mod c; mod inline { #[path = \"other.rs\"] mod inner; }";
    let map = lib(&[
        (
            "src/lib.rs",
            "mod a; mod b; #[path = \"thread_files\"] mod thread { #[path = \"tls.rs\"] mod local; mod plain; }",
        ),
        ("src/a.rs", text),
        ("src/foo.rs", "mod below;"),
        ("src/below.rs", ""),
        ("src/a/inline/other.rs", ""),
        ("src/b/mod.rs", text),
        ("src/b/foo.rs", ""),
        ("src/b/inline/other.rs", ""),
        ("src/thread_files/tls.rs", ""),
        ("src/thread_files/plain.rs", ""),
    ]);
    let got = tree(&map);
    for want in [
        "src/foo.rs=a::c",
        "src/below.rs=a::c::below",
        "src/a/inline/other.rs=a::inline::inner",
        "src/b/foo.rs=b::c",
        "src/b/inline/other.rs=b::inline::inner",
        "src/thread_files/tls.rs=thread::local",
        "src/thread_files/plain.rs=thread::plain",
    ] {
        assert!(got.contains(&want.to_owned()), "{want} in {got:?}");
    }
    assert_eq!(map.problems(), []);
}

#[test]
fn conditional_paths_lead_to_each_file_under_its_condition() {
    let map = lib(&[
        ("src/lib.rs", "#[cfg_attr(unix, path = \"u.rs\")] #[cfg_attr(windows, path = \"w.rs\")] mod sys;"),
        ("src/u.rs", ""),
        ("src/w.rs", ""),
        ("src/sys.rs", ""),
    ]);
    assert_eq!(map.role("src/u.rs"), FileRole::Production);
    assert_eq!(map.role("src/w.rs"), FileRole::Off);
    assert_eq!(map.role("src/sys.rs"), FileRole::Off);
    assert_eq!(map.problems(), []);
}

#[test]
fn conditions_add_up_on_the_way() {
    let map = lib(&[
        (
            "src/lib.rs",
            "#[cfg(test)] mod tests; #[cfg(windows)] mod w; #[cfg(feature = \"on\")] mod on; #[cfg(windows)] mod gone;",
        ),
        ("src/tests.rs", "mod deep;"),
        ("src/tests/deep.rs", "#![cfg(unix)]"),
        ("src/w.rs", ""),
        ("src/on.rs", ""),
    ]);
    assert_eq!(map.role("src/tests/deep.rs"), FileRole::Test);
    assert_eq!(map.uses("src/tests/deep.rs")[0].cfgs.len(), 2);
    assert_eq!(map.role("src/w.rs"), FileRole::Off);
    assert_eq!(map.role("src/on.rs"), FileRole::Production);
    assert_eq!(map.role("src/nowhere.rs"), FileRole::Unreached);
    assert_eq!(map.problems(), []);
}

#[test]
fn a_file_of_two_targets_has_both_uses_and_ships_if_one_does() {
    let files = Memory::new(&[
        ("src/lib.rs", "mod shared;"),
        ("src/shared.rs", ""),
        ("tests/it.rs", "mod common; #[path = \"../src/shared.rs\"] mod shared;"),
        ("tests/common/mod.rs", ""),
        ("build.rs", "#[path = \"src/gen.rs\"] mod gen; fn main() {}"),
        ("src/gen.rs", ""),
    ]);
    let targets = [
        (TargetKind::Lib, "p", "src/lib.rs"),
        (TargetKind::Test, "it", "tests/it.rs"),
        (TargetKind::BuildScript, "build", "build.rs"),
    ];
    let map = load(&targets, &files);
    assert_eq!(map.uses("src/shared.rs").len(), 2);
    assert_eq!(map.role("src/shared.rs"), FileRole::Production);
    assert_eq!(map.role("tests/common/mod.rs"), FileRole::Test);
    assert_eq!(map.role("src/gen.rs"), FileRole::BuildScript);
    assert_eq!(map.kind(map.main_use("src/shared.rs").unwrap()), TargetKind::Lib);
}

#[test]
fn included_files_are_part_of_the_module_that_includes_them() {
    let map = lib(&[
        (
            "src/lib.rs",
            "mod m { include!(\"../data/table.in\"); } include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/gen/x.rs\"));",
        ),
        ("data/table.in", "mod inner;"),
        ("data/inner.rs", ""),
        ("gen/x.rs", "const T: u8 = include!(\"value.in\");"),
        ("gen/value.in", "1 + 2"),
    ]);
    assert_eq!(tree(&map), ["data/inner.rs=m::inner", "data/table.in=m", "gen/value.in=", "gen/x.rs=", "src/lib.rs="]);
    assert!(map.uses("data/table.in")[0].included);
    assert_eq!(map.problems(), []);
}

#[test]
fn an_include_of_the_build_scripts_output_is_left_alone() {
    let map = lib(&[("src/lib.rs", "include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));")]);
    assert_eq!((tree(&map), map.problems().len()), (vec!["src/lib.rs=".to_owned()], 0));
}

#[test]
fn modules_inside_macros_and_function_bodies_are_found() {
    let map = lib(&[
        (
            "src/lib.rs",
            "cfg_if::cfg_if! { if #[cfg(windows)] { mod w; } else if #[cfg(unix)] { mod u; } else { mod o; } }\ncfg_rt! { pub mod rt; #[path = \"other.rs\"] mod x; }\nfn f() { mod local; }\nmacro_rules! m { () => { mod never; } }",
        ),
        ("src/w.rs", ""),
        ("src/u.rs", ""),
        ("src/o.rs", ""),
        ("src/rt.rs", ""),
        ("src/other.rs", ""),
        ("src/local.rs", ""),
        ("src/never.rs", ""),
    ]);
    for (file, role) in
        [("w", FileRole::Off), ("u", FileRole::Production), ("o", FileRole::Off), ("never", FileRole::Unreached)]
    {
        assert_eq!(map.role(&format!("src/{file}.rs")), role, "{file}");
    }
    for file in ["rt", "other", "local"] {
        assert_eq!(map.role(&format!("src/{file}.rs")), FileRole::Production, "{file}");
    }
    assert_eq!(map.presence_of(&map.uses("src/rt.rs")[0]), Presence::Unknown);
}

/// rustc's `DirOwnership::UnownedViaBlock`: the file's own stem does not count in a block.
#[test]
fn a_module_in_a_function_body_lies_beside_its_file() {
    let map = lib(&[("src/lib.rs", "mod a;"), ("src/a.rs", "fn f() { mod x; }"), ("src/x.rs", ""), ("src/a/x.rs", "")]);
    assert_eq!(tree(&map), ["src/a.rs=a", "src/lib.rs=", "src/x.rs=a::x"]);
}

#[test]
fn what_cannot_be_followed_is_named_and_the_rest_is_walked() {
    let mut files = Memory::new(&[
        ("src/lib.rs", "mod bad; mod latin;\nmod gone; mod good;"),
        ("src/bad.rs", "fn ("),
        ("src/good.rs", ""),
    ]);
    files.0.insert("/r/src/latin.rs".into(), vec![0xE9]);
    let map = load(&[(TargetKind::Lib, "p", "src/lib.rs")], &files);
    let problems: Vec<String> = map.problems().iter().map(|p| format!("{}: {}", p.file, p.why)).collect();
    assert!(problems[0].starts_with("src/bad.rs: does not parse"), "{problems:?}");
    assert_eq!(problems[1..], ["src/latin.rs: is not UTF-8", "src/lib.rs: `gone`, declared in line 2, has no file"]);
    assert_eq!(map.role("src/good.rs"), FileRole::Production);
    // A broken file still belongs to its target.
    assert_eq!(map.role("src/bad.rs"), FileRole::Production);
}

#[test]
fn a_file_that_includes_itself_ends() {
    let map = lib(&[("src/lib.rs", "#[path = \"lib.rs\"] mod again;")]);
    assert_eq!(tree(&map), ["src/lib.rs="]);
}

#[cfg(unix)]
#[test]
fn a_linked_file_is_known_by_its_real_path() {
    let dir = tempfile::tempdir().unwrap();
    let root = canonical(Utf8Path::from_path(dir.path()).unwrap());
    for (path, text) in [("src/lib.rs", "#[cfg(test)] mod common;"), ("shared.rs", "")] {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        std::fs::write(root.join(path), text).unwrap();
    }
    std::os::unix::fs::symlink("../shared.rs", root.join("src/common.rs")).unwrap();
    let mut ws = workspace(&[(TargetKind::Lib, "p", "x")]);
    ws.packages[0].targets[0].root = root.join("src/lib.rs");
    let map = ModuleMap::load(&ws, &root, &[0], &CfgSet::default(), &Disk);
    assert_eq!(map.role("shared.rs"), FileRole::Test);
    assert!(map.is_linked("shared.rs") && !map.is_linked("src/lib.rs"));
}
