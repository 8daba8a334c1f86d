//! JUnit XML, for the test tabs of CI services: one test case a gate, one an unmutated test, one a mutant.
//!
//! A survivor is a failed case only where the decision is not a pass: above the floor a patch may leave survivors, and
//! a passing job with failed cases would be read as broken. There they are skipped cases with the verdict as message.

use super::finding;
use super::model::{BaselineOutcome, Decision, Gate, GateDecision, Mutant, Report, Verdict};
use super::{Format, Sources, text};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The report as JUnit XML.
#[derive(Debug, Clone, Copy)]
pub struct Junit;

impl Format for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    /// Ignores the sources: a case holds the change itself.
    fn render(&self, report: &Report, _: &Sources<'_>) -> String {
        let mut out = quick_junit::Report::new("cargo hunkmut");
        out.set_time(millis(report.timings_ms.total));
        let mut gates = TestSuite::new("gates");
        gates.add_test_cases(report.gates.iter().map(gate));
        let mut unmutated = TestSuite::new("unmutated tests");
        unmutated.add_test_cases(report.tests.baseline.iter().map(|test| {
            let status = match test.outcome {
                BaselineOutcome::Pass => TestCaseStatus::success(),
                BaselineOutcome::Fail | BaselineOutcome::Flaky | BaselineOutcome::Timeout => {
                    failure(&test.outcome.to_string(), "the test is not green without any mutant")
                }
            };
            let mut case = TestCase::new(text::line(&test.id.name), status);
            case.set_classname(text::line(&test.id.binary_id)).set_time(millis(test.duration_ms));
            case
        }));
        let passes = matches!(report.decision, Decision::Pass | Decision::Vacuous);
        let mut mutants = TestSuite::new("mutants");
        mutants.add_test_cases(report.mutants.iter().map(|m| mutant(m, passes)));
        out.add_test_suites([gates, unmutated, mutants].into_iter().filter(|suite| !suite.test_cases.is_empty()));
        let mut xml = out.to_string().expect("XML in memory can be written");
        if !xml.ends_with('\n') {
            xml.push('\n');
        }
        xml
    }
}

fn gate(gate: &Gate) -> TestCase {
    let status = match gate.decision {
        GateDecision::Pass | GateDecision::Vacuous => TestCaseStatus::success(),
        GateDecision::Hold | GateDecision::Incomplete | GateDecision::Block | GateDecision::Reject => {
            let reasons: Vec<String> = gate.reasons.iter().map(|reason| text::line(reason)).collect();
            let mut status = failure(&gate.decision.to_string(), &text::line(&gate.rule));
            status.set_description(reasons.join("\n"));
            status
        }
    };
    let mut case = TestCase::new(text::line(&gate.name), status);
    case.set_classname("gates");
    case
}

fn mutant(m: &Mutant, passes: bool) -> TestCase {
    let said = format!("{}: {}", m.verdict, finding::sentence(m));
    let status = match m.verdict {
        Verdict::Killed | Verdict::Timeout => TestCaseStatus::success(),
        Verdict::Survived | Verdict::Unexecuted if !passes => failure(&m.verdict.to_string(), &said),
        Verdict::Survived | Verdict::Unexecuted => skipped(&said),
        Verdict::Excused | Verdict::Invalid | Verdict::Flaky | Verdict::Unverified => {
            let reason = m.reason.as_deref().map(|r| format!(" ({})", text::line(r))).unwrap_or_default();
            skipped(&format!("{}{reason}: {}", m.verdict, finding::change(m)))
        }
    };
    let mut case =
        TestCase::new(format!("{}:{}:{} {} {}", text::line(&m.file), m.line, m.column, m.operator, m.id), status);
    case.set_classname(text::line(&m.file)).set_time(millis(m.duration_ms));
    case
}

fn failure(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message);
    status
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

/// A file that was edited by hand may hold any number.
fn millis(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn read_back(report: &Report) -> quick_junit::Report {
        quick_junit::Report::deserialize_from_str(&Junit.render(report, &|_| None)).unwrap()
    }

    #[test]
    fn survivors_fail_where_the_gate_does_not_pass() {
        let back = read_back(&sample::report());
        let suites: Vec<_> =
            back.test_suites.iter().map(|s| (s.name.as_str(), s.tests, s.failures, s.skipped)).collect();
        assert_eq!(suites, [("gates", 1, 1, 0), ("unmutated tests", 2, 0, 0), ("mutants", 15, 9, 4)]);
    }

    #[test]
    fn nothing_fails_in_a_report_that_passes() {
        let mut report = sample::report();
        report.decision = Decision::Pass;
        report.gates[0].decision = GateDecision::Pass;
        assert_eq!(read_back(&report).failures, 0);
    }

    #[test]
    fn text_that_is_no_xml_does_not_break_the_file() {
        let mut report = sample::report();
        report.mutants[1].replacement = "a\u{0}]]>&<b>\u{1b}[2J".into();
        assert!(read_back(&report).test_suites[2].test_cases.len() == 15);
    }
}
