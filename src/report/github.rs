//! Workflow commands of GitHub Actions: each line with survivors becomes an annotation in the pull request's diff.
//!
//! GitHub shows ten warnings and ten errors of a step; what matters most comes first. The job's summary is the
//! Markdown report (see [`super::markdown`]).

use super::finding::{self, Weight};
use super::model::Report;
use super::{Format, Sources};

/// The report as annotations.
#[derive(Debug, Clone, Copy)]
pub struct Github;

impl Format for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    /// Ignores the sources: GitHub shows them.
    fn render(&self, report: &Report, _: &Sources<'_>) -> String {
        let mut out = String::new();
        for gate in finding::gates(report) {
            let place = gate.file.as_ref().map(|file| format!("file={},line={},", property(file), gate.line));
            let title = property(&format!("cargo hunkmut: {}", gate.gate));
            let (command, place) = (command(gate.weight), place.unwrap_or_default());
            out.push_str(&format!("::{command} {place}title={title}::{}\n", data(&gate.message)));
        }
        for warning in finding::lines(report) {
            let m = warning.mutants()[0];
            // Columns are shown for a place within one line only.
            let place = match m.line == m.end_line && warning.count() == 1 {
                true => format!("line={},col={},endColumn={}", m.line, m.column, m.end_column),
                false => format!("line={},endLine={}", m.line, m.end_line),
            };
            let title = match warning.count() {
                1 => format!("mutant {} {}", m.verdict, m.operator),
                n => format!("{n} mutants {}", m.verdict),
            };
            out.push_str(&format!(
                "::{} file={},{place},title={}::{}\n",
                command(finding::weight(&warning)),
                property(&m.file),
                property(&title),
                data(&finding::message(&warning))
            ));
        }
        out
    }
}

fn command(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "notice",
        Weight::Warning => "warning",
        Weight::Error => "error",
    }
}

/// The text after `::`, escaped as the runner's toolkit does.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn annotations_stand_on_the_lines_of_the_diff() {
        insta::assert_snapshot!(Github.render(&sample::report(), &|_| None));
    }

    #[test]
    fn text_of_the_patch_cannot_become_a_command() {
        let mut report = sample::report();
        report.mutants.truncate(2);
        report.mutants[1].replacement = "x\n::set-output name=a::b\r%0A::error::c".into();
        report.mutants[1].file = "a,line=1::b\n::error::x".into();
        let text = Github.render(&report, &|_| None);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.lines().all(|l| l.starts_with("::warning file=")), "{text}");
    }
}
