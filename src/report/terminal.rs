//! The result on a terminal: the decision and its numbers first, then each survivor as a compiler would show it,
//! then what else a person should know, and the decision once more where the eye ends up.

use super::diagnostic::{self, Warning};
use super::model::{Counts, Decision, Gate, GateDecision, Mutant, Report, TestChange, Verdict};
use super::short::killed;
use super::{Format, Sources, text};
use crate::gate::ratio;
use crate::tasks;
use annotate_snippets::Renderer;
use anstyle::{AnsiColor, Style};

/// How the terminal wants it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to write ANSI escape codes.
    pub color: bool,
    /// Terminal cells in a line.
    pub width: usize,
    /// Show everything, not only the first of many.
    pub verbose: bool,
    /// Show the decision and its numbers only.
    pub quiet: bool,
    /// Where the written reports lie, as a person would type it.
    pub report_dir: Option<String>,
}

/// Warnings and list entries shown without `-v`.
const SHOWN: usize = 10;

/// Reasons of a gate shown without `-v`, when it is the only one.
const REASONS: usize = 3;

/// What the gates may take of the summary's ten lines.
const GATE_LINES: usize = 5;

/// The columns before a line's text in the summary.
const INDENT: usize = 11;

const STRONG: Style = Style::new().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

impl Options {
    /// Reads the terminal that standard output is connected to.
    ///
    /// Width: the terminal's, else `COLUMNS`, else 100. Colour: `choice`, where `Auto` asks the terminal and the
    /// usual variables (`NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`).
    pub fn detect(choice: anstream::ColorChoice) -> Options {
        let stdout = std::io::stdout();
        let terminal = terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0));
        let columns = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
        let width = terminal.or_else(columns).filter(|&w| w > 0).unwrap_or(100);
        let color = match choice {
            anstream::ColorChoice::Auto => anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => true,
            anstream::ColorChoice::Never => false,
        };
        Options { color, width, ..Options::default() }
    }
}

/// The report for a person at a terminal.
#[derive(Debug, Clone, Default)]
pub struct Terminal {
    /// How the terminal wants it.
    pub options: Options,
}

impl Format for Terminal {
    fn name(&self) -> &'static str {
        "terminal"
    }

    fn render(&self, report: &Report, sources: &Sources<'_>) -> String {
        render(report, sources, &self.options)
    }
}

/// The report as text for a terminal.
pub fn render(report: &Report, sources: &Sources<'_>, options: &Options) -> String {
    let page = Page { report, options };
    let mut out = page.summary();
    if !options.quiet {
        out.push('\n');
        let before = out.len();
        match tasks::asked(report) {
            true => out.push_str(&tasks::text(report, sources, if options.verbose { usize::MAX } else { SHOWN })),
            false => page.survivors(&mut out, sources),
        }
        page.lists(&mut out);
        page.notes(&mut out);
        match (&options.report_dir, out.len() > before) {
            (_, true) => out.push_str(&page.closing()),
            (Some(dir), false) => out.push_str(&format!("reports in {}\n", text::line(dir))),
            (None, false) => out.truncate(before - 1),
        }
    }
    out
}

struct Page<'a> {
    report: &'a Report,
    options: &'a Options,
}

impl Page<'_> {
    /// At most ten lines: decision, gates with their first reasons, mutants, tests.
    fn summary(&self) -> String {
        let r = self.report;
        let mut out = format!("{}: {}\n", self.decision(), meaning(r));
        // Lines for reasons are few: the gates that object have them first, one each.
        let mut left = GATE_LINES.saturating_sub(r.gates.len());
        for gate in &r.gates {
            let objects = gate.decision > GateDecision::Pass;
            let shown = match (self.options.verbose, r.gates.len()) {
                (true, _) => usize::MAX,
                (false, 1) => REASONS.min(left),
                (false, _) => left.min(usize::from(objects)),
            };
            left -= left.min(shown);
            self.gate(&mut out, gate, shown);
        }
        let ratio = r.counts.percent().map(|p| format!(", kill ratio {p}")).unwrap_or_default();
        self.entry(&mut out, "mutants", &format!("{}{ratio}", counts(&r.counts)), false);
        self.entry(&mut out, "tests", &tests(r), false);
        self.entry(&mut out, "reverted", &r.reverted.sentence(), false);
        out
    }

    fn gate(&self, out: &mut String, gate: &Gate, shown: usize) {
        self.entry(out, &gate.name, &gate.rule, true);
        let cells = self.options.width.saturating_sub(INDENT + 2).max(20);
        for reason in gate.reasons.iter().take(shown) {
            let reason = text::line(reason);
            let lines = if self.options.verbose { text::wrap(&reason, cells) } else { vec![text::fit(&reason, cells)] };
            for (i, line) in lines.iter().enumerate() {
                out.push_str(&format!("{:INDENT$}{} {line}\n", "", if i == 0 { '-' } else { ' ' }));
            }
        }
        if gate.reasons.len() > shown && shown == REASONS && gate.decision != GateDecision::Pass {
            out.push_str(&format!("{:INDENT$}- and {} more with -v\n", "", gate.reasons.len() - shown));
        }
    }

    fn entry(&self, out: &mut String, name: &str, value: &str, strong: bool) {
        let cells = self.options.width.saturating_sub(INDENT).max(20);
        for (i, line) in text::wrap(&text::line(value), cells).iter().enumerate() {
            // A gate's name may be longer than its column.
            let gap = if i == 0 && name.len() >= INDENT - 2 { " " } else { "" };
            let name = if i == 0 { format!("{name}{gap}") } else { String::new() };
            let line = if strong { self.paint(STRONG, line) } else { line.clone() };
            out.push_str(&format!("  {name:<width$}{line}\n", width = INDENT - 2));
        }
    }

    fn survivors(&self, out: &mut String, sources: &Sources<'_>) {
        let sources = &super::cached(sources);
        let warnings = diagnostic::warnings(self.report);
        let shown = if self.options.verbose { warnings.len() } else { SHOWN.min(warnings.len()) };
        let renderer = if self.options.color { Renderer::styled().hyperlink(false) } else { Renderer::plain() };
        let renderer = renderer.term_width(self.options.width.max(40));
        for warning in &warnings[..shown] {
            out.push_str(&warning.render(self.report, sources, &renderer, self.options.width));
            out.push('\n');
        }
        let more: usize = warnings[shown..].iter().map(Warning::count).sum();
        if more > 0 {
            out.push_str(&format!("… and {more} more in report.json and report.md, or here with -v\n\n"));
        }
    }

    /// Tests without teeth, and mutants whose verdict needs a look.
    fn lists(&self, out: &mut String) {
        let r = self.report;
        let toothless = r.tests.toothless.iter().map(|t| t.to_string()).collect::<Vec<_>>();
        let verb = if toothless.len() == 1 { "kills" } else { "kill" };
        self.list(out, &format!("{} of the patch {verb} no mutant", text::count(toothless.len(), "test")), &toothless);
        let flaky: Vec<String> = r.mutants.iter().filter(|m| m.verdict == Verdict::Flaky).map(place).collect();
        self.list(out, &format!("{} did not reproduce", text::count(flaky.len(), "outcome")), &flaky);
        if let Some(title) = ratio::mostly_invalid(&r.mutants) {
            let invalid: Vec<String> = r.mutants.iter().filter(|m| m.verdict == Verdict::Invalid).map(place).collect();
            self.list(out, &title, &invalid);
        }
    }

    fn list(&self, out: &mut String, title: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        out.push_str(&format!("{}: {}\n", self.paint(YELLOW, "warning"), self.paint(STRONG, title)));
        let shown = if self.options.verbose { items.len() } else { SHOWN };
        for item in items.iter().take(shown) {
            out.push_str(&format!("  {}\n", text::line(item)));
        }
        if items.len() > shown {
            out.push_str(&format!("  … and {} more\n", items.len() - shown));
        }
        out.push('\n');
    }

    fn notes(&self, out: &mut String) {
        for note in &self.report.notes {
            let cells = self.options.width.saturating_sub("note: ".len()).max(20);
            let note = text::wrap(&text::line(note), cells).join("\n      ");
            out.push_str(&format!("{}: {note}\n", self.paint(STRONG, "note")));
        }
        if !self.report.notes.is_empty() {
            out.push('\n');
        }
    }

    /// The decision where a person who scrolled looks first, and where the reports are.
    fn closing(&self) -> String {
        let mut out = format!("{}: {}", self.decision(), killed(self.report));
        if let Some(dir) = &self.options.report_dir {
            out.push_str(&format!("; reports in {}", text::line(dir)));
        }
        out.push('\n');
        out
    }

    fn decision(&self) -> String {
        self.paint(style(self.report.decision), &self.report.decision.to_string())
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

fn style(decision: Decision) -> Style {
    let color = match decision {
        Decision::Pass => AnsiColor::Green,
        Decision::Vacuous => AnsiColor::Cyan,
        Decision::Block | Decision::BaselineRed => AnsiColor::Red,
        Decision::Hold | Decision::Incomplete => AnsiColor::Yellow,
    };
    color.on_default().bold()
}

/// What the decision means to somebody who wants to merge.
pub(super) fn meaning(report: &Report) -> &'static str {
    let by_mutants = |gate: &&Gate| matches!(gate.name.as_str(), "ratio" | "zero-survivors" | "kill-map");
    let comes_to = |name: &str, decision| report.gates.iter().any(|g| g.name == name && g.decision == decision);
    match report.decision {
        Decision::Pass if report.gates.iter().filter(by_mutants).all(|gate| gate.decision == GateDecision::Vacuous) => {
            "no mutant had to be judged, and nothing else is in the way"
        }
        Decision::Pass => "the patch's own tests notice when the patch is wrong",
        Decision::Vacuous => "there was nothing to judge, and nothing was judged",
        Decision::Block if comes_to("ratio", GateDecision::Block) => {
            "the patch's own tests would not notice if the patch were wrong"
        }
        Decision::Block if comes_to("zero-survivors", GateDecision::Block) => {
            "the tests execute a change and would not notice it"
        }
        Decision::Block => "the patch loosens what the tests can notice",
        Decision::Hold => "a person has to look before this is merged",
        Decision::BaselineRed => "the patch's own tests are not green without any mutant",
        Decision::Incomplete => "the run ended before every mutant had a verdict",
    }
}

/// `33 (31 valid): 1 killed, 14 survived, 16 unexecuted, 2 invalid`; verdicts that nothing has are left out.
pub(super) fn counts(c: &Counts) -> String {
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
    let parts: Vec<String> = of.iter().filter(|(n, _)| *n > 0).map(|(n, verdict)| format!("{n} {verdict}")).collect();
    match parts.is_empty() {
        true => "none".to_owned(),
        false => format!("{} ({} valid): {}", c.total, c.valid, parts.join(", ")),
    }
}

/// `2 in the delta (1 added, 1 modified), 1 toothless`.
fn tests(report: &Report) -> String {
    let delta = &report.tests.delta;
    let changes = [TestChange::Added, TestChange::Modified, TestChange::ModifiedHelper];
    let parts: Vec<String> = changes
        .iter()
        .map(|change| (delta.iter().filter(|t| t.change == *change).count(), change))
        .filter(|(n, _)| *n > 0)
        .map(|(n, change)| format!("{n} {change}"))
        .collect();
    let mut out = format!("{} in the delta", delta.len());
    if !parts.is_empty() {
        out.push_str(&format!(" ({})", parts.join(", ")));
    }
    if !report.tests.toothless.is_empty() {
        out.push_str(&format!(", {} toothless", report.tests.toothless.len()));
    }
    out
}

fn place(m: &Mutant) -> String {
    let change = format!("{} -> {}", text::line(&m.original), text::line(&m.replacement));
    let reason = m.reason.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
    format!("{}:{}:{} {}: {}{reason}", m.file, m.line, m.column, m.operator, text::fit(&change, 60))
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
