//! A mutant that nobody noticed, shown as rustc shows a warning: the source line, what it was changed to, and
//! which tests ran it and looked away.

use super::excerpt::Excerpt;
use super::model::{HistoricalVerdict, Mutant, RangeKind, Report, Verdict};
use super::{Sources, text};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Replacements are cut to this many cells at most.
const LONGEST: usize = 60;

/// Tests named in one note.
const TESTS: usize = 3;

/// Mutants with the same verdict on the same line: one warning.
#[derive(Debug)]
pub struct Warning<'a> {
    mutants: Vec<&'a Mutant>,
}

/// The survivors of a report as warnings: those that a test executed first, each kind in the report's order.
///
/// Mutants on one line share a warning when they share the verdict and its reason; text over several lines shares one only with
/// other replacements of the very same text.
pub fn warnings(report: &Report) -> Vec<Warning<'_>> {
    let mut found: Vec<Warning<'_>> = Vec::new();
    for verdict in [Verdict::Survived, Verdict::Unexecuted] {
        let mut at: BTreeMap<_, usize> = BTreeMap::new();
        for m in report.mutants.iter().filter(|m| m.verdict == verdict) {
            let block = (m.line != m.end_line).then_some((m.start_byte, m.end_byte));
            let slot = *at.entry((m.file.as_str(), m.line, block, m.reason.as_deref())).or_insert_with(|| {
                found.push(Warning { mutants: Vec::new() });
                found.len() - 1
            });
            found[slot].mutants.push(m);
        }
    }
    found
}

/// Where the changes are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Labels {
    /// Beside the marks, where a reader looks.
    Shown,
    /// Below the source, because a line of the terminal does not hold both.
    Apart,
}

impl Warning<'_> {
    /// How many mutants it stands for; at least one.
    pub fn count(&self) -> usize {
        self.mutants.len()
    }

    /// Its mutants; at least one.
    pub fn mutants(&self) -> &[&Mutant] {
        &self.mutants
    }

    /// The warning as text, at most `width` cells wide where the source allows, ending in a newline.
    pub fn render(&self, report: &Report, sources: &Sources<'_>, renderer: &Renderer, width: usize) -> String {
        let cells = LONGEST.min(width.saturating_sub(24)).max(16);
        let first = self.mutants[0];
        let title = match self.count() {
            1 => "no test noticed this change".to_owned(),
            n => format!("no test noticed these {n} changes"),
        };
        let mut operators: Vec<&str> = self.mutants.iter().map(|m| m.operator.as_str()).collect();
        unique(&mut operators);
        let title = Level::WARNING.primary_title(title).id(operators.join(", "));
        let group = match self.snippet(sources, cells, width) {
            Some((snippet, Labels::Shown)) => Group::with_title(title).element(snippet),
            Some((snippet, Labels::Apart)) => {
                let changes = self.mutants.iter().map(|m| {
                    let change = super::finding::change(m);
                    let label = text::wrap(&change, width.saturating_sub(14));
                    Level::NOTE.with_name("change").message(label.join("\n"))
                });
                Group::with_title(title).element(snippet).elements(changes)
            }
            None => {
                let origin =
                    Origin::path(text::line(&first.file)).line(first.line as usize).char_column(first.column as usize);
                let changes = self.mutants.iter().map(|m| {
                    let original = text::fit(&text::line(&m.original), cells);
                    Level::NOTE.message(format!("`{original}` {}", label(&[m], cells)))
                });
                Group::with_title(title).element(origin).elements(changes)
            }
        };
        let notes = self.notes(report).into_iter().map(|(name, note)| {
            // "   = note: " before it.
            let lines = text::wrap(&text::line(&note), width.saturating_sub(12 + first.line.to_string().len()));
            Level::NOTE.with_name(name).message(lines.join("\n"))
        });
        let mut text = renderer.render(&[group.elements(notes)]);
        text.push('\n');
        text
    }

    fn snippet(
        &self,
        sources: &Sources<'_>,
        cells: usize,
        width: usize,
    ) -> Option<(Snippet<'static, annotate_snippets::Annotation<'static>>, Labels)> {
        let source = sources(&self.mutants[0].file)?;
        let excerpts: Vec<Excerpt> = self.mutants.iter().map(|m| Excerpt::of(m, &source)).collect::<Option<_>>()?;
        let mut spans: BTreeMap<(usize, usize), Vec<&Mutant>> = BTreeMap::new();
        for (m, e) in self.mutants.iter().zip(&excerpts) {
            spans.entry((e.span.start, e.span.end)).or_default().push(m);
        }
        let first = &excerpts[0];
        // "16 | " before the line, a space before the label.
        let gutter = first.first_line.to_string().len() + 3;
        let longest = first.text.lines().map(text::width).max().unwrap_or_default();
        let fits = |start: usize, end: usize, label: &str| {
            let cells = |upto: usize| {
                let before = first.text.get(..upto).unwrap_or_default();
                text::width(&before[before.rfind('\n').map_or(0, |at| at + 1)..])
            };
            // The renderer cuts a longer line on the left to make room, down to the marked text itself.
            let cut = gutter + longest > width;
            let before = if cut { "...".len() + cells(end).saturating_sub(cells(start)) } else { cells(end) };
            gutter + before + 1 + text::width(label) <= width
        };
        let labels = match spans.iter().all(|((start, end), mutants)| fits(*start, *end, &label(mutants, cells))) {
            true => Labels::Shown,
            false => Labels::Apart,
        };
        let annotations = spans.into_iter().map(|((start, end), mutants)| {
            let annotation = AnnotationKind::Primary.span(Range { start, end });
            match labels {
                Labels::Shown => annotation.label(label(&mutants, cells)),
                Labels::Apart => annotation,
            }
        });
        let snippet = Snippet::source(text::source(&first.text)).line_start(first.first_line as usize);
        let snippet = snippet.path(text::line(&self.mutants[0].file)).annotations(annotations.collect::<Vec<_>>());
        Some((snippet, labels))
    }

    fn notes(&self, report: &Report) -> Vec<(&'static str, String)> {
        let first = self.mutants[0];
        let mut notes = Vec::new();
        let hunk = report.scope.ranges.iter().find(|r| {
            r.kind == RangeKind::Production && r.file == first.file && (r.start..=r.end).contains(&first.line)
        });
        if let Some(hunk) = hunk {
            notes.push(("patch", format!("line +{} of the hunk +{}-{}", first.line, hunk.start, hunk.end)));
        }
        let mut tests: Vec<String> =
            self.mutants.iter().flat_map(|m| &m.executed_by).map(|t| format!("`{t}`")).collect();
        unique(&mut tests);
        match first.verdict {
            Verdict::Unexecuted => notes.push(("note", "no test of the patch executes this line".to_owned())),
            _ if tests.is_empty() => {}
            _ => notes.push(("note", format!("executed by {}", text::list(&tests, TESTS)))),
        }
        let mut reasons: Vec<&str> = self.mutants.iter().filter_map(|m| m.reason.as_deref()).collect();
        unique(&mut reasons);
        notes.extend(reasons.into_iter().map(|reason| ("note", reason.to_owned())));
        let old = self.mutants.iter().filter(|m| m.historical.verdict == HistoricalVerdict::Killed).count();
        if old > 0 {
            let which = if self.count() == 1 { "it".to_owned() } else { format!("{old} of them") };
            notes.push(("note", format!("the historical suite notices {which}, which is not to the patch's credit")));
        }
        notes
    }
}

/// Keeps the first of equals.
fn unique<T: Clone + Eq + std::hash::Hash>(items: &mut Vec<T>) {
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(item.clone()));
}

/// What stands there instead, for mutants that replace the same text.
fn label(mutants: &[&Mutant], cells: usize) -> String {
    let deleted = mutants.iter().any(|m| m.replacement.trim().is_empty());
    let changed: Vec<String> = mutants
        .iter()
        .filter(|m| !m.replacement.trim().is_empty())
        .map(|m| format!("`{}`", text::changed(&m.original, &m.replacement, cells)))
        .collect();
    match (deleted, changed.is_empty()) {
        (true, true) => "deleted".to_owned(),
        (true, false) => format!("deleted, or changed to {}", changed.join(" or ")),
        (false, _) => format!("changed to {}", changed.join(" or ")),
    }
}
