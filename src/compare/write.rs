//! `compare.json` and its maps as files, and what a comparison looks like to people.

use super::model::{Comparison, Decision, MapFiles, Reason, Rule, SCHEMA};
use crate::error::{Context, Result};
use crate::report::{atomic, text};
use camino::Utf8Path;

/// The name of the document.
pub const FILE: &str = "compare.json";

impl Comparison {
    /// The comparison that static reasons alone make: no map.
    pub fn of_reasons(reasons: Vec<Reason>, notes: Vec<String>) -> Comparison {
        let decision = reasons.iter().map(|reason| reason.rule.decision()).max().unwrap_or(Decision::AllowReview);
        Comparison {
            schema: SCHEMA.to_owned(),
            decision,
            complete: true,
            reasons,
            resurrected: Vec::new(),
            new_kills: Vec::new(),
            killmaps: MapFiles::default(),
            notes,
        }
    }

    /// The document as it is written.
    ///
    /// # Errors
    /// Never for values of these types; serde's own words otherwise.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self).doing(|| "write the comparison as JSON".into())? + "\n")
    }

    /// Writes `compare.json` into a folder.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write(&self, dir: &Utf8Path) -> Result<()> {
        atomic::write(&dir.join(FILE), self.json()?.as_bytes())
    }

    /// One line for each reason, for grep: rule, place, detail.
    pub fn short(&self) -> String {
        let place = |reason: &Reason| match (&reason.file, reason.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => "-".to_owned(),
        };
        let line = |reason: &Reason| format!("{}\t{}\t{}\n", reason.rule, place(reason), text::line(&reason.detail));
        self.reasons.iter().map(line).collect::<String>() + &format!("{}\n", self.decision)
    }

    /// The comparison for people. `all` lists every reason's mutants and tests.
    pub fn human(&self, all: bool) -> String {
        let mut out = String::new();
        let mut last: Option<Rule> = None;
        for reason in &self.reasons {
            if last != Some(reason.rule) {
                out += &format!("{}\n", reason.rule);
                last = Some(reason.rule);
            }
            let place = match (&reason.file, reason.line) {
                (Some(file), Some(line)) => format!("{}:{line}  ", text::line(file)),
                (Some(file), None) => format!("{}  ", text::line(file)),
                (None, _) => String::new(),
            };
            out += &format!("  {place}{}\n", text::line(&reason.detail));
            let shown = |names: &[String], what: &str| match names.len() {
                0 => String::new(),
                n if n > 5 && !all => {
                    format!("      {what}: {}, and {} more\n", text::line(&names[..5].join(", ")), n - 5)
                }
                _ => format!("      {what}: {}\n", text::line(&names.join(", "))),
            };
            out += &shown(&reason.tests, "tests");
            out += &shown(&reason.mutants, "mutants");
        }
        for note in &self.notes {
            out += &format!("note: {note}\n");
        }
        out + &format!("{}\n", self.decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(rules: &[Rule]) -> Comparison {
        let reasons = rules.iter().map(|rule| Reason::new(*rule, "why").at("src/a.rs", Some(3)).test("a::t x"));
        Comparison::of_reasons(reasons.collect(), Vec::new())
    }

    #[test]
    fn the_worst_reason_decides_and_none_allows() {
        assert_eq!(comparison(&[]).decision, Decision::AllowReview);
        assert_eq!(comparison(&[Rule::PolicyChanged]).decision, Decision::Hold);
        assert_eq!(comparison(&[Rule::PolicyChanged, Rule::TestIgnored]).decision, Decision::Reject);
    }

    #[test]
    fn people_and_programs_are_told_rule_place_and_test() {
        let comparison = comparison(&[Rule::TestIgnored]);
        assert_eq!(comparison.short(), "test-ignored\tsrc/a.rs:3\twhy\nreject\n");
        let human = comparison.human(false);
        assert!(human.contains("test-ignored\n  src/a.rs:3  why\n      tests: a::t x\nreject\n"), "{human}");
        let back: Comparison = serde_json::from_str(&comparison.json().unwrap()).unwrap();
        assert_eq!(back, comparison);
    }
}
