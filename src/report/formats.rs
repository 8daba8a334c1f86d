//! The formats by name: what `--format` and `--report-format` take, and the file that each is written to.

use super::terminal::{Options, Terminal};
use super::{Format, cargo_json, github, gitlab, html, json, junit, markdown, sarif, short, stryker};
use clap::ValueEnum;

/// A format that a report can be shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum FormatName {
    /// One self-contained page for a browser.
    Html,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for the test tabs of CI services.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// Code quality of GitLab.
    Gitlab,
    /// Markdown for a pull request or a job summary.
    Markdown,
    /// mutation-testing-report-schema 2, for the Stryker dashboard.
    Stryker,
    /// The report itself.
    Json,
    /// cargo's compiler messages, for editors.
    CargoJson,
    /// One line a mutant, for grep.
    Short,
    /// What a run prints.
    #[value(alias = "human")]
    Terminal,
}

impl FormatName {
    /// The format itself; `options` are for the terminal.
    pub fn format(self, options: Options) -> Box<dyn Format> {
        match self {
            FormatName::Html => Box::new(html::Html),
            FormatName::Sarif => Box::new(sarif::Sarif),
            FormatName::Junit => Box::new(junit::Junit),
            FormatName::Github => Box::new(github::Github),
            FormatName::Gitlab => Box::new(gitlab::Gitlab),
            FormatName::Markdown => Box::new(markdown::Markdown),
            FormatName::Stryker => Box::new(stryker::Stryker),
            FormatName::Json => Box::new(json::Json),
            FormatName::CargoJson => Box::new(cargo_json::CargoJson),
            FormatName::Short => Box::new(short::Short),
            FormatName::Terminal => Box::new(Terminal { options }),
        }
    }

    /// The name of its file in the report directory.
    pub fn file_name(self) -> &'static str {
        match self {
            FormatName::Html => "report.html",
            FormatName::Sarif => "report.sarif",
            FormatName::Junit => "report.junit.xml",
            FormatName::Github => "report.github.txt",
            FormatName::Gitlab => "report.gitlab.json",
            FormatName::Markdown => "report.md",
            FormatName::Stryker => "report.stryker.json",
            FormatName::Json => "report.json",
            FormatName::CargoJson => "report.cargo.json",
            FormatName::Short => "report.short.txt",
            FormatName::Terminal => "report.txt",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::collections::BTreeSet;

    #[test]
    fn every_format_has_its_own_file_and_its_name() {
        let files: BTreeSet<&str> = FormatName::value_variants().iter().map(|f| f.file_name()).collect();
        assert_eq!(files.len(), FormatName::value_variants().len());
        for name in FormatName::value_variants() {
            let value = name.to_possible_value().unwrap();
            assert!(value.matches(name.format(Options::default()).name(), false), "{name:?}");
        }
    }

    #[test]
    fn every_format_shows_every_report_with_and_without_sources() {
        let mut empty = sample::report();
        (empty.mutants, empty.scope, empty.tests) = (vec![], Default::default(), Default::default());
        (empty.counts, empty.kill_ratio, empty.gates) = (Default::default(), None, vec![]);
        for name in FormatName::value_variants() {
            let format = name.format(Options { width: 80, ..Options::default() });
            for report in [&sample::report(), &empty] {
                for text in [format.render(report, &sample::sources), format.render(report, &|_| None)] {
                    assert!(text.is_empty() || text.ends_with('\n'), "{name:?}: {text}");
                }
            }
        }
    }

    #[test]
    fn the_book_has_every_format_and_its_file() {
        let book = include_str!("../../docs/src/reports.md");
        for name in FormatName::value_variants() {
            let value = name.to_possible_value().unwrap();
            let row = format!("| `{}` | `{}` |", value.get_name(), name.file_name());
            assert!(book.contains(&row), "{row}");
        }
    }
}
