//! What the page is made of; how it behaves in a browser is tested from outside.

use super::*;
use crate::report::sample;

fn render(report: &Report) -> String {
    Html.render(report, &sample::sources)
}

#[test]
fn the_decision_is_there_without_javascript() {
    let page = render(&sample::report());
    let before_script = page.split("<script").next().unwrap();
    for word in ["hold", "kill ratio 18.1 % (2 of 11 valid mutants), floor 20 %", "6 survived", "111111111111"] {
        assert!(before_script.contains(word), "{word}");
    }
}

#[test]
fn the_page_asks_for_nothing_from_anywhere() {
    let page = render(&sample::report());
    for word in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn text_of_the_patch_is_never_markup() {
    let mut report = sample::report();
    let evil = "</script><script>alert(1)</script>{{data}}<!--\u{202e}";
    report.mutants[1].replacement = evil.into();
    report.mutants[1].function = evil.into();
    report.gates[0].reasons = vec![evil.into()];
    report.tests.delta[0].id.name = evil.into();
    report.notes = vec![evil.into()];
    let page = render(&report);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains('\u{202e}') && !page.contains("alert(1)</"));
}

#[test]
fn a_report_of_two_thousand_mutants_and_many_tests_stays_below_five_mebibytes() {
    let report = sample::big(2000, 600);
    let page = Html.render(&report, &sample::big_sources);
    assert!(page.len() < 5 << 20, "{} bytes", page.len());
    assert!(page.contains("fn item_1999"), "the sources are there");
}

#[test]
fn sources_without_end_are_left_out_and_not_cut_off() {
    let report = sample::report();
    let huge = |file: &str| sample::sources(file).map(|text| text + &"// x\n".repeat(1_000_000));
    let page = Html.render(&report, &huge);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
}

#[test]
fn a_set_of_tests_is_a_few_digits() {
    let report = sample::report();
    let tests = Numbered::of(&report);
    assert_eq!(tests.set(&[]), "");
    let all: Vec<TestId> = tests.all.iter().map(|id| (*id).clone()).collect();
    assert_eq!((all.len(), tests.set(&all), tests.set(&all[4..5])), (6, "f3".to_owned(), "01".to_owned()));
}

#[test]
fn names_in_backticks_are_code_and_a_lone_backtick_is_none() {
    assert_eq!(prose("1 test: `a::b <c>`"), "1 test: <code>a::b &lt;c&gt;</code>");
    assert_eq!(prose("it`s"), "it`s");
}
