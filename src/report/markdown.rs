//! The report for the body or a comment of a pull request.
//!
//! Everything that comes from the patch is quoted so that it can neither break the page nor call people by name,
//! and the whole never outgrows what GitHub takes: survivors give way first, and say how many they were.

use super::excerpt::Excerpt;
use super::model::{BaselineOutcome, DeltaTest, Mutant, PolicySource, Report, TestChange, Unmutated, Verdict};
use super::quote::{code, fence, plain};
use super::terminal::meaning;
use super::{Format, Sources, text};
use crate::test_id::TestId;
use similar::TextDiff;
use std::collections::{BTreeMap, HashMap, HashSet};

/// GitHub refuses bodies of more than 65,536 characters; counted in bytes this also leaves room for a few words
/// around the report.
const LIMIT: usize = 64_000;

/// Rows of the test table, and entries of any other list.
const ROWS: usize = 40;

/// The bytes that one list may take, so that all of them together leave room for survivors.
const LIST: usize = 8_000;

/// Longest name, reason or note, in cells.
const NAME: usize = 240;

/// Longest line of source, in cells; with a longer one only the replaced text is shown.
const SOURCE: usize = 240;

/// Most lines in one diff.
const DIFF: usize = 30;

/// The report for a pull request.
#[derive(Debug, Clone, Copy)]
pub struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn render(&self, report: &Report, sources: &Sources<'_>) -> String {
        body(report, sources, "")
    }
}

/// The report with a section about kill maps, which is empty or ends in an empty line.
pub fn body(report: &Report, sources: &Sources<'_>, maps: &str) -> String {
    let head = headline(report) + &counts(report);
    let tail = tests(report) + maps + &notes(report) + &unmutated(report) + &origin(report);
    let sources = &super::cached(sources);
    let room = LIMIT.saturating_sub(head.len() + tail.len());
    format!("{head}{}{tail}", survivors(report, sources, room))
}

fn headline(report: &Report) -> String {
    let mut out = format!("## cargo hunkmut: {}\n\n{}.\n", report.decision, meaning(report));
    out.push_str(&format!("\nReverted: {}.\n", plain(&report.reverted.sentence())));
    for gate in &report.gates {
        out.push_str(&format!("\n**{}**: {}\n\n", plain(&gate.name), plain(&gate.rule)));
        out.push_str(&bullets(&gate.reasons, LIST / report.gates.len()));
    }
    out.push('\n');
    out
}

fn counts(report: &Report) -> String {
    let c = &report.counts;
    let ratio = c.percent().unwrap_or_else(|| "none".to_owned());
    let columns = [
        ("mutants", c.total),
        ("valid", c.valid),
        ("killed", c.killed),
        ("timeout", c.timeout),
        ("survived", c.survived),
        ("unexecuted", c.unexecuted),
        ("excused", c.excused),
        ("invalid", c.invalid),
        ("flaky", c.flaky),
        ("unverified", c.unverified),
    ];
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let values: Vec<String> = columns.iter().map(|(_, n)| n.to_string()).collect();
    format!(
        "| {} | kill ratio |\n|{}\n| {} | {ratio} |\n\n",
        names.join(" | "),
        "--:|".repeat(columns.len() + 1),
        values.join(" | ")
    )
}

/// As many survivors as there is room for, in bytes, those that a test executed first.
fn survivors(report: &Report, sources: &Sources<'_>, room: usize) -> String {
    let of = |verdict| report.mutants.iter().filter(move |m| m.verdict == verdict);
    let alive: Vec<&Mutant> = of(Verdict::Survived).chain(of(Verdict::Unexecuted)).collect();
    if alive.is_empty() {
        return String::new();
    }
    let mut out = format!("### {} that no test of the patch noticed\n\n", text::count(alive.len(), "change"));
    // Kept free for the line that says how many are left out.
    const LAST_LINE: usize = 100;
    for (shown, m) in alive.iter().enumerate() {
        let entry = survivor(m, sources(&m.file).as_deref());
        if out.len() + entry.len() + LAST_LINE > room {
            out.push_str(&format!("… and {} more in `report.json`\n\n", alive.len() - shown));
            break;
        }
        out.push_str(&entry);
    }
    out
}

fn survivor(m: &Mutant, source: Option<&str>) -> String {
    let place = code(&text::fit(&format!("{}:{}:{}", text::line(&m.file), m.line, m.column), NAME));
    let tests: Vec<String> = m.executed_by.iter().take(3).map(test_name).collect();
    let more = m.executed_by.len().saturating_sub(tests.len());
    let seen = match (m.verdict, tests.is_empty()) {
        (Verdict::Unexecuted, _) => "no test of the patch executes it".to_owned(),
        (_, true) => m.reason.as_deref().map(plain).unwrap_or_default(),
        (_, false) if more > 0 => format!("executed by {} and {more} more", tests.join(", ")),
        (_, false) => format!("executed by {}", tests.join(", ")),
    };
    let reason = m.reason.as_deref().filter(|_| !tests.is_empty()).map(|reason| format!("; {}", plain(reason)));
    let seen = format!("{seen}{}", reason.unwrap_or_default());
    let seen = if seen.is_empty() { seen } else { format!(": {seen}") };
    format!("{place} {} {}{seen}\n\n{}\n", plain(&m.operator), code(&m.id), fence("diff", &diff(m, source)))
}

/// The whole lines before and after, or the replaced text alone where the lines are not at hand or too long.
fn diff(m: &Mutant, source: Option<&str>) -> String {
    let excerpt = source.and_then(|source| Excerpt::of(m, source));
    let lines = excerpt.map(|e| (e.mutated(&m.replacement), e.text));
    let fits = |text: &str| text.lines().all(|line| text::width(line) <= SOURCE);
    let (after, before) = match lines.filter(|(after, before)| fits(after) && fits(before)) {
        Some(lines) => lines,
        None => {
            let after = text::changed(&m.original, &m.replacement, SOURCE);
            (after, text::changed(&m.replacement, &m.original, SOURCE))
        }
    };
    let mut out: Vec<String> = Vec::new();
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    for change in diff.grouped_ops(1).iter().flatten().flat_map(|op| diff.iter_changes(op)) {
        let line = change.value().trim_end();
        // What a deletion leaves of its line is no line that somebody added.
        if !(line.is_empty() && change.tag() == similar::ChangeTag::Insert) {
            out.push(format!("{}{}", change.tag(), text::source(&annotate_snippets::normalize_untrusted_str(line))));
        }
    }
    if out.len() > DIFF {
        // The replacement comes last, and it is what matters.
        let cut = out.len() - DIFF;
        let at = DIFF / 2;
        out.splice(at..at + cut, [format!(" … {cut} lines …")]);
    }
    out.join("\n")
}

fn tests(report: &Report) -> String {
    let delta = &report.tests.delta;
    if delta.is_empty() {
        return "The patch adds or changes no test.\n\n".to_owned();
    }
    let toothless: HashSet<&TestId> = report.tests.toothless.iter().collect();
    let baseline: HashMap<&TestId, BaselineOutcome> =
        report.tests.baseline.iter().map(|t| (&t.id, t.outcome)).collect();
    let mut kills: HashMap<&TestId, usize> = HashMap::new();
    for killer in report.mutants.iter().flat_map(|m| &m.killed_by) {
        *kills.entry(&killer.id).or_default() += 1;
    }
    // What needs a look comes first, so that it is never among those left out.
    let mut order: Vec<_> = delta.iter().collect();
    order.sort_by_key(|t| (baseline.get(&t.id) == Some(&BaselineOutcome::Pass), !toothless.contains(&t.id)));
    let mut out = format!("### {} of the patch\n\n", text::count(delta.len(), "test"));
    out.push_str("| test | change | unmutated | kills |\n|---|---|---|---|\n");
    let row = |t: &&DeltaTest| {
        let outcome = baseline.get(&t.id).map_or_else(|| "not run".to_owned(), BaselineOutcome::to_string);
        let kills = match (toothless.contains(&t.id), kills.get(&t.id)) {
            (true, _) => "**toothless**".to_owned(),
            (false, Some(n)) => n.to_string(),
            (false, None) => String::new(),
        };
        format!("| {} | {} | {outcome} | {kills} |\n", cell(&test_name(&t.id)), change(t.change))
    };
    out.push_str(&bounded(&order, row, "\n", LIST));
    out.push_str("\nA test that is credited with no kill may still kill what an earlier one killed first; a **toothless** one kills no mutant at all.\n\n");
    out
}

fn change(change: TestChange) -> &'static str {
    match change {
        TestChange::Added => "added",
        TestChange::Modified => "modified",
        TestChange::ModifiedHelper => "its helper modified",
    }
}

fn notes(report: &Report) -> String {
    if report.notes.is_empty() {
        return String::new();
    }
    format!("### Notes\n\n{}\n", bullets(&report.notes, LIST))
}

/// Changed production lines without a mutant, counted by reason, with the first places of each.
fn unmutated(report: &Report) -> String {
    let lines = &report.scope.unmutated;
    if lines.is_empty() {
        return String::new();
    }
    let mut by_reason: BTreeMap<&str, Vec<&Unmutated>> = BTreeMap::new();
    for u in lines {
        by_reason.entry(&u.reason).or_default().push(u);
    }
    let mut out =
        details(&format!("{} without a mutant, and why", text::count(lines.len(), "changed production line")));
    out.push_str("| reason | lines | where |\n|---|--:|---|\n");
    let row = |(reason, places): &(&str, Vec<&Unmutated>)| {
        let place = |u: &&Unmutated| code(&text::fit(&format!("{}:{}", text::line(&u.file), u.line), NAME));
        let named: Vec<String> = places.iter().take(3).map(place).collect();
        let more = if places.len() > named.len() { ", …" } else { "" };
        let reason = cell(&code(&text::fit(&text::line(reason), NAME)));
        format!("| {reason} | {} | {}{more} |\n", places.len(), cell(&named.join(", ")))
    };
    out.push_str(&bounded(&by_reason.into_iter().collect::<Vec<_>>(), row, "\n", LIST));
    out.push_str("\n</details>\n\n");
    out
}

/// Revisions, versions, policy, and the command that does it again.
fn origin(report: &Report) -> String {
    let (repo, tool, policy) = (&report.repo, &report.tool, &report.policy);
    let short = |id: &str| id.chars().take(12).collect::<String>();
    let mut out = details("Revisions, versions, and how to do it again");
    let head = repo.head.as_deref().map_or("the working tree".to_owned(), |id| code(&short(id)));
    let dirty = if repo.dirty { ", with uncommitted changes" } else { "" };
    let merge_base = code(&short(&repo.merge_base));
    out.push_str(&format!("- base {} (merge base {merge_base}), head {head}{dirty}\n", code(&short(&repo.base))));
    let nextest = tool.nextest.as_deref().map_or("the built-in runner".to_owned(), |v| format!("nextest {}", plain(v)));
    out.push_str(&format!("- {} {}, {}, {nextest}\n", plain(&tool.name), plain(&tool.version), plain(&tool.rustc)));
    let source = match policy.source {
        PolicySource::MergeBase => "of the merge base",
        PolicySource::File => "of a file",
        PolicySource::Default => "by default",
    };
    let path = policy.path.as_deref().map(|p| format!(" {}", code(&text::line(p)))).unwrap_or_default();
    let changed = if policy.changed_by_patch { ", **changed by the patch**" } else { "" };
    out.push_str(&format!("- policy {source}{path} ({}){changed}\n", code(&short(&policy.sha256))));
    out.push_str(&format!("- catalog {} ({})\n", plain(&report.catalog.name), code(&short(&report.catalog.sha256))));
    let mut command = format!("cargo hunkmut --base {}", short(&repo.base));
    if let Some(head) = repo.head.as_deref().filter(|_| !repo.dirty) {
        command.push_str(&format!(" --head {}", short(head)));
    }
    if let (PolicySource::File, Some(path)) = (policy.source, &policy.path) {
        command.push_str(&format!(" --policy {}", text::line(path)));
    }
    out.push_str(&format!("\n{}\n</details>\n", fence("sh", &command)));
    out
}

fn details(summary: &str) -> String {
    format!("<details><summary>{summary}</summary>\n\n")
}

fn bullets(items: &[String], room: usize) -> String {
    bounded(items, |item| format!("- {}\n", plain(&text::fit(&text::line(item), NAME))), "- ", room)
}

/// The items that fit into `room` bytes, rendered, and after `lead` how many do not.
fn bounded<T>(items: &[T], render: impl Fn(&T) -> String, lead: &str, room: usize) -> String {
    let mut out = String::new();
    for (shown, item) in items.iter().enumerate() {
        let line = render(item);
        if shown == ROWS || out.len() + line.len() > room {
            out.push_str(&format!("{lead}… and {} more in `report.json`\n", items.len() - shown));
            break;
        }
        out.push_str(&line);
    }
    out
}

fn test_name(id: &TestId) -> String {
    code(&text::fit(&text::line(&id.to_string()), NAME))
}

/// Tables split at `|` even inside code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
