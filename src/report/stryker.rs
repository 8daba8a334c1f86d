//! `mutation-testing-report-schema` 2: the Stryker dashboard and every viewer built for it.
//!
//! Its score counts killed and timed-out mutants over all that could be judged, as the kill ratio does. Columns there
//! count UTF-16 units, because its viewers are JavaScript.

use super::model::{Mutant, Report, Verdict};
use super::{Format, Sources};
use crate::test_id::TestId;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The report for Stryker's viewers.
#[derive(Debug, Clone, Copy)]
pub struct Stryker;

impl Format for Stryker {
    fn name(&self) -> &'static str {
        "stryker"
    }

    /// A file whose source is gone, or another than was mutated, is shown as so many empty lines.
    fn render(&self, report: &Report, sources: &Sources<'_>) -> String {
        let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
        for m in &report.mutants {
            by_file.entry(&m.file).or_default().push(m);
        }
        let mut files = Map::new();
        for (file, mutants) in by_file {
            let source = super::matching(sources, file, &mutants);
            let last = mutants.iter().map(|m| m.end_line).max().unwrap_or(1);
            let mutants: Vec<Value> = mutants.iter().map(|m| mutant(m, source.as_deref())).collect();
            let text = source.unwrap_or_else(|| "\n".repeat(last as usize));
            files.insert(file.to_owned(), json!({ "language": "rust", "source": text, "mutants": mutants }));
        }
        let times = &report.timings_ms;
        let mut out = json!({
            "schemaVersion": "2",
            "thresholds": { "high": 80, "low": 20 },
            "framework": { "name": report.tool.name, "version": report.tool.version },
            "performance": {
                "setup": times.scope + times.plan + times.build,
                "initialRun": times.baseline,
                "mutation": times.mutants,
            },
            "files": files,
            "testFiles": test_files(report, sources),
            "config": { "decision": report.decision, "gates": report.gates, "catalog": report.catalog.name },
        });
        if !(times.scope + times.plan + times.build + times.baseline + times.mutants).is_finite() {
            out["performance"] = json!({ "setup": 0, "initialRun": 0, "mutation": 0 });
        }
        super::pretty(&out)
    }
}

fn mutant(m: &Mutant, source: Option<&str>) -> Value {
    let position = |line: u32, column: u32, byte: usize| {
        let utf16 = source.and_then(|text| text.get(..byte)).map(|before| {
            let line = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
            line.encode_utf16().count() as u32 + 1
        });
        json!({ "line": line, "column": utf16.unwrap_or(column) })
    };
    let mut out = json!({
        "id": m.id,
        "mutatorName": m.operator,
        "replacement": m.replacement,
        "location": {
            "start": position(m.line, m.column, m.start_byte),
            "end": position(m.end_line, m.end_column, m.end_byte),
        },
        "status": status(m.verdict),
        "coveredBy": m.executed_by.iter().map(TestId::to_string).collect::<Vec<_>>(),
        "killedBy": m.killed_by.iter().map(|k| k.id.to_string()).collect::<Vec<_>>(),
        "duration": m.duration_ms,
    });
    let flaky = (m.verdict == Verdict::Flaky).then_some("the outcome did not reproduce");
    if let Some(reason) = m.reason.as_deref().or(flaky) {
        out["statusReason"] = reason.into();
    }
    out
}

fn status(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Killed => "Killed",
        Verdict::Timeout => "Timeout",
        Verdict::Survived => "Survived",
        Verdict::Unexecuted => "NoCoverage",
        Verdict::Excused => "Ignored",
        Verdict::Invalid => "CompileError",
        // Discarded there as here: neither detected nor undetected.
        Verdict::Flaky => "RuntimeError",
        Verdict::Unverified => "Pending",
    }
}

/// The delta's tests by the file they stand in; by their binary where that is not known.
fn test_files(report: &Report, sources: &Sources<'_>) -> Value {
    let mut by_file: BTreeMap<&str, (bool, Vec<Value>)> = BTreeMap::new();
    for test in &report.tests.delta {
        let file = test.file.as_deref();
        let id = test.id.to_string();
        let mut entry = json!({ "id": id, "name": test.id.name });
        if let Some(line) = test.line.filter(|&line| line > 0 && file.is_some()) {
            entry["location"] = json!({ "start": { "line": line, "column": 1 } });
        }
        let slot = by_file.entry(file.unwrap_or(&test.id.binary_id)).or_default();
        slot.0 |= file.is_some();
        slot.1.push(entry);
    }
    let mut out = Map::new();
    for (name, (is_file, tests)) in by_file {
        let mut entry = json!({ "tests": tests });
        if let Some(source) = is_file.then(|| sources(name)).flatten() {
            entry["source"] = source.into();
        }
        out.insert(name.to_owned(), entry);
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::report::validate::against;

    fn shown(sources: &Sources<'_>) -> Value {
        serde_json::from_str(&Stryker.render(&sample::report(), sources)).unwrap()
    }

    #[test]
    fn the_file_follows_the_schema_with_and_without_sources() {
        against("mutation-testing-report-schema.json", &shown(&sample::sources));
        against("mutation-testing-report-schema.json", &shown(&|_| None));
    }

    #[test]
    fn its_score_is_the_kill_ratio() {
        let out = shown(&sample::sources);
        let statuses: Vec<&str> = out["files"]
            .as_object()
            .unwrap()
            .values()
            .flat_map(|f| f["mutants"].as_array().unwrap())
            .map(|m| m["status"].as_str().unwrap())
            .collect();
        let count = |names: &[&str]| statuses.iter().filter(|s| names.contains(s)).count() as f64;
        let detected = count(&["Killed", "Timeout"]);
        let score = detected / (detected + count(&["Survived", "NoCoverage"]));
        assert_eq!(Some(score), sample::report().kill_ratio);
    }

    #[test]
    fn columns_count_utf16_units() {
        let out = shown(&sample::sources);
        let wide = &out["files"]["src/wide.rs"]["mutants"][0]["location"]["start"];
        let m = &sample::report().mutants[12];
        assert_eq!(wide["column"], m.column, "those characters are one unit each");
        let mut m = m.clone();
        let text = "𝄞 12";
        (m.start_byte, m.end_byte) = (5, 7);
        assert_eq!(mutant(&m, Some(text))["location"]["start"]["column"], 4);
    }
}
