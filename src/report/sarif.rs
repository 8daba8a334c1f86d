//! SARIF 2.1.0, for GitHub code scanning and every other viewer of static analysis results.
//!
//! A rule is an operator of the catalog (or a gate), a result one surviving mutant (or one gate that does not pass).
//! Schema: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use super::finding::{self, Weight};
use super::model::{Mutant, Report, Verdict};
use super::{Format, Sources};
use crate::catalog;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The report as a SARIF log.
#[derive(Debug, Clone, Copy)]
pub struct Sarif;

impl Format for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    /// Ignores the sources: viewers have their own.
    fn render(&self, report: &Report, _: &Sources<'_>) -> String {
        let alive = report.mutants.iter().filter(|m| matches!(m.verdict, Verdict::Survived | Verdict::Unexecuted));
        let gates = finding::gates(report);
        let mut results: Vec<Value> = gates.iter().map(gate).collect();
        results.extend(alive.clone().map(result));
        let operators: BTreeSet<&str> = alive.map(|m| m.operator.as_str()).collect();
        let mut rules: Vec<Value> = gates.iter().map(|g| gate_rule(&g.gate)).collect();
        rules.extend(operators.into_iter().map(rule));
        let log = json!({
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": report.tool.name, "version": report.tool.version, "rules": rules } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": report.complete,
                    "exitCode": report.exit_code,
                    "exitCodeDescription": report.decision.to_string(),
                }],
                "results": results,
                "properties": {
                    "decision": report.decision, "killRatio": report.kill_ratio, "counts": report.counts,
                    "base": report.repo.base, "mergeBase": report.repo.merge_base, "head": report.repo.head,
                },
            }],
        });
        super::pretty(&log)
    }
}

fn level(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "note",
        Weight::Warning => "warning",
        Weight::Error => "error",
    }
}

fn result(m: &Mutant) -> Value {
    let weight = if m.verdict == Verdict::Unexecuted { Weight::Note } else { Weight::Warning };
    json!({
        "ruleId": m.operator,
        "level": level(weight),
        "message": { "text": format!("no test of the patch noticed this change: {}", finding::sentence(m)) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": finding::uri(&m.file) },
                "region": {
                    "startLine": m.line, "startColumn": m.column, "endLine": m.end_line, "endColumn": m.end_column,
                },
            },
            "logicalLocations": [{ "fullyQualifiedName": m.function, "kind": "function" }],
        }],
        "partialFingerprints": { "mutant/v1": m.id },
        "properties": { "verdict": m.verdict, "original": m.original, "replacement": m.replacement },
    })
}

fn gate(found: &finding::GateFinding) -> Value {
    let mut result = json!({
        "ruleId": gate_id(&found.gate),
        "level": level(found.weight),
        "message": { "text": found.message },
        "partialFingerprints": { "gate/v1": found.gate },
    });
    if let Some(file) = &found.file {
        result["locations"] = json!([{
            "physicalLocation": {
                "artifactLocation": { "uri": finding::uri(file) },
                "region": { "startLine": found.line },
            },
        }]);
    }
    result
}

fn gate_id(name: &str) -> String {
    format!("gate/{name}")
}

fn gate_rule(name: &str) -> Value {
    json!({
        "id": gate_id(name),
        "shortDescription": { "text": format!("The gate `{name}` does not pass this patch.") },
    })
}

fn rule(name: &str) -> Value {
    match catalog::operator(name) {
        Some(op) => json!({
            "id": name,
            "shortDescription": { "text": op.summary },
            "fullDescription": { "text": op.why },
            "help": { "text": format!("`cargo hunkmut explain {name}` describes the operator with an example.") },
            "properties": { "tags": ["mutation-testing", op.family] },
        }),
        // A report of another version may have operators that this one does not know.
        None => json!({ "id": name }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::report::validate::against;

    fn log(report: &Report) -> Value {
        serde_json::from_str(&Sarif.render(report, &|_| None)).unwrap()
    }

    #[test]
    fn the_log_follows_the_schema() {
        against("sarif-schema-2.1.0.json", &log(&sample::report()));
        let mut empty = sample::report();
        (empty.mutants, empty.scope, empty.kill_ratio) = (vec![], Default::default(), None);
        against("sarif-schema-2.1.0.json", &log(&empty));
    }

    #[test]
    fn every_survivor_and_every_failing_gate_is_a_result_with_a_rule() {
        let log = log(&sample::report());
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 1 + 6 + 3);
        let rules: BTreeSet<&str> = log["runs"][0]["tool"]["driver"]["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["id"].as_str().unwrap())
            .collect();
        assert!(results.iter().all(|r| rules.contains(r["ruleId"].as_str().unwrap())));
        let region = &results[1]["locations"][0]["physicalLocation"]["region"];
        assert_eq!((&region["startLine"], &region["startColumn"]), (&json!(5), &json!(8)));
    }
}
