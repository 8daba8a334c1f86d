//! One self-contained page for a browser: no network, no files beside it.
//!
//! The decision and what it rests on are plain HTML, readable without JavaScript; lists, filters, source and the kill
//! matrix are drawn from the data in the page. Everything that comes from the patch is text there, never markup.

use super::model::{Mutant, PolicySource, RangeKind, Report, Verdict};
use super::terminal::{self, meaning};
use super::{Format, Sources};
use crate::test_id::TestId;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Source lines before and after a changed line, in files that are not shown whole.
const AROUND: u32 = 12;

/// Files of more lines than this are shown around their changed lines only.
const WHOLE: usize = 1500;

/// Bytes of source in one page; what goes beyond is left out, file by file.
const SOURCE: usize = 2 << 20;

/// Longest replaced text, in characters.
const TEXT: usize = 1200;

/// The page.
#[derive(Debug, Clone, Copy)]
pub struct Html;

impl Format for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn render(&self, report: &Report, sources: &Sources<'_>) -> String {
        // The data comes last: text of the patch must not be taken for a place to fill in.
        let parts = [
            ("style", include_str!("html/style.css").trim_end().to_owned()),
            ("script", include_str!("html/script.js").trim_end().to_owned()),
            ("title", format!("{}: cargo hunkmut", report.decision)),
            ("header", "<h1>cargo hunkmut</h1>".to_owned()),
            ("summary", summary(report)),
            ("footer", footer(report)),
            ("data", embedded(&data(report, &super::cached(sources)))),
        ];
        let parts: HashMap<&str, String> = parts.into_iter().collect();
        let mut page = String::new();
        let mut rest = include_str!("html/page.html");
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").expect("the template's places are closed");
            page.push_str(before);
            page.push_str(&parts[name]);
            rest = after;
        }
        page.push_str(rest);
        page
    }
}

/// Text as HTML shows it; characters that turn the reading direction are made visible.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// Prose with names in backticks.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let part = |(i, part): (usize, &&str)| match i % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

fn visible(text: &str) -> String {
    let hidden = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{0}');
    text.replace(hidden, "\u{fffd}")
}

/// JSON that cannot end the element it stands in.
fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn summary(report: &Report) -> String {
    let mut out = format!(
        "<div class=\"decision\"><strong class=\"{0}\">{0}</strong> <span>{1}</span></div>\n<div class=\"grid\">\n",
        report.decision,
        escape(meaning(report))
    );
    out.push_str("<div class=\"panel\">\n");
    for gate in &report.gates {
        let (name, rule) = (escape(&gate.name), prose(&gate.rule));
        out.push_str(&format!("<div class=\"gate\"><b>{name}: {}</b><div>{rule}</div>\n<ul>", gate.decision));
        gate.reasons.iter().for_each(|reason| out.push_str(&format!("<li>{}</li>\n", prose(reason))));
        out.push_str("</ul></div>\n");
    }
    out.push_str("</div>\n<div class=\"panel\">\n");
    out.push_str(&numbers(report));
    out.push_str(&revisions(report));
    out.push_str("</div>\n</div>\n");
    out
}

fn numbers(report: &Report) -> String {
    let c = &report.counts;
    let of = [
        (c.killed, Verdict::Killed),
        (c.timeout, Verdict::Timeout),
        (c.survived, Verdict::Survived),
        (c.unexecuted, Verdict::Unexecuted),
        (c.excused, Verdict::Excused),
        (c.invalid, Verdict::Invalid),
        (c.flaky, Verdict::Flaky),
        (c.unverified, Verdict::Unverified),
    ];
    let ratio = match c.percent() {
        Some(percent) => format!("<span class=\"ratio\">{percent}</span> killed: {} of {}", c.dead(), c.judged()),
        None => "<span class=\"ratio\">no ratio</span>: no mutant is valid".to_owned(),
    };
    let mut out =
        format!("<div>{ratio}</div>\n<div class=\"bar\" role=\"img\" aria-label=\"{}\">", terminal::counts(c));
    let some = || of.iter().filter(|(n, _)| *n > 0);
    some().for_each(|(n, v)| out.push_str(&format!("<i class=\"{v}\" style=\"flex:{n}\" title=\"{n} {v}\"></i>")));
    out.push_str("</div>\n<ul class=\"counts\">");
    some().for_each(|(n, v)| out.push_str(&format!("<li><i class=\"dot {v}\"></i>{n} {v}</li>")));
    out.push_str("</ul>\n");
    out
}

fn revisions(report: &Report) -> String {
    let short = |id: &str| format!("<code>{}</code>", escape(&id.chars().take(12).collect::<String>()));
    let (repo, tool) = (&report.repo, &report.tool);
    let head = repo.head.as_deref().map_or("the work tree".to_owned(), short);
    let dirty = if repo.dirty { ", with uncommitted changes" } else { "" };
    let policy = match (report.policy.source, &report.policy.path) {
        (PolicySource::Default, _) => "default".to_owned(),
        (PolicySource::MergeBase, path) => format!("{} of the merge base", escape(path.as_deref().unwrap_or_default())),
        (PolicySource::File, path) => format!("{} (a file)", escape(path.as_deref().unwrap_or_default())),
    };
    let tests = format!("{} in the delta, {} toothless", report.tests.delta.len(), report.tests.toothless.len());
    let mut rows = vec![
        ("tests", tests),
        ("reverted", prose(&report.reverted.sentence())),
        ("base", format!("{} (merge base {})", short(&repo.base), short(&repo.merge_base))),
        ("head", format!("{head}{dirty}")),
        ("policy", policy),
        ("catalog", escape(&report.catalog.name)),
        (
            "tools",
            format!(
                "{}, {}",
                escape(&tool.rustc),
                tool.nextest.as_deref().map_or("built-in test runner".to_owned(), |v| format!("nextest {}", escape(v)))
            ),
        ),
    ];
    if !report.complete {
        rows.insert(0, ("state", "<b>incomplete</b>: not every mutant has a verdict".to_owned()));
    }
    let rows: String = rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>")).collect();
    format!("<dl>{rows}</dl>\n")
}

fn footer(report: &Report) -> String {
    format!("{} {}, {}", escape(&report.tool.name), escape(&report.tool.version), escape(&report.schema))
}

/// What the page draws from. Tests, files and operators are numbers there, so that a page stays small.
fn data(report: &Report, sources: &Sources<'_>) -> Value {
    let mut files: Vec<&str> = Vec::new();
    let mut by_file: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for m in &report.mutants {
        by_file.entry(&m.file).or_default().push(m);
    }
    files.extend(by_file.keys());
    let others: BTreeSet<&str> = report.scope.unmutated.iter().map(|u| u.file.as_str()).collect();
    files.extend(others.into_iter().filter(|file| !by_file.contains_key(file)));
    let number: HashMap<&str, usize> = files.iter().enumerate().map(|(i, file)| (*file, i)).collect();
    let operators: BTreeSet<&str> = report.mutants.iter().map(|m| m.operator.as_str()).collect();
    let operators: Vec<&str> = operators.into_iter().collect();
    let tests = Numbered::of(report);
    let mut room = SOURCE;
    let none = Vec::new();
    let sources: Vec<Value> =
        files.iter().map(|file| source(report, file, by_file.get(file).unwrap_or(&none), sources, &mut room)).collect();
    let mutants: Vec<Value> = report
        .mutants
        .iter()
        .map(|m| {
            let operator = operators.binary_search(&m.operator.as_str()).unwrap_or_default();
            mutant(m, number[m.file.as_str()], operator, &tests)
        })
        .collect();
    let unmutated: Vec<Value> = report
        .scope
        .unmutated
        .iter()
        .map(|u| json!({ "f": number[u.file.as_str()], "l": u.line, "r": visible(&u.reason) }))
        .collect();
    let t = &report.timings_ms;
    json!({
        "files": sources, "operators": operators, "tests": tests.shown(report), "mutants": mutants,
        "unmutated": unmutated, "notes": report.notes.iter().map(|n| visible(n)).collect::<Vec<_>>(),
        "timings": [
            ["scope", t.scope], ["plan", t.plan], ["build", t.build], ["baseline", t.baseline],
            ["mutants", t.mutants], ["report", t.report], ["total", t.total],
        ],
    })
}

fn mutant(m: &Mutant, file: usize, operator: usize, tests: &Numbered<'_>) -> Value {
    let cut = m.original.chars().count() > TEXT || m.replacement.chars().count() > TEXT;
    let text = |text: &str| visible(&text.replace("\r\n", "\n").chars().take(TEXT).collect::<String>());
    let killers: Vec<Value> = m.killed_by.iter().filter_map(|k| Some(json!([tests.number(&k.id)?, k.how]))).collect();
    let mut out = json!({
        "i": m.id, "o": operator, "f": file, "fn": visible(&m.function), "l": m.line, "c": m.column, "el": m.end_line,
        "ec": m.end_column, "a": text(&m.original), "b": text(&m.replacement), "v": m.verdict, "k": killers,
        "x": tests.set(&m.executed_by), "h": m.historical.verdict, "ms": (m.duration_ms * 10.0).round() / 10.0,
    });
    if let Some(reason) = &m.reason {
        out["r"] = visible(reason).into();
    }
    if cut {
        out["cut"] = true.into();
    }
    out
}

/// A file's lines, all of them or those around changed ones, as far as there is room.
fn source(report: &Report, file: &str, mutants: &[&Mutant], sources: &Sources<'_>, room: &mut usize) -> Value {
    let ranges: Vec<(u32, u32)> = report
        .scope
        .ranges
        .iter()
        .filter(|r| r.file == file && r.kind == RangeKind::Production)
        .map(|r| (r.start, r.end))
        .collect();
    let text = super::matching(sources, file, mutants).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let mut wanted: Vec<(u32, u32)> = match lines.len() <= WHOLE {
        true => vec![(1, lines.len() as u32)],
        false => {
            let places = mutants.iter().map(|m| (m.line, m.end_line)).chain(ranges.iter().copied());
            places.map(|(a, b)| (a.saturating_sub(AROUND).max(1), b.saturating_add(AROUND))).collect()
        }
    };
    wanted.sort_unstable();
    let mut segments: Vec<(u32, u32)> = Vec::new();
    for (a, b) in wanted {
        let b = b.min(lines.len() as u32);
        match segments.last_mut() {
            Some(last) if a <= last.1 + 1 => last.1 = last.1.max(b),
            _ if a <= b => segments.push((a, b)),
            _ => {}
        }
    }
    let size: usize =
        segments.iter().flat_map(|(a, b)| &lines[*a as usize - 1..*b as usize]).map(|line| line.len() + 8).sum();
    if size > *room {
        segments.clear();
    } else {
        *room -= size;
    }
    let segments: Vec<Value> = segments
        .iter()
        .map(|(a, b)| {
            let lines: Vec<String> = lines[*a as usize - 1..*b as usize].iter().map(|line| visible(line)).collect();
            json!({ "start": a, "lines": lines })
        })
        .collect();
    json!({ "path": visible(file), "segments": segments, "ranges": ranges })
}

/// The tests of a report by number: those of the delta first.
struct Numbered<'a> {
    all: Vec<&'a TestId>,
    number: HashMap<&'a TestId, usize>,
}

impl<'a> Numbered<'a> {
    fn of(report: &'a Report) -> Numbered<'a> {
        let delta = report.tests.delta.iter().map(|t| &t.id);
        let others = report.mutants.iter().flat_map(|m| m.killed_by.iter().map(|k| &k.id).chain(&m.executed_by));
        let (mut all, mut number) = (Vec::new(), HashMap::new());
        for id in delta.chain(others) {
            number.entry(id).or_insert_with(|| {
                all.push(id);
                all.len() - 1
            });
        }
        Numbered { all, number }
    }

    fn number(&self, id: &TestId) -> Option<usize> {
        self.number.get(id).copied()
    }

    /// A set of tests as hexadecimal digits, four tests each.
    fn set(&self, ids: &[TestId]) -> String {
        let numbers: Vec<usize> = ids.iter().filter_map(|id| self.number(id)).collect();
        let digits = numbers.iter().max().map_or(0, |max| max / 4 + 1);
        let mut bits = vec![0u8; digits];
        numbers.iter().for_each(|n| bits[n / 4] |= 1 << (n % 4));
        bits.iter().map(|b| format!("{b:x}")).collect()
    }

    fn shown(&self, report: &Report) -> Vec<Value> {
        let delta: HashMap<&TestId, _> = report.tests.delta.iter().map(|t| (&t.id, t)).collect();
        let baseline: HashMap<&TestId, _> = report.tests.baseline.iter().map(|t| (&t.id, t)).collect();
        let toothless: BTreeSet<&TestId> = report.tests.toothless.iter().collect();
        let shown = self.all.iter().map(|id| {
            let (entry, base) = (delta.get(id), baseline.get(id));
            json!({
                "id": visible(&id.to_string()), "name": visible(&id.name),
                "change": entry.map_or(String::new(), |t| t.change.to_string()),
                "file": entry.and_then(|t| t.file.as_deref()).map(visible), "line": entry.and_then(|t| t.line),
                "outcome": base.map_or("not run".to_owned(), |t| t.outcome.to_string()),
                "ms": base.map(|t| t.duration_ms), "toothless": toothless.contains(id),
            })
        });
        shown.collect()
    }
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "html_browser_tests.rs"]
mod browser_tests;
