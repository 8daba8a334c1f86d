//! Verdicts that are taken over from an earlier run, and everything that keeps them from being.

use crate::harness::case::Case;
use crate::harness::program::report;
use crate::harness::{Fixture, Problems, Ran};
use cargo_hunkmut::report::model::{Report, Timings};

/// Judges the patch. The harness's own runs leave evidence, and so take nothing over.
#[track_caller]
fn judge(fixture: &Fixture, args: &[&str]) -> (Ran, Report) {
    let ran = fixture.hunkmut(&[&["--base", "main"], args].concat());
    let report = report(&fixture.root()).unwrap_or_else(|| panic!("no report\n{}", ran.transcript()));
    (ran, report)
}

/// The report, and how many of its verdicts are an earlier run's.
#[track_caller]
fn judged(fixture: &Fixture, args: &[&str]) -> (Report, usize) {
    let (_, report) = judge(fixture, args);
    let reused = report.facts.reused;
    (report, reused)
}

/// What a reader would compare: all but times, and the word that verdicts were taken over.
fn comparable(mut report: Report) -> Report {
    report.timings_ms = Timings::default();
    report.facts.reused = 0;
    report.mutants.iter_mut().for_each(|mutant| mutant.duration_ms = 0.0);
    report.tests.baseline.iter_mut().for_each(|test| test.duration_ms = 0.0);
    report.notes.retain(|note| !note.contains("an earlier run"));
    report
}

#[test]
fn verdicts_that_are_taken_over_are_those_of_a_fresh_run() {
    for name in ["pass", "hold-many-survivors", "const-code", "lib-and-bin", "two-crates", "toothless"] {
        let fixture = Case::named(name).repository();
        let run = |more: &[&str]| judge(&fixture, more);
        let mut problems = Problems::default();
        let (first, again, fresh) = (run(&[]), run(&[]), run(&["--no-cache"]));
        problems.same(&format!("{name}: reused at first"), first.1.facts.reused, 0);
        problems.same(&format!("{name}: reused again"), again.1.facts.reused, again.1.mutants.len());
        problems.same(&format!("{name}: reused with --no-cache"), fresh.1.facts.reused, 0);
        problems.same(&format!("{name}: exit codes"), (again.0.code, fresh.0.code), (first.0.code, first.0.code));
        let reports = (comparable(again.1), comparable(fresh.1), comparable(first.1));
        problems.expect(reports.0 == reports.2, || format!("{name}: what is taken over is not what was left"));
        problems.expect(reports.0 == reports.1, || format!("{name}: what is taken over is not what a fresh run says"));
        problems.settle(&format!("{name}\n\n{}", first.0.transcript()), &again.0);
    }
}

/// A crate whose test reads a data file, and a patch with one test of it.
fn reading_data() -> Fixture {
    let fixture = Fixture::unborn();
    fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
    fixture.write("tests/data.txt", "1");
    fixture.write(".gitignore", "target/\nlocal.txt\n");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture.grow_counter();
    let test = "#[test]\nfn as_the_file_says() {\n    let text = std::fs::read_to_string(\"tests/data.txt\").unwrap();\n    \
                let least: u32 = text.trim().parse().unwrap();\n    assert!(counter::next(0) >= least);\n}\n";
    fixture.write("tests/next.rs", test);
    fixture.commit("patch");
    fixture
}

#[test]
fn whatever_tests_could_read_counts() {
    let fixture = reading_data();
    let (first, _) = judged(&fixture, &[]);
    assert_eq!(judged(&fixture, &[]).1, first.mutants.len(), "nothing has changed");

    // The data: a lower bound of 0 lets the mutant through that returns it.
    fixture.write("tests/data.txt", "0");
    let (weaker, reused) = judged(&fixture, &[]);
    assert_eq!(reused, 0, "a data file has changed");
    assert!(weaker.counts.killed < first.counts.killed, "{:?}", weaker.counts);
    assert_eq!(judged(&fixture, &[]).1, first.mutants.len(), "nothing has changed since");

    // What it was before is known as well.
    fixture.write("tests/data.txt", "1");
    let (ran, as_before) = judge(&fixture, &[]);
    assert_eq!((as_before.counts, as_before.facts.reused), (first.counts, first.mutants.len()));
    assert!(ran.stderr.contains("Reusing") && !ran.stderr.contains("anew"), "{}", ran.transcript());

    fixture.write("local.txt", "ignored by git, and tests can read it");
    assert_eq!(judged(&fixture, &[]).1, 0, "an ignored file is new");
}

#[test]
fn an_earlier_pass_is_believed_only_where_the_tests_are_green_now() {
    let fixture = reading_data();
    let outside = fixture.evidence().with_file_name("outside.txt");
    std::fs::write(&outside, "1").unwrap();
    let test = fixture.read("tests/next.rs");
    fixture.write("tests/next.rs", test.replace("tests/data.txt", outside.to_str().unwrap()));
    let (first, _) = judged(&fixture, &[]);
    assert_eq!(judged(&fixture, &[]).1, first.mutants.len(), "nothing has changed");
    // No digest knows of files outside of the repository.
    std::fs::write(&outside, "7").unwrap();
    let (ran, red) = judge(&fixture, &[]);
    assert_eq!((ran.code, red.facts.reused), (Some(4), 0), "{}", ran.transcript());
}

#[test]
fn a_changed_test_or_program_or_another_question_is_judged_anew() {
    let fixture = reading_data();
    let (first, _) = judged(&fixture, &[]);
    assert_eq!(judged(&fixture, &[]).1, first.mutants.len());
    assert_eq!(judged(&fixture, &["--exhaustive"]).1, 0, "another question");
    assert_eq!(judged(&fixture, &["--evidence", "e"]).1, 0, "evidence is about its own run");
    std::fs::remove_dir_all(fixture.root().join("e")).unwrap();

    let test = fixture.read("tests/next.rs");
    fixture.write("tests/next.rs", test.replace(">= least", "+ 7 >= least"));
    let (weaker, reused) = judged(&fixture, &[]);
    assert_eq!((reused, weaker.counts.killed < first.counts.killed), (0, true), "the test has changed");
    fixture.write("tests/next.rs", test);
    assert_eq!(judged(&fixture, &[]).1, first.mutants.len());

    fixture.write("src/other.rs", "// no part of any program");
    assert_eq!(judged(&fixture, &[]).1, 0, "a file is new");
}

#[test]
fn what_was_not_steady_is_not_taken_over() {
    for name in ["baseline-red", "baseline-flaky"] {
        let fixture = Case::named(name).repository();
        for _ in 0..2 {
            assert_eq!(judged(&fixture, &[]).1, 0, "{name}");
        }
    }
}

#[test]
fn after_an_edit_of_one_test_target_the_others_are_not_run_on_mutants_again() {
    let fixture = reading_data();
    let test = |least: u32| format!("#[test]\nfn grows() {{\n    assert!(counter::next(0) > {least});\n}}\n");
    fixture.write("tests/more.rs", test(0));
    let run = |args: &[&str]| judge(&fixture, args).1;
    let first = run(&[]);
    assert_eq!((first.facts.reused, first.facts.recalled), (0, 0));

    // Weaker than before, so that a kill of its own is gone; the other target's runs are as they were.
    let weaker = "#[test]\nfn grows() {\n    let _ = std::panic::catch_unwind(|| counter::next(0));\n}\n";
    fixture.write("tests/more.rs", weaker);
    let (second, fresh) = (run(&[]), run(&["--no-cache"]));
    assert_eq!(second.facts.reused, 0);
    assert!(second.facts.recalled > 0, "{:?}", second.notes);
    assert_eq!(fresh.facts.recalled, 0);
    let same = |report: Report| {
        let mut report = comparable(report);
        report.facts.recalled = 0;
        report
    };
    assert_eq!(same(second.clone()), same(fresh));
    let toothless = |report: &Report| report.tests.toothless.iter().map(|id| id.name.clone()).collect::<Vec<_>>();
    assert_eq!(toothless(&second), ["grows"]);

    // What every test could read counts for all.
    fixture.write("tests/data.txt", "0");
    assert_eq!(run(&[]).facts.recalled, 0);
}

#[test]
fn a_test_that_reads_the_source_of_another_target_is_run_again_when_that_changes() {
    let fixture = reading_data();
    // It notices as many mutants as the other target's source allows.
    let test = "#[test]\nfn as_the_source_says() {\n    let text = std::fs::read_to_string(\"tests/more.rs\").unwrap();\n    \
                assert!(counter::next(0) > 0 || text.contains(\"lenient\"));\n}\n";
    fixture.write("tests/next.rs", test);
    fixture.write("tests/more.rs", "#[test]\nfn grows() {\n    let _ = counter::next(0);\n}\n");
    judge(&fixture, &[]);
    fixture.write("tests/more.rs", "// lenient\n#[test]\nfn grows() {\n    let _ = counter::next(0);\n}\n");
    let (second, fresh) = (judge(&fixture, &[]).1, judge(&fixture, &["--no-cache"]).1);
    let verdicts = |report: &Report| report.mutants.iter().map(|m| (m.id.clone(), m.verdict)).collect::<Vec<_>>();
    assert_eq!(verdicts(&second), verdicts(&fresh));
}
