//! cargo's own JSON messages, so that an editor that runs `cargo check` shows survivors as warnings.
//!
//! One `compiler-message` for each survivor and each gate that does not pass, then `build-finished`. Paths are relative
//! to the workspace's root, as cargo's are. Format: <https://doc.rust-lang.org/cargo/reference/external-tools.html>.

use super::excerpt::Excerpt;
use super::finding::{self, GateFinding, Weight};
use super::model::{Decision, Mutant, Report, Verdict};
use super::{Format, Sources};
use crate::catalog;
use serde_json::{Value, json};

/// The report as cargo's messages.
#[derive(Debug, Clone, Copy)]
pub struct CargoJson;

impl Format for CargoJson {
    fn name(&self) -> &'static str {
        "cargo-json"
    }

    fn render(&self, report: &Report, sources: &Sources<'_>) -> String {
        let sources = &super::cached(sources);
        let mut messages: Vec<Value> = finding::gates(report).iter().filter_map(|g| gate(report, g, sources)).collect();
        let alive = report.mutants.iter().filter(|m| matches!(m.verdict, Verdict::Survived | Verdict::Unexecuted));
        messages.extend(alive.map(|m| survivor(report, m, sources)));
        let success = matches!(report.decision, Decision::Pass | Decision::Vacuous);
        messages.push(json!({ "reason": "build-finished", "success": success }));
        messages.iter().map(|message| format!("{message}\n")).collect()
    }
}

fn survivor(report: &Report, m: &Mutant, sources: &Sources<'_>) -> Value {
    let excerpt = sources(&m.file).and_then(|source| Excerpt::of(m, &source));
    let lines: Vec<Value> = excerpt.iter().flat_map(highlights).collect();
    let span = json!({
        "file_name": from_workspace(report, &m.file),
        "byte_start": m.start_byte, "byte_end": m.end_byte,
        "line_start": m.line, "line_end": m.end_line, "column_start": m.column, "column_end": m.end_column,
        "is_primary": true, "text": lines, "label": finding::change(m),
        "suggested_replacement": null, "suggestion_applicability": null, "expansion": null,
    });
    let level = if m.verdict == Verdict::Unexecuted { Weight::Note } else { Weight::Warning };
    let text = format!("no test of the patch noticed this change: {}", finding::sentence(m));
    let place = format!("{}:{}:{}", m.file, m.line, m.column);
    let why = catalog::operator(&m.operator).map(|op| op.summary);
    message(report, &m.file, &place, &m.operator, why, level, &text, span)
}

/// A gate at its place; without a file there is nothing that an editor could show it in.
fn gate(report: &Report, found: &GateFinding, sources: &Sources<'_>) -> Option<Value> {
    let file = found.file.as_deref()?;
    let source = sources(file).unwrap_or_default();
    let start: usize = source.split_inclusive('\n').take(found.line as usize - 1).map(str::len).sum();
    let line = source[start..].lines().next().unwrap_or_default();
    let columns = line.chars().count() + 1;
    let span = json!({
        "file_name": from_workspace(report, file),
        "byte_start": start, "byte_end": start + line.len(),
        "line_start": found.line, "line_end": found.line, "column_start": 1, "column_end": columns,
        "is_primary": true, "label": null,
        "text": [{ "text": line, "highlight_start": 1, "highlight_end": columns }],
        "suggested_replacement": null, "suggestion_applicability": null, "expansion": null,
    });
    let place = format!("{file}:{}", found.line);
    Some(message(report, file, &place, &found.gate, None, found.weight, &found.message, span))
}

#[allow(clippy::too_many_arguments)]
fn message(
    report: &Report,
    file: &str,
    place: &str,
    code: &str,
    explanation: Option<&str>,
    weight: Weight,
    text: &str,
    span: Value,
) -> Value {
    let level = match weight {
        Weight::Note => "note",
        // An error would say that the code does not compile.
        Weight::Warning | Weight::Error => "warning",
    };
    let code = format!("hunkmut::{code}");
    let package = report.scope.ranges.iter().find(|r| r.file == file).and_then(|r| r.package.as_deref());
    let package = package.unwrap_or("unknown");
    json!({
        "reason": "compiler-message",
        "package_id": package,
        "manifest_path": "Cargo.toml",
        "target": {
            "kind": ["lib"], "crate_types": ["lib"], "name": package, "src_path": from_workspace(report, file),
            "edition": "2021", "doc": true, "doctest": true, "test": true,
        },
        "message": {
            "$message_type": "diagnostic",
            "message": text,
            "code": { "code": code, "explanation": explanation },
            "level": level,
            "spans": [span],
            "children": [],
            "rendered": format!("{level}[{code}]: {text}\n --> {place}\n\n"),
        },
    })
}

/// The excerpt's lines, each with the columns that the replaced text takes there.
fn highlights(excerpt: &Excerpt) -> Vec<Value> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in excerpt.text.split('\n') {
        let column =
            |byte: usize| line.get(..byte.clamp(at, at + line.len()) - at).map_or(1, |s| s.chars().count() + 1);
        let (from, to) = (column(excerpt.span.start), column(excerpt.span.end));
        lines.push(json!({ "text": line, "highlight_start": from, "highlight_end": to }));
        at += line.len() + 1;
    }
    lines
}

fn from_workspace(report: &Report, file: &str) -> String {
    let workspace = &report.repo.workspace;
    if workspace.is_empty() {
        return file.to_owned();
    }
    match file.strip_prefix(workspace.as_str()).and_then(|rest| rest.strip_prefix('/')) {
        Some(inside) => inside.to_owned(),
        None => format!("{}{file}", "../".repeat(workspace.split('/').count())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use cargo_metadata::Message;

    fn parsed(report: &Report, sources: &Sources<'_>) -> Vec<Message> {
        let text = CargoJson.render(report, sources);
        Message::parse_stream(text.as_bytes()).map(Result::unwrap).collect()
    }

    #[test]
    fn cargos_own_parser_reads_every_survivor_as_a_warning_at_its_place() {
        let messages = parsed(&sample::report(), &sample::sources);
        let found: Vec<_> = messages
            .iter()
            .filter_map(|m| match m {
                Message::CompilerMessage(m) => Some(&m.message),
                _ => None,
            })
            .collect();
        assert_eq!(found.len(), 1 + 9);
        let span = &found[1].spans[0];
        assert_eq!((span.file_name.as_str(), span.line_start, span.column_start), ("src/pricing.rs", 5, 8));
        assert_eq!(found[1].code.as_ref().unwrap().code, "hunkmut::relational");
        let text = &span.text[0];
        let chars: Vec<char> = text.text.chars().collect();
        let marked: String = chars[text.highlight_start - 1..text.highlight_end - 1].iter().collect();
        assert_eq!(marked, "qty >= bulk_min");
        assert!(matches!(messages.last(), Some(Message::BuildFinished(f)) if !f.success));
        assert!(!messages.iter().any(|m| matches!(m, Message::TextLine(_))));
    }

    #[test]
    fn without_sources_the_places_are_the_same() {
        assert_eq!(parsed(&sample::report(), &|_| None).len(), 1 + 9 + 1);
    }

    #[test]
    fn paths_are_the_workspaces_own() {
        let mut report = sample::report();
        report.repo.workspace = "a/b".into();
        assert_eq!(from_workspace(&report, "a/b/src/lib.rs"), "src/lib.rs");
        assert_eq!(from_workspace(&report, "a/bc.rs"), "../../a/bc.rs");
    }
}
