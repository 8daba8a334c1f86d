use super::*;
use std::fs;

/// Writes files below a fresh directory.
pub(super) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn at(dir: &std::path::Path) -> CargoOptions {
    CargoOptions { dir: Some(Utf8PathBuf::from_path_buf(dir.to_owned()).unwrap()), ..CargoOptions::default() }
}

const CORE: &str = "[package]\nname = \"core-lib\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[features]\ndefault = [\"std\"]\nstd = []\nfast = [\"simd\"]\nsimd = []\nunused = []\n";
const APP: &str = "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2021\"\nbuild = \"build.rs\"\n[features]\nturbo = [\"core-lib/fast\"]\n[dependencies]\ncore-lib = { path = \"../core-lib\" }\n[[test]]\nname = \"gated\"\nrequired-features = [\"turbo\"]\n";

fn two_crates() -> tempfile::TempDir {
    tree(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"2\"\n"),
        ("crates/core-lib/Cargo.toml", CORE),
        ("crates/core-lib/src/lib.rs", ""),
        ("crates/app/Cargo.toml", APP),
        ("crates/app/build.rs", "fn main() {}"),
        ("crates/app/src/main.rs", "fn main() {}"),
        ("crates/app/src/lib.rs", ""),
        ("crates/app/tests/checkout.rs", ""),
        ("crates/app/tests/gated.rs", ""),
        ("crates/app/examples/ex.rs", "fn main() {}"),
        ("crates/app/benches/be.rs", "fn main() {}"),
    ])
}

fn package<'a>(ws: &'a Workspace, name: &str) -> &'a Package {
    ws.packages.iter().find(|p| p.name == name).unwrap()
}

#[test]
fn targets_have_the_ids_that_nextest_gives_them() {
    let dir = two_crates();
    let ws = Workspace::load(&at(dir.path())).unwrap();
    let app = package(&ws, "app");
    let ids: BTreeSet<String> = app.targets.iter().map(|t| app.binary_id(t)).collect();
    for id in ["app", "app::bin/app", "app::checkout", "app::gated", "app::example/ex", "app::bench/be"] {
        assert!(ids.contains(id), "{id} in {ids:?}");
    }
    assert!(app.has_build_script());
    assert_eq!(
        ws.target_of("app::checkout").map(|(p, t)| ws.packages[p].targets[t].flags()).unwrap(),
        ["--test", "checkout"]
    );
}

#[test]
fn members_know_which_members_they_depend_on() {
    let dir = two_crates();
    let ws = Workspace::load(&at(dir.path())).unwrap();
    let names: Vec<_> = package(&ws, "app").dependencies.iter().map(|d| ws.packages[*d].name.as_str()).collect();
    assert_eq!(names, ["core-lib"]);
    assert!(package(&ws, "core-lib").dependencies.is_empty());
}

#[test]
fn libraries_behind_macros_and_build_scripts_run_at_compile_time() {
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2021\"\n{rest}\n")
    };
    let on = |table: &str, name: &str| format!("[{table}]\n{name} = {{ path = \"../{name}\" }}");
    let files = [
        (
            "mac",
            format!("[lib]\nproc-macro = true\n{}\n{}", on("dependencies", "inner"), on("dev-dependencies", "user")),
        ),
        ("inner", String::new()),
        ("user", format!("{}\n{}", on("dependencies", "mac"), on("build-dependencies", "codegen"))),
        ("codegen", String::new()),
    ];
    let mut all =
        vec![("Cargo.toml".to_owned(), "[workspace]\nmembers = [\"*\"]\nexclude = [\"target\"]\n".to_owned())];
    for (name, rest) in files {
        all.push((format!("{name}/Cargo.toml"), manifest(name, &rest)));
        all.push((format!("{name}/src/lib.rs"), String::new()));
    }
    let all: Vec<(&str, &str)> = all.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let dir = tree(&all);
    let ws = Workspace::load(&at(dir.path())).unwrap();
    let names: BTreeSet<&str> = ws.compile_time.iter().map(|at| ws.packages[*at].name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["codegen", "inner", "mac"]));
    let index = |name: &str| ws.packages.iter().position(|p| p.name == name).unwrap();
    let named =
        |set: BTreeSet<usize>| set.into_iter().map(|at| ws.packages[at].name.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(named(ws.dependencies_of(index("user"))), "codegen inner mac user", "by way of a dev-dependency");
    assert_eq!(named(ws.dependencies_of(index("inner"))), "");
    assert_eq!(named(ws.dependents(BTreeSet::from([index("inner")]))), "inner mac user");
}

#[test]
fn features_follow_the_flags_through_the_members() {
    let dir = two_crates();
    let load = |change: fn(&mut CargoOptions)| {
        let mut opts = at(dir.path());
        change(&mut opts);
        let ws = Workspace::load(&opts).unwrap();
        let app = package(&ws, "app");
        let gated = app.targets.iter().find(|t| t.name == "gated").unwrap();
        (package(&ws, "core-lib").features.iter().cloned().collect::<Vec<_>>().join(" "), app.is_built(gated))
    };
    assert_eq!(load(|_| ()), ("default std".into(), false));
    assert_eq!(load(|o| o.features = vec!["turbo".into()]), ("default fast simd std".into(), true));
    assert_eq!(load(|o| o.features = vec!["core-lib/fast".into()]), ("default fast simd std".into(), false));
    assert_eq!(load(|o| o.all_features = true), ("default fast simd std unused".into(), true));
    // `app` asks for the default features of `core-lib` whatever the flags say.
    assert_eq!(load(|o| o.no_default_features = true), ("default std".into(), false));
    let alone = |o: &mut CargoOptions| (o.no_default_features, o.packages) = (true, vec!["core-lib".into()]);
    assert_eq!(load(alone), (String::new(), false));
}

#[test]
fn nothing_is_written_into_the_tree() {
    let dir = two_crates();
    Workspace::load(&at(dir.path())).unwrap();
    assert!(!dir.path().join("Cargo.lock").exists());
    assert!(!dir.path().join("target").exists());
}

#[test]
fn a_manifest_that_does_not_load_speaks_with_cargos_words() {
    let dir = tree(&[
        ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"1.0.0\"\nedition = \"1999\"\n"),
        ("src/lib.rs", ""),
    ]);
    let e = Workspace::load(&at(dir.path())).unwrap_err().to_string();
    assert!(e.contains("could not load the cargo workspace") && e.contains("1999"), "{e}");
}

#[test]
fn an_unknown_package_is_named_with_the_known_ones() {
    let dir = two_crates();
    let opts = CargoOptions { packages: vec!["nope".into()], ..at(dir.path()) };
    let e = Workspace::load(&opts).unwrap_err().to_string();
    assert!(e.contains("-p nope") && e.contains("core-lib"), "{e}");
}

#[test]
fn packages_are_chosen_by_name_pattern_and_exclusion() {
    let dir = two_crates();
    let ws = Workspace::load(&at(dir.path())).unwrap();
    let chosen = |change: fn(&mut CargoOptions)| {
        let mut opts = CargoOptions::default();
        change(&mut opts);
        opts.select(&ws).unwrap().into_iter().map(|i| ws.packages[i].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(chosen(|_| ()), ["app", "core-lib"]);
    assert_eq!(chosen(|o| o.packages = vec!["core-*".into()]), ["core-lib"]);
    assert_eq!(chosen(|o| o.packages = vec!["app@1.0.0".into()]), ["app"]);
    assert_eq!(chosen(|o| (o.workspace, o.exclude) = (true, vec!["app".into()])), ["core-lib"]);
}

#[cfg(unix)]
#[test]
fn paths_are_free_of_symbolic_links_as_gits_are() {
    let dir = two_crates();
    let links = tempfile::tempdir().unwrap();
    let link = links.path().join("link");
    std::os::unix::fs::symlink(dir.path(), &link).unwrap();
    let ws = Workspace::load(&at(&link)).unwrap();
    let through = CargoOptions {
        manifest_path: Some(Utf8PathBuf::from_path_buf(link.join("Cargo.toml")).unwrap()),
        ..CargoOptions::default()
    };
    let real = dir.path().canonicalize().unwrap();
    for ws in [ws, Workspace::load(&through).unwrap()] {
        assert_eq!(ws.root.as_std_path(), real);
        assert_eq!(ws.target_dir.as_std_path(), real.join("target"));
        assert!(ws.packages.iter().all(|p| p.targets.iter().all(|t| t.root.starts_with(&ws.root))));
    }
}
