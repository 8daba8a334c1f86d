//! GitLab's code quality report: findings in the merge request's widget and in its diff.
//!
//! Fields: <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.

use super::finding::{self, Weight};
use super::model::Report;
use super::{Format, Sources};
use serde_json::{Value, json};

/// The report as a code quality report.
#[derive(Debug, Clone, Copy)]
pub struct Gitlab;

impl Format for Gitlab {
    fn name(&self) -> &'static str {
        "gitlab"
    }

    /// Ignores the sources: GitLab shows them.
    fn render(&self, report: &Report, _: &Sources<'_>) -> String {
        let mut found: Vec<Value> = Vec::new();
        for gate in finding::gates(report) {
            // Without a file there is nowhere to show it.
            let Some(file) = &gate.file else { continue };
            found.push(entry(&gate.message, &format!("gate/{}", gate.gate), &gate.gate, gate.weight, file, gate.line));
        }
        for warning in finding::lines(report) {
            let mutants = warning.mutants();
            let m = mutants[0];
            let ids: Vec<&str> = mutants.iter().map(|m| m.id.as_str()).collect();
            let weight = finding::weight(&warning);
            found.push(entry(&finding::message(&warning), &m.operator, &ids.join(" "), weight, &m.file, m.line));
        }
        super::pretty(&Value::Array(found))
    }
}

fn entry(message: &str, check: &str, identity: &str, weight: Weight, file: &str, line: u32) -> Value {
    json!({
        "description": message,
        "check_name": check,
        // Without line numbers, so that a finding is the same one after edits elsewhere.
        "fingerprint": crate::text::sha256(format!("{check}\0{file}\0{identity}")),
        "severity": match weight {
            Weight::Note => "minor",
            Weight::Warning => "major",
            Weight::Error => "blocker",
        },
        "location": { "path": file, "lines": { "begin": line } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::collections::BTreeSet;

    #[test]
    fn every_finding_has_the_fields_that_gitlab_requires_and_its_own_fingerprint() {
        let found: Vec<Value> = serde_json::from_str(&Gitlab.render(&sample::report(), &|_| None)).unwrap();
        assert_eq!(found.len(), 1 + 7, "one gate, seven lines");
        let severities = ["info", "minor", "major", "critical", "blocker"];
        for f in &found {
            assert!(f["description"].is_string() && f["check_name"].is_string() && f["location"]["path"].is_string());
            assert!(f["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0));
            assert!(severities.contains(&f["severity"].as_str().unwrap()));
        }
        let fingerprints: BTreeSet<&str> = found.iter().map(|f| f["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(fingerprints.len(), found.len());
    }
}
