//! A real workspace, in a folder with a space in its name: listed, run by nextest and without it, and replayed.

use super::*;
use crate::exec::{End, Ending, Live, Pool, Sandbox};
use crate::process::Cmd;
use crate::report::model::BaselineOutcome;
use crate::test_id::TestId;
use camino::{Utf8Path, Utf8PathBuf};
use std::time::Duration;

/// This test binary as the shim: does nothing unless started as such by [`shim`].
#[test]
fn stands_in_for_the_shim() {
    if std::env::var_os(shim::RECORD_DIR).is_some() {
        let command = std::env::args_os().skip_while(|arg| arg != "--").skip(1);
        std::process::exit(shim::run(command).into());
    }
}

fn shim() -> Vec<String> {
    let this = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let name = "runner::tests::stands_in_for_the_shim";
    // a list must not be mixed with what this harness prints
    let script = format!(
        r#"self=$1; shift; case " $* " in
        *" --exact "*) exec "$self" --exact {name} --nocapture -- "$@";;
        *) exec "$@";; esac"#
    );
    ["sh", "-c", &script, "sh", &this].map(str::to_owned).into()
}

struct Workspace {
    _dir: tempfile::TempDir,
    root: Utf8PathBuf,
    context: Context,
    built: Built,
}

fn workspace() -> Workspace {
    let dir = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(dir.path()).unwrap().canonicalize_utf8().unwrap().join("a work space");
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("Cargo.toml", "[workspace]\nmembers = [\"app\"]\nresolver = \"2\"\n");
    write(".cargo/config.toml", "[env]\nFROM_CONFIG = \"yes\"\n");
    let manifest = "[package]\nname = \"app\"\nversion = \"0.1.2\"\nedition = \"2021\"\n";
    write("app/Cargo.toml", &format!("{manifest}[[test]]\nname = \"own\"\nharness = false\n"));
    write("app/build.rs", "fn main() { println!(\"cargo::rustc-env=FROM_SCRIPT=yes\"); }\n");
    write("app/src/lib.rs", include_str!("testdata/lib.rs"));
    write("app/src/main.rs", "fn main() { app::answer(8); }\n");
    write("app/tests/it.rs", include_str!("testdata/it.rs"));
    write("app/tests/own.rs", "fn main() { eprintln!(\"no list here\"); std::process::exit(7) }\n");

    // as the woven build does it: intermediate files in the user's own folder, results elsewhere
    let (build_dir, target_dir) = (root.join("target"), root.join("target/hunkmut/target"));
    let cargo = || {
        let cargo = Cmd::new("cargo").cwd(&root).env("CARGO_BUILD_BUILD_DIR", &build_dir);
        cargo.env("CARGO_TARGET_DIR", &target_dir)
    };
    let out = cargo().args(["test", "--no-run", "--offline", "--message-format", "json"]).run().unwrap();
    let messages: Vec<_> = cargo_metadata::Message::parse_stream(&out.stdout[..]).map(Result::unwrap).collect();
    let text = cargo().args(["metadata", "--format-version", "1", "--offline"]).run().unwrap().text();
    let metadata_file = root.join("metadata.json");
    std::fs::write(&metadata_file, &text).unwrap();
    let metadata: cargo_metadata::Metadata = serde_json::from_str(&text).unwrap();
    let built = Built::from_messages(&messages, &metadata, &target_dir, &build_dir);
    let mut context = Context::new(&root, metadata, metadata_file, None, build_dir.join("hunkmut")).unwrap();
    context.shim = shim();
    Workspace { _dir: dir, root, context, built }
}

fn id(name: &str) -> TestId {
    match name.strip_prefix("it ") {
        Some(name) => TestId::new("app::it", name),
        None => TestId::new("app", format!("tests::{name}")),
    }
}

fn pool(workspace: &Workspace) -> Pool {
    Pool::new(workspace.context.scratch.as_std_path(), 2, &Sandbox::default()).unwrap()
}

fn nextest_is_installed(workspace: &Workspace) -> bool {
    matches!(Driver::choose(&workspace.context, false), Ok(Driver::Nextest { .. }))
}

#[test]
fn every_binary_is_listed_and_the_one_that_cannot_is_named() {
    let workspace = workspace();
    let listing = list(&workspace.context, &workspace.built, 2);
    let failed: Vec<_> = listing.failures.iter().map(|failure| failure.binary_id.as_str()).collect();
    assert_eq!(failed, ["app::own"]);
    assert!(listing.failures[0].why.contains("no list here"), "{}", listing.failures[0].why);
    let mut ids: Vec<_> = listing.tests().map(|test| test.id.to_string()).collect();
    ids.sort();
    let unit =
        ["aborts", "fails", "fails_once", "hangs", "is_ignored", "passes"].map(|name| format!("app tests::{name}"));
    let it = ["a_subprocess_is_traced_too", "finds_its_surroundings"].map(|name| format!("app::it {name}"));
    assert_eq!(ids, [&unit[..], &it[..]].concat());
    let passes = listing.get(&id("passes")).unwrap();
    let line = include_str!("testdata/lib.rs").lines().position(|line| line.contains("fn passes")).unwrap() as u32 + 1;
    assert_eq!(passes.source, Some(Source { file: "app/src/lib.rs".into(), line }));
    assert!(listing.get(&id("is_ignored")).unwrap().ignored && !passes.ignored);
}

/// What both ways to record have to agree on.
fn check(recordings: &[Recording], tests: &[TestId]) {
    assert_eq!(recordings.iter().map(|recording| recording.id.clone()).collect::<Vec<_>>(), tests);
    let of = |name: &str| recordings.iter().find(|recording| recording.id == id(name)).unwrap();
    assert_eq!(of("passes").end, End::Passed);
    assert_eq!(of("passes").trace.executed().collect::<Vec<_>>(), [(7, 2)]);
    assert_eq!(of("fails").end, End::Failed { code: 101 });
    assert!(String::from_utf8_lossy(&of("fails").output).contains("on purpose"));
    assert_eq!(of("aborts").end, End::Signal { number: 6 });
    let surroundings = of("it finds_its_surroundings");
    assert_eq!(surroundings.end, End::Passed, "{}", String::from_utf8_lossy(&surroundings.output));
    assert_eq!(of("it a_subprocess_is_traced_too").trace.hits(8), Some(2));
    assert_eq!(of("is_ignored").end, End::Passed);
}

const TESTS: [&str; 6] =
    ["passes", "it finds_its_surroundings", "fails", "it a_subprocess_is_traced_too", "aborts", "is_ignored"];

#[test]
fn nextest_runs_exactly_the_tests_in_use_and_the_shim_records_them() {
    let mut workspace = workspace();
    if !nextest_is_installed(&workspace) {
        return;
    }
    workspace.context.host_runner = vec!["env".into(), "CHAINED=a b".into()];
    let tests = TESTS.map(id);
    let recordings = record_with_nextest(&workspace.context, &workspace.built, &tests).unwrap();
    check(&recordings, &tests);
    let argv = &recordings[0].recorded.argv;
    assert_eq!(argv[..2], ["env", "CHAINED=a b"], "the user's own runner is part of the command");
    assert!(recordings[0].recorded.var("NEXTEST_TEST_NAME").is_some_and(|name| name == "tests::passes"));
}

#[test]
fn without_nextest_the_same_commands_are_made_up() {
    let workspace = workspace();
    let (context, built, tests) = (&workspace.context, &workspace.built, TESTS.map(id));
    let listing = list(context, built, 2);
    let (pool, wall) = (pool(&workspace), Duration::from_secs(60));
    let recordings = record_directly(context, built, &listing, &tests, &pool, wall, &Ending::default()).unwrap();
    check(&recordings, &tests);
}

#[test]
fn a_record_of_nextest_can_be_replayed_with_a_mutant_live() {
    let workspace = workspace();
    if !nextest_is_installed(&workspace) {
        return;
    }
    let tests = ["passes", "it finds_its_surroundings"].map(id);
    let recordings = record_with_nextest(&workspace.context, &workspace.built, &tests).unwrap();
    let (pool, patience) = (pool(&workspace), Patience::default());
    let baseline = repeat(recordings, 3, &patience, &pool, &Ending::default(), &|_, _| None);
    assert!(baseline.is_green(), "{baseline:?}");
    assert_eq!((baseline.tests[0].runs, baseline.executing(7)), (3, vec![0]));
    let test = &baseline.tests[0];
    let ran = pool.run(0, &test.recorded, Live::Switch(7), patience.limits(test));
    assert_eq!((ran.end, ran.hit, ran.began), (End::Failed { code: 101 }, true, true));
}

#[test]
fn the_users_nextest_configuration_rules_limits_but_not_verdicts() {
    let mut workspace = workspace();
    if !nextest_is_installed(&workspace) {
        return;
    }
    let config = "[profile.default]\nretries = 3\nfail-fast = true\ndefault-filter = 'none()'\n\
        slow-timeout = { period = '2s', terminate-after = 1, grace-period = '100ms' }\n\
        failure-output = 'never'\nstatus-level = 'none'\njunit = { path = 'junit.xml' }\n\
        [test-groups]\nalone = { max-threads = 1 }\n\
        [[profile.default.overrides]]\nfilter = 'test(passes)'\ntest-group = 'alone'\n";
    std::fs::create_dir_all(workspace.root.join(".config")).unwrap();
    std::fs::write(workspace.root.join(".config/nextest.toml"), config).unwrap();
    let mark = workspace.root.join("mark").into_string();
    workspace.context.env = vec![("HANG".into(), "1".into()), ("MARK".into(), mark.into())];
    let tests = ["fails_once", "hangs", "passes"].map(id);
    let recordings = record_with_nextest(&workspace.context, &workspace.built, &tests).unwrap();
    let ends: Vec<_> = recordings.iter().map(|recording| recording.end.clone()).collect();
    assert_eq!(ends, [End::Failed { code: 101 }, End::TimedOut, End::Passed]);
    assert_eq!(recordings[2].recorded.group.as_deref(), Some("alone"));
    assert!(String::from_utf8_lossy(&recordings[0].output).contains("assertion failed: !first"));
    assert!(!workspace.root.join("target/nextest").exists(), "the user's own reports are left alone");
    let baseline = repeat(recordings, 3, &Patience::default(), &pool(&workspace), &Ending::default(), &|_, _| None);
    let outcomes: Vec<_> = baseline.tests.iter().map(|test| test.outcome).collect();
    assert_eq!(outcomes, [BaselineOutcome::Flaky, BaselineOutcome::Timeout, BaselineOutcome::Pass]);
}

#[test]
fn when_nextest_cannot_do_its_work_its_words_are_the_error() {
    let workspace = workspace();
    if !nextest_is_installed(&workspace) {
        return;
    }
    let run =
        |test: TestId| record_with_nextest(&workspace.context, &workspace.built, &[test]).unwrap_err().to_string();
    assert!(run(id("no_such_test")).contains("no tests to run"));
    std::fs::create_dir_all(workspace.root.join(".config")).unwrap();
    std::fs::write(workspace.root.join(".config/nextest.toml"), "nonsense = [").unwrap();
    assert!(run(id("passes")).contains("nextest.toml"));
}

#[test]
fn without_nextest_a_workspace_that_configures_it_is_told_how_to_install_it() {
    let mut workspace = workspace();
    workspace.context.cargo = "/no/such/cargo".into();
    assert_eq!(Driver::choose(&workspace.context, false).unwrap(), Driver::Direct);
    assert!(Driver::choose(&workspace.context, true).is_err());
    std::fs::create_dir_all(workspace.root.join(".config")).unwrap();
    std::fs::write(workspace.root.join(".config/nextest.toml"), "").unwrap();
    let error = Driver::choose(&workspace.context, false).unwrap_err().to_string();
    assert!(
        error.contains(".config/nextest.toml") && error.contains("cargo install --locked cargo-nextest"),
        "{error}"
    );
}
