//! What a person sees.

use super::*;
use crate::report::model::BaselineOutcome;
use crate::report::sample;

fn plain(width: usize) -> Options {
    Options { width, report_dir: Some("target/hunkmut/report".into()), ..Options::default() }
}

fn shown(report: &Report, options: &Options) -> String {
    render(report, &sample::sources, options)
}

fn survivors(n: usize) -> Report {
    let mut report = sample::report();
    report.mutants = (0..n)
        .map(|i| {
            let mut m = sample::mutant("src/gone.rs", "logical", "a && b", 0, "a || b", Verdict::Survived);
            (m.line, m.end_line) = (i as u32 + 1, i as u32 + 1);
            m
        })
        .collect();
    report
}

#[test]
fn a_report_with_every_verdict() {
    insta::assert_snapshot!(shown(&sample::report(), &plain(100)));
}

#[test]
fn a_narrow_terminal() {
    insta::assert_snapshot!(shown(&sample::report(), &plain(50)));
}

#[test]
fn in_colour() {
    let mut report = survivors(1);
    report.tests.toothless.clear();
    insta::assert_snapshot!(shown(&report, &Options { color: true, ..plain(100) }).replace('\u{1b}', "^["));
}

#[test]
fn the_summary_fits_in_ten_lines_whatever_the_gates_say() {
    let mut report = sample::report();
    let gate = report.gates[0].clone();
    for name in ["freeze", "kill-map", "zero-survivors"] {
        report.gates.push(Gate { name: name.into(), ..gate.clone() });
    }
    report.gates.iter_mut().for_each(|g| g.reasons.resize(20, "a reason ".repeat(30)));
    for gates in [4, 3, 2, 1] {
        report.gates.truncate(gates);
        let text = shown(&report, &Options { quiet: true, ..plain(100) });
        assert!(text.lines().count() <= 10, "{gates} gates:\n{text}");
    }
}

#[test]
fn without_colour_there_is_no_escape_code_and_with_it_the_words_are_the_same() {
    let plain_text = shown(&sample::report(), &plain(80));
    let coloured = shown(&sample::report(), &Options { color: true, ..plain(80) });
    assert!(!plain_text.contains('\u{1b}') && coloured.contains('\u{1b}'));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain_text);
}

#[test]
fn of_many_survivors_the_first_are_shown_and_the_rest_counted() {
    let report = survivors(47);
    let text = shown(&report, &plain(100));
    assert_eq!(text.matches("warning[logical]").count(), 10);
    assert!(text.contains("… and 37 more in report.json and report.md"), "{text}");
    let all = shown(&report, &Options { verbose: true, ..plain(100) });
    assert_eq!(all.matches("warning[logical]").count(), 47);
}

#[test]
fn quiet_shows_the_decision_and_its_numbers_only() {
    let text = shown(&sample::report(), &Options { quiet: true, ..plain(100) });
    assert!(text.starts_with("hold: ") && text.contains("kill ratio 18.1 %") && !text.contains("warning"), "{text}");
}

#[test]
fn a_pass_with_nothing_to_add_is_a_few_lines() {
    let mut report = sample::report();
    report.mutants.retain(|m| m.verdict == Verdict::Killed);
    report.counts = Counts::of(report.mutants.iter().map(|m| m.verdict));
    report.tests.toothless.clear();
    report.notes.clear();
    report.decision = Decision::Pass;
    report.gates[0].decision = GateDecision::Pass;
    report.gates[0].rule = "1 to 4 valid mutants, all killed: pass".into();
    report.gates[0].reasons = vec!["kill ratio 100 % (1 of 1 valid mutant), floor 20 %".into()];
    insta::assert_snapshot!(shown(&report, &plain(100)));
}

#[test]
fn a_red_baseline_names_the_red_tests() {
    let mut report = sample::report();
    report.mutants.clear();
    report.counts = Counts::default();
    report.tests.toothless.clear();
    report.tests.baseline[1].outcome = BaselineOutcome::Fail;
    report.decision = Decision::BaselineRed;
    report.gates = crate::gate::baseline_red("ratio", &report.tests.baseline).into_iter().collect();
    report.notes.clear();
    insta::assert_snapshot!(shown(&report, &plain(100)));
}

#[test]
fn mostly_invalid_mutants_are_a_warning() {
    let mut report = sample::report();
    let invalid = report.mutants.iter().find(|m| m.verdict == Verdict::Invalid).unwrap().clone();
    report.mutants.extend(vec![invalid; 20]);
    report.counts = Counts::of(report.mutants.iter().map(|m| m.verdict));
    let text = shown(&report, &plain(100));
    assert!(text.contains("21 of 35 mutants are invalid: fix collection before lowering the floor"), "{text}");
    assert!(text.contains("  … and 11 more\n"), "{text}");
}

#[test]
fn a_hostile_name_or_source_cannot_reach_the_terminal() {
    let mut report = sample::report();
    report.tests.toothless[0].name = "x\u{1b}]0;owned\u{7}\n\nfake: pass".into();
    report.mutants[1].executed_by[0].name = "y\u{1b}[2J".into();
    report.mutants[1].replacement = "qty\u{202e} > \u{1b}[8m".into();
    report.mutants[1].file = "src/a\u{1b}[1m.rs".into();
    report.mutants[1].reason = Some("z\u{1b}[3J".into());
    report.notes.push("n\u{9b}2J\u{1b}c".into());
    let text = shown(&report, &Options { verbose: true, ..plain(100) });
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{text}");
    assert!(!text.lines().any(|l| l.starts_with("fake")));
}

#[test]
fn a_replaced_block_of_many_lines_is_folded() {
    let body: String = (0..60).map(|i| format!("    line{i}();\n")).collect();
    let source = format!("fn f() {{\n{body}}}\n");
    let mut report = survivors(1);
    let m = &mut report.mutants[0];
    (m.start_byte, m.end_byte, m.line, m.end_line) = (9, 9 + body.len() - 1, 2, 61);
    (m.original, m.replacement) = (source[m.start_byte..m.end_byte].to_owned(), "Default::default()".into());
    let text = render(&report, &|_| Some(source.clone()), &plain(100));
    assert!(text.contains("line0();") && text.contains("line59();") && !text.contains("line30();"), "{text}");
    assert!(text.contains("changed to `Default::default()`"), "{text}");
}

#[test]
fn the_headline_says_what_decided() {
    let headline = |decision, gates: &[(&str, GateDecision)]| {
        let mut report = sample::report();
        let gate = |(name, decision): &(&str, GateDecision)| Gate {
            name: (*name).to_owned(),
            decision: *decision,
            rule: String::new(),
            reasons: Vec::new(),
        };
        (report.decision, report.gates) = (decision, gates.iter().map(gate).collect());
        meaning(&report)
    };
    let freeze = ("freeze", GateDecision::Pass);
    let teeth = "the patch's own tests notice when the patch is wrong";
    assert_eq!(headline(Decision::Pass, &[("ratio", GateDecision::Pass), freeze]), teeth);
    assert_ne!(headline(Decision::Pass, &[("ratio", GateDecision::Vacuous), freeze]), teeth);
    let blocked = [
        headline(Decision::Block, &[("ratio", GateDecision::Block), freeze]),
        headline(Decision::Block, &[("ratio", GateDecision::Pass), ("zero-survivors", GateDecision::Block)]),
        headline(Decision::Block, &[("ratio", GateDecision::Hold), ("freeze", GateDecision::Reject)]),
    ];
    assert!(blocked[0].contains("would not notice if the patch were wrong"));
    assert!(blocked[1].contains("execute a change"));
    assert!(blocked[2].contains("loosens"));
}
