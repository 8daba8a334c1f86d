//! The bundled example: what it shows, and that the tests it suggests do make it pass.

use crate::harness::program::{finish, hunkmut};
use crate::harness::{Fixture, Problems, invariants, program};
use cargo_hunkmut::report::model::{Decision, Verdict};

#[test]
fn the_demo_judges_its_example_and_the_suggested_tests_make_it_pass() {
    let outside = Fixture::folder();
    let dir = outside.root().join("example");
    let ran = outside.hunkmut(&["demo", "--dir", "example"]);
    ran.ends(0, &["hold", "example", "report.md", "report.json", "exit code 3", "the_last_free_minute_is_free"]);

    let report = program::report(&dir).expect("a report");
    let mut problems = Problems::default();
    invariants::check(&report, &dir, &mut problems);
    problems.same("decision", report.decision, Decision::Hold);
    let toothless: Vec<_> = report.tests.toothless.iter().map(|t| t.name.as_str()).collect();
    problems.same("toothless", toothless, vec!["no_stay_costs_more_than_the_maximum"]);
    let survivors: Vec<_> =
        report.mutants.iter().filter(|m| m.verdict == Verdict::Survived).map(|m| m.function.as_str()).collect();
    problems.same("survivors", survivors, vec!["day_price", "resident_price"]);
    let unexecuted = report.mutants.iter().filter(|m| m.verdict == Verdict::Unexecuted);
    problems.expect(unexecuted.map(|m| m.function.as_str()).all(|f| f == "may_leave"), || "unexecuted".into());
    problems.expect(report.counts.unexecuted > 0, || "nothing is unexecuted".into());
    problems.settle("the demo as it is", &ran);

    // The words after the run hold a test file's end, indented by four spaces.
    let suggested: Vec<&str> = ran
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("    #[test]"))
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();
    let tests = dir.join("tests/price.rs");
    let text = std::fs::read_to_string(&tests).unwrap();
    std::fs::write(&tests, format!("{text}\n{}\n", suggested.join("\n"))).unwrap();
    let again = outside.hunkmut_in("example", &["--base", "main"]);
    again.ends(0, &["pass"]);
    let report = program::report(&dir).expect("a report");
    assert_eq!((report.counts.survived, report.counts.unexecuted), (0, 0), "{}", again.transcript());
}

#[test]
fn the_demo_does_not_write_into_a_folder_that_is_in_use() {
    let outside = Fixture::folder();
    outside.write("example/mine.txt", "mine");
    outside.hunkmut(&["demo", "--dir", "example"]).ends(2, &["not empty", "--dir"]);
    assert_eq!(outside.read("example/mine.txt"), "mine");
}

#[test]
fn the_demo_works_whatever_the_users_settings_and_wherever_the_target_folder() {
    let outside = Fixture::folder();
    let settings = "[commit]\ngpgSign = true\n[core]\nhooksPath = /nosuch\nautocrlf = true\n[gpg]\nprogram = /nosuch\n\
                    [init]\ndefaultBranch = trunk\ntemplateDir = /nosuch\n[diff]\nnoprefix = true\n";
    outside.write("gitconfig", settings);
    let mut command = hunkmut(&outside.root());
    command.args(["demo", "--dir", "example"]);
    command.env("GIT_CONFIG_GLOBAL", outside.root().join("gitconfig"));
    command.env("GIT_DIR", "/nosuch").env("GIT_INDEX_FILE", "/nosuch");
    command.env("CARGO_TARGET_DIR", outside.root().join("elsewhere"));
    let ran = finish(command);
    ran.ends(0, &["hold", "elsewhere/hunkmut/report/report.md"]);
    assert!(program::report_at(&outside.root().join("elsewhere/hunkmut/report")).is_some());
}
