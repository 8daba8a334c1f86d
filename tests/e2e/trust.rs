//! Verdicts that can be relied on: the same every time, whatever mutants, tests and budgets do.

use crate::harness::case::Case;
use crate::harness::program::report;
use crate::harness::{Fixture, Ran};
use camino::Utf8Path;
use cargo_hunkmut::evidence::verify;
use cargo_hunkmut::report::model::{BaselineOutcome, Decision, Report, Timings, Verdict};

/// A run and its report.
fn judged(fixture: &Fixture, args: &[&str]) -> (Ran, Report) {
    let all: Vec<&str> = ["--base", "main"].iter().chain(args).copied().collect();
    let ran = fixture.hunkmut(&all);
    let report = report(&fixture.root()).unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
    (ran, report)
}

/// Processes that know the fixture's temporary folder.
fn strays(fixture: &Fixture) -> Vec<String> {
    let temporary = fixture.temporary().into_os_string().into_encoded_bytes();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let knows = |path: &std::path::PathBuf| {
        let environ = std::fs::read(path.join("environ")).unwrap_or_default();
        environ.windows(temporary.len()).any(|part| part == temporary)
    };
    processes.filter(knows).map(|path| path.display().to_string()).collect()
}

/// Everything that must not depend on the day.
fn without_times(mut report: Report) -> Report {
    report.timings_ms = Timings::default();
    report.mutants.iter_mut().for_each(|mutant| mutant.duration_ms = 0.0);
    report.tests.baseline.iter_mut().for_each(|test| test.duration_ms = 0.0);
    report
}

#[test]
fn three_runs_give_the_same_report_but_for_times() {
    for name in ["closures-and-loops", "toothless", "const-code"] {
        let fixture = Case::named(name).repository();
        let [first, second, third] = [(); 3].map(|()| without_times(judged(&fixture, &["--no-cache"]).1));
        assert_eq!(second, first, "{name}");
        assert_eq!(third, first, "{name}");
    }
}

#[test]
fn all_tests_on_every_mutant_name_all_killers() {
    let fixture = Case::named("closures-and-loops").repository();
    let (_, some) = judged(&fixture, &[]);
    let (_, all) = judged(&fixture, &["--exhaustive"]);
    let verdicts = |report: &Report| report.mutants.iter().map(|m| (m.id.clone(), m.verdict)).collect::<Vec<_>>();
    assert_eq!(verdicts(&all), verdicts(&some));
    for (some, all) in some.mutants.iter().zip(&all.mutants) {
        let known = |killer: &cargo_hunkmut::report::model::Killer| all.killed_by.iter().any(|k| k.id == killer.id);
        assert!(some.killed_by.iter().all(known), "{} {:?} {:?}", some.id, some.killed_by, all.killed_by);
    }
}

#[test]
fn a_cap_in_multiples_of_the_plain_build_is_measured_and_said() {
    let fixture = Case::named("pass").repository();
    let (ran, report) = judged(&fixture, &["--cap", "50x"]);
    ran.ends(0, &["one x of the cap is"]);
    assert!(report.cap.seconds.is_some_and(|seconds| seconds > 0.1), "{:?}", report.cap);
    let (ran, report) = judged(&fixture, &["--cap", "0.01x"]);
    ran.ends(5, &["--cap"]);
    assert_eq!((report.decision, report.complete, report.cap.reached), (Decision::Incomplete, false, true));
    assert!(!report.cap.cut.is_empty() && report.cap.ran.is_empty(), "{:?}", report.cap);
}

/// A crate in which a new function is tested by what the test says; the patch is on `patch`.
fn with_test(test: &str, policy: Option<&str>) -> Fixture {
    let fixture = Fixture::unborn();
    fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.write("keep.txt", "kept\n");
    if let Some(policy) = policy {
        fixture.write(".config/hunkmut.toml", policy);
    }
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.grow_counter();
    fixture.write("tests/next.rs", test);
    fixture.commit("patch");
    fixture
}

const FAILS_ONCE_IN_FIVE: &str = "#[test]
fn steady() {
    assert_eq!(counter::next(7), 8);
}

#[test]
fn moody() {
    counter::next(1);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_ne!(now.subsec_nanos() / 1000 % 5, 0, \"a bad moment\");
}
";

#[test]
fn a_test_that_fails_one_time_in_five_is_found_and_kills_nothing() {
    let fixture = with_test(FAILS_ONCE_IN_FIVE, None);
    for _ in 0..4 {
        let (ran, report) = judged(&fixture, &[]);
        ran.ends(4, &["moody"]);
        let moody = report.tests.baseline.iter().find(|test| test.id.name == "moody").unwrap();
        assert_ne!(moody.outcome, BaselineOutcome::Pass, "{}", ran.transcript());
        let killers = report.mutants.iter().flat_map(|mutant| &mutant.killed_by);
        assert_eq!(killers.filter(|killer| killer.id.name == "moody").count(), 0, "{}", ran.transcript());
    }
}

/// Passes only where it may write beside the sources, and leaves a mess there when the mutant is live.
const NEEDS_THE_TREE: &str = "#[test]
fn writes_beside_the_sources() {
    let dir = std::path::Path::new(env!(\"CARGO_MANIFEST_DIR\"));
    let scratch = dir.join(\"target/scratch\");
    std::fs::create_dir_all(&scratch).unwrap();
    std::fs::write(scratch.join(\"file\"), \"\").unwrap();
    let right = counter::next(1) == 2;
    if !right {
        std::fs::write(dir.join(\"keep.txt\"), \"lost\").unwrap();
    }
    assert!(right);
}
";

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_needs_the_tree_is_named_and_so_is_the_mutant_that_made_it_change_files() {
    let fixture = with_test(NEEDS_THE_TREE, None);
    let (ran, report) = judged(&fixture, &[]);
    ran.ends(3, &["writes_beside_the_sources", "keep.txt"]);
    assert!(!report.tree.clean && report.decision == Decision::Hold, "{}", ran.transcript());
    let reasons = format!("{:?}", report.gates);
    let named = report.mutants.iter().any(|mutant| reasons.contains(&mutant.id));
    assert!(named, "{reasons}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_test_changed_is_changed_back_only_if_asked_to_and_only_if_it_was_clean() {
    let fixture = with_test(NEEDS_THE_TREE, None);
    let (ran, report) = judged(&fixture, &["--restore"]);
    ran.ends(0, &["restored"]);
    assert!(report.tree.clean);
    assert_eq!(fixture.read("keep.txt"), "kept\n");
    fixture.write("keep.txt", "edited\n");
    let (ran, report) = judged(&fixture, &["--restore"]);
    ran.ends(3, &["keep.txt"]);
    assert!(!report.tree.clean && format!("{:?}", report.gates).contains("not restored"), "{:?}", report.gates);
    assert_eq!(fixture.read("keep.txt"), "lost");
}

#[test]
#[cfg(target_os = "linux")]
fn a_policy_that_requires_confinement_ends_the_run_instead() {
    let fixture = with_test(NEEDS_THE_TREE, Some("[sandbox]\nmode = \"required\"\n"));
    fixture.hunkmut(&["--base", "main"]).ends(2, &["writes_beside_the_sources", "writable"]);
    assert_eq!(fixture.read("keep.txt"), "kept\n");
}

#[test]
fn a_variable_that_the_policy_withholds_does_not_reach_the_tests() {
    let test = "#[test]\nfn next() {\n    assert_eq!(std::env::var_os(\"PASSWORD\"), None);\n    assert_eq!(counter::next(0), 1);\n}\n";
    let fixture = with_test(test, Some("[sandbox]\nwithhold = [\"PASS*\"]\n"));
    let mut command = crate::harness::program::hunkmut(&fixture.root());
    command.args(["--base", "main"]).env("PASSWORD", "secret");
    crate::harness::program::finish(command).ends(0, &["pass"]);
}

#[test]
fn mutants_that_eat_memory_fill_the_disk_or_fork_are_contained() {
    let fixture = Fixture::unborn();
    fixture.crate_files("greedy", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    let lib = "pub fn zero() -> u32 {
    0
}

pub fn room(n: usize) -> usize {
    let bytes: Vec<u8> = vec![1; if n > 1 { n } else { 1 << 36 }];
    bytes.len()
}

pub fn file(n: u64) -> u64 {
    let path = std::env::temp_dir().join(\"file\");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(if n > 1 { n } else { 1 << 34 }).unwrap();
    file.metadata().unwrap().len()
}

pub fn children(n: u32) -> u32 {
    let count = if n > 1 { 0 } else { 40 };
    for _ in 0..count {
        std::process::Command::new(\"sleep\").arg(\"600\").spawn().unwrap();
    }
    count
}
";
    fixture.write("src/lib.rs", lib);
    let tests = "#[test]
fn room() {
    assert_eq!(greedy::room(2), 2);
}

#[test]
fn file() {
    assert_eq!(greedy::file(2), 2);
}

#[test]
fn children() {
    assert_eq!(greedy::children(2), 0);
}
";
    fixture.write("tests/greed.rs", tests);
    fixture.commit("patch");
    let (ran, report) = judged(&fixture, &[]);
    ran.ends(0, &["pass"]);
    let negated = report.mutants.iter().filter(|mutant| mutant.replacement.contains("n <= 1"));
    let verdicts: Vec<_> = negated.map(|mutant| (mutant.line, mutant.verdict)).collect();
    let dead = |verdict: &Verdict| matches!(verdict, Verdict::Killed | Verdict::Timeout);
    assert!(verdicts.len() >= 3 && verdicts.iter().all(|(_, verdict)| dead(verdict)), "{verdicts:?}");
    assert_eq!(strays(&fixture), Vec::<String>::new());
}

#[test]
fn a_run_goes_on_where_an_earlier_one_was_cut_if_nothing_has_changed() {
    let fixture = Case::named("closures-and-loops").repository();
    let dir = fixture.evidence();
    let evidence = ["--evidence", dir.to_str().unwrap()];
    let judged = |fixture: &Fixture, args: &[&str]| judged(fixture, &[args, &evidence].concat());
    let verified = || verify(Utf8Path::from_path(&dir).unwrap()).unwrap().1.problems;
    let (_, whole) = judged(&fixture, &[]);
    assert_eq!(verified(), [""; 0]);
    let total = whole.timings_ms.total as u64;
    // somewhere in the middle of its mutants, on whatever machine this is
    let cut = (1..=20).rev().map(|part| total * (60 + 2 * part) / 100).find_map(|cap| {
        let (_, report) = judged(&fixture, &["--cap", &format!("{cap}ms")]);
        let counts = report.counts;
        (report.decision == Decision::Incomplete && counts.unverified < counts.total).then_some(report)
    });
    let Some(cut) = cut else { return };
    assert_eq!(verified(), [""; 0], "what was cut off claims no more than its records show");
    let (ran, resumed) = judged(&fixture, &["--resume"]);
    let taken = cut.counts.total - cut.counts.unverified - cut.counts.flaky;
    ran.ends(whole.exit_code.into(), &[&format!("{taken} verdicts are taken over")]);
    let verdicts = |report: &Report| report.mutants.iter().map(|m| (m.id.clone(), m.verdict)).collect::<Vec<_>>();
    assert_eq!(verdicts(&resumed), verdicts(&whole));
    assert_eq!(resumed.tests.toothless, whole.tests.toothless);
    assert!(resumed.complete);
    assert_eq!(verified(), [""; 0], "the records of the run before came along");
    fixture.hunkmut(&["--base", "main", "--resume"]).ends(whole.exit_code.into(), &["no unfinished run"]);
}

#[test]
fn a_run_is_not_resumed_after_a_change() {
    let fixture = Case::named("pass").repository();
    fixture.hunkmut(&["--base", "main", "--cap", "1ms"]).ends(5, &[]);
    fixture.write("src/extra.rs", "");
    fixture.hunkmut(&["--base", "main", "--resume"]).ends(0, &["anew", "the work tree"]);
}
