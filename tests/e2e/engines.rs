//! Both engines give the same verdict: every mutant that a switch can hold is also compiled alone, as a real change.

use crate::harness::case::Case;
use crate::harness::invariants::describe;
use crate::harness::{Fixture, Problems};
use cargo_hunkmut::report::model::{Engine, Mutant, Report, RevertedVerdict, Verdict};
use std::collections::BTreeMap;

/// What a verdict says, whichever engine it comes from. A rebuilt mutant has no switch that could record whether it was
/// executed, so that `unexecuted` is `survived` there, with the reason `not traced`.
fn said(mutant: &Mutant) -> &'static str {
    match mutant.verdict {
        Verdict::Killed => "killed",
        Verdict::Timeout => "timeout",
        Verdict::Survived | Verdict::Unexecuted => "alive",
        Verdict::Excused => "excused",
        Verdict::Invalid => "invalid",
        Verdict::Flaky => "flaky",
        Verdict::Unverified => "unverified",
    }
}

fn report(case: &Case, fixture: &Fixture, args: &[&str]) -> Report {
    let (ran, report) = case.run_with(fixture, args);
    report.unwrap_or_else(|| panic!("no report\n{}", ran.transcript()))
}

/// Runs a case with either engine and compares; returns how many mutants both engines have judged.
fn same_by_rebuild(name: &str) -> usize {
    let case = Case::named(name);
    let fixture = case.repository();
    let woven = report(&case, &fixture, &[]);
    let (ran, rebuilt) = case.run_with(&fixture, &["--engine", "rebuild"]);
    let rebuilt = rebuilt.unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
    let by_id: BTreeMap<&str, &Mutant> = rebuilt.mutants.iter().map(|mutant| (mutant.id.as_str(), mutant)).collect();
    let mut problems = Problems::default();
    problems.same("mutants", rebuilt.mutants.len(), woven.mutants.len());
    for mutant in &woven.mutants {
        let other = by_id.get(mutant.id.as_str()).copied();
        let other = other.unwrap_or_else(|| panic!("{} is missing\n{}", describe(mutant), ran.transcript()));
        problems.expect(said(mutant) == said(other), || {
            format!("{}: {:?}, by rebuild {:?} ({:?})", describe(mutant), mutant.verdict, other.verdict, other.reason)
        });
        problems.expect(other.verdict == Verdict::Invalid || other.engine == Engine::Rebuilt, || {
            format!("{} was not compiled alone", describe(other))
        });
        let traced = other.verdict == Verdict::Unexecuted;
        problems.expect(!traced, || format!("{}: nothing can tell that no test executes it", describe(other)));
    }
    let reverted = |report: &Report| match report.reverted.verdict {
        RevertedVerdict::Killed => "killed",
        RevertedVerdict::Survived => "survived",
        RevertedVerdict::Invalid => "invalid",
        RevertedVerdict::NotRun => "not run",
    };
    problems.same("the reverted patch", reverted(&rebuilt), reverted(&woven));
    problems.same("toothless tests", &rebuilt.tests.toothless, &woven.tests.toothless);
    problems.same("the ratio", rebuilt.kill_ratio, woven.kill_ratio);
    problems.same("the decision", rebuilt.decision, woven.decision);
    problems.settle(&format!("{name}: verdicts by both engines"), &ran);
    woven.mutants.iter().filter(|mutant| mutant.engine == Engine::Woven && mutant.verdict != Verdict::Invalid).count()
}

#[test]
fn closures_and_loops_are_judged_the_same_by_both_engines() {
    assert!(same_by_rebuild("closures-and-loops") > 10);
}

#[test]
fn unsafe_code_is_judged_the_same_by_both_engines() {
    assert!(same_by_rebuild("unsafe-code") > 2);
}

#[test]
fn code_without_an_environment_is_judged_the_same_by_both_engines() {
    assert!(same_by_rebuild("cleared-environment") > 0);
}

#[test]
fn aborts_are_judged_the_same_by_both_engines() {
    assert!(same_by_rebuild("aborting-mutants") > 5);
}

/// All of them: slow, for a change of the engines.
#[test]
#[ignore = "compiles every mutant of every case alone, which takes many minutes"]
fn every_case_is_judged_the_same_by_both_engines() {
    let mut names: Vec<String> = crate::harness::case::all()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut differing = Vec::new();
    for name in names {
        let from = std::time::Instant::now();
        match std::panic::catch_unwind(|| same_by_rebuild(&name)) {
            Ok(count) => eprintln!("{name}: {count} woven mutants, {:.1} s", from.elapsed().as_secs_f64()),
            Err(_) => differing.push(name),
        }
    }
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn where_the_weave_can_be_seen_every_mutant_is_judged_compiled_alone() {
    let fixture = Fixture::unborn();
    fixture.crate_files("places", "");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.write("src/lib.rs", "pub fn place(n: u32) -> u32 {\n    n * 2 + column!()\n}\n");
    let test = "#[test]\nfn the_column_is_the_authors() {\n    assert_eq!(places::place(3), 6 + 13);\n}\n";
    fixture.write("tests/place.rs", test);
    fixture.commit("patch");
    let ran = fixture.hunkmut(&["--base", "main"]);
    let report = crate::harness::program::report(&fixture.root()).unwrap_or_else(|| panic!("{}", ran.transcript()));
    assert!(report.notes.iter().any(|note| note.contains("behaves differently")), "{:?}", report.notes);
    assert!(report.complete && !report.mutants.is_empty(), "{}", ran.transcript());
    for mutant in &report.mutants {
        let is_judged = matches!(mutant.verdict, Verdict::Killed | Verdict::Survived | Verdict::Invalid);
        assert!(is_judged && (mutant.engine == Engine::Rebuilt || mutant.verdict == Verdict::Invalid), "{mutant:?}");
    }
}
