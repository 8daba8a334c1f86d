//! What a pull request shows.

use super::*;
use crate::report::sample;

fn render(report: &Report) -> String {
    Markdown.render(report, &sample::sources)
}

#[test]
fn a_report_with_every_verdict() {
    insta::assert_snapshot!(render(&sample::report()));
}

#[test]
fn a_body_of_any_report_is_one_that_github_takes() {
    let mut report = sample::report();
    let wide = "株".repeat(5000);
    for i in 0..3000 {
        let mut m =
            sample::mutant("src/pricing.rs", "relational", "qty >= bulk_min", 0, "qty > bulk_min", Verdict::Survived);
        m.id = format!("m-{i}");
        report.mutants.push(m);
        let mut t = report.tests.delta[0].clone();
        t.id.name = format!("{i}{wide}");
        report.tests.delta.push(t);
    }
    for i in 0..200 {
        report.notes.push(format!("{i} {wide}"));
        report.gates[0].reasons.push(format!("{i} {wide}"));
        let file = format!("{wide}.rs");
        report.scope.unmutated.push(crate::report::model::Unmutated {
            file,
            line: i,
            reason: format!("arid:{i}{wide}"),
        });
    }
    let text = render(&report);
    assert!(text.len() <= 65_536, "{} bytes", text.len());
    assert!(text.contains("more in `report.json`"));
    assert!(text.contains("cargo hunkmut --base"), "the end is still there");
    assert!(text.matches("```diff").count() > 3, "and so are some survivors");
}

#[test]
fn survivors_left_out_are_counted() {
    let mut report = sample::report();
    report.mutants.clear();
    for _ in 0..2000 {
        report.mutants.push(sample::mutant("src/wide.rs", "off_by_one", "12", 0, "13", Verdict::Survived));
    }
    let text = render(&report);
    let shown = text.matches("```diff").count();
    assert!(shown > 50 && shown < 2000);
    assert!(text.contains(&format!("… and {} more", 2000 - shown)), "{shown}");
}

#[test]
fn names_from_the_patch_cannot_break_a_table_or_call_people() {
    let mut report = sample::report();
    report.tests.delta[0].id.name = "a|b`c\n| @someone".into();
    report.gates[0].reasons = vec!["<script> @someone | `x`".into()];
    let text = render(&report);
    assert!(text.contains("| ``shop::prices a\\|b`c \\| @someone`` |"), "{text}");
    assert!(text.contains("- &lt;script&gt; @<!-- -->someone \\| \\`x\\`"), "{text}");
}

#[test]
fn a_huge_replaced_block_is_cut_in_the_middle() {
    let body: String = (0..500).map(|i| format!("    line{i}();\n")).collect();
    let source = format!("fn f() {{\n{body}}}\n");
    let mut m = sample::mutant("src/gone.rs", "return_value", &body, 0, "Default::default()", Verdict::Survived);
    (m.start_byte, m.end_byte) = (9, 9 + body.len());
    let text = diff(&m, Some(&source));
    assert!(text.lines().count() <= DIFF + 1 && text.contains(" … 471 lines …"), "{text}");
    assert!(text.ends_with("+Default::default()"), "{text}");
}

#[test]
fn a_line_too_long_to_show_is_cut_around_the_change() {
    let long = format!("let x = [{}a < b];", "1, ".repeat(9000));
    let at = long.find("a < b").unwrap();
    let mut m = sample::mutant("src/gone.rs", "relational", "a < b", 0, "a <= b", Verdict::Survived);
    (m.start_byte, m.end_byte) = (at, at + 5);
    assert_eq!(diff(&m, Some(&long)), "-a < b\n+a <= b");
}

#[test]
fn a_red_test_and_a_toothless_one_come_first() {
    let mut report = sample::report();
    let rows = |report: &Report| -> Vec<String> {
        tests(report).lines().filter(|l| l.starts_with("| `")).map(str::to_owned).collect()
    };
    assert!(rows(&report)[0].contains("toothless"));
    report.tests.baseline[0].outcome = BaselineOutcome::Flaky;
    assert!(rows(&report)[0].contains("| flaky |"));
}
