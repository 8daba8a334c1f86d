//! One line a mutant, for grep and for editors that jump to `file:line:column`, and the decision on the last.

use super::model::Report;
use super::{Format, Sources, text};

/// The report for line-based tools.
#[derive(Debug, Clone, Copy)]
pub struct Short;

impl Format for Short {
    fn name(&self) -> &'static str {
        "short"
    }

    /// Ignores the sources: the replaced text itself is in the report.
    fn render(&self, report: &Report, _: &Sources<'_>) -> String {
        let mut out = String::new();
        for m in &report.mutants {
            let replacement = match text::line(&m.replacement) {
                deleted if deleted.is_empty() => "(deleted)".to_owned(),
                replacement => replacement,
            };
            let (file, original) = (text::line(&m.file), text::line(&m.original));
            out.push_str(&format!(
                "{file}:{}:{}: {} {}: {original} -> {replacement} [{}]\n",
                m.line, m.column, m.verdict, m.operator, m.id
            ));
        }
        out.push_str(&format!("{}: {}", report.decision, killed(report)));
        for gate in &report.gates {
            out.push_str(&format!("; {}: {}", gate.name, text::line(&gate.rule)));
        }
        out.push('\n');
        out
    }
}

/// `2 of 11 valid mutants killed`.
pub(crate) fn killed(report: &Report) -> String {
    let c = &report.counts;
    format!("{} of {} killed", c.dead(), text::count(c.judged() as usize, "valid mutant"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn every_mutant_is_one_line_whatever_its_text() {
        let mut report = sample::report();
        report.mutants[0].replacement = "a\nb\u{1b}[2J".into();
        let text = Short.render(&report, &|_| None);
        assert_eq!(text.lines().count(), report.mutants.len() + 1);
        assert!(text.ends_with('\n') && !text.contains('\u{1b}'));
    }

    #[test]
    fn the_lines_are_what_editors_and_grep_expect() {
        insta::assert_snapshot!(Short.render(&sample::report(), &|_| None));
    }
}
