//! What a case says about its patch, compared with the report.

use super::invariants::{describe, word};
use super::{Problems, Ran};
use cargo_hunkmut::report::model::{Mutant, Report};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The table `[expect]` of a case. What is left out is not looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    pub exit: i32,
    pub decision: String,
    /// All tests of the delta, each with what the patch did to it.
    pub delta: Option<BTreeMap<String, String>>,
    /// All toothless tests.
    pub toothless: Option<Vec<String>>,
    /// Outcomes of some tests without mutants.
    #[serde(default)]
    pub baseline: BTreeMap<String, String>,
    /// How many mutants of a verdict: `3`, `"2.."` or `"1..=4"`.
    #[serde(default)]
    pub counts: BTreeMap<String, Amount>,
    /// What the lines of `file:first-last` are, blank ones apart; `unchanged` when they are in no range.
    #[serde(default)]
    pub lines: BTreeMap<String, String>,
    /// Why a line (`file:line`) has no mutant.
    #[serde(default)]
    pub unmutated: BTreeMap<String, String>,
    /// The workspace's folder in the repository.
    pub workspace: Option<String>,
    /// What the terminal shows, in any case of letters.
    #[serde(default)]
    pub says: Vec<String>,
    /// What the reasons of the gates hold, in any case of letters.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// What the notes hold, each in one of them.
    #[serde(default)]
    pub notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    Exactly(u32),
    Range(String),
}

impl Amount {
    fn holds(&self, count: u32) -> bool {
        let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("`{text}` in an amount"));
        match self {
            Amount::Exactly(wanted) => count == *wanted,
            Amount::Range(text) => match text.split_once("..") {
                Some((low, "")) => count >= number(low),
                Some((low, high)) => (number(low)..=number(high.trim_start_matches('='))).contains(&count),
                None => panic!("`{text}` is no range"),
            },
        }
    }
}

/// One `[[mutant]]` of a case: found by its line and by what it makes of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectMutant {
    #[serde(default = "lib")]
    pub file: String,
    /// Text that only the line has on which the mutant starts.
    pub line: String,
    /// What the mutant's lines have and the original ones have not; spaces don't count.
    pub becomes: Option<String>,
    /// That there is no such mutant.
    #[serde(default)]
    pub none: bool,
    pub verdict: Option<OneOrMore>,
    pub operator: Option<String>,
    pub engine: Option<String>,
    pub killed_by: Option<Vec<String>>,
    /// What its reason holds; `""` for no reason.
    pub reason: Option<String>,
    /// How the first killer failed.
    pub how: Option<String>,
    pub executed_by: Option<Vec<String>>,
    pub historical: Option<String>,
}

fn lib() -> String {
    "src/lib.rs".into()
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn has(&self, word: &str) -> bool {
        match self {
            OneOrMore::One(one) => one == word,
            OneOrMore::More(more) => more.iter().any(|m| m == word),
        }
    }
}

impl Expect {
    pub fn check(&self, report: &Report, ran: &Ran, head: &Path, problems: &mut Problems) {
        problems.same("exit code", ran.code, Some(self.exit));
        problems.same("decision", text(report.decision), self.decision.clone());
        if let Some(wanted) = &self.delta {
            let found = report.tests.delta.iter().map(|t| (t.id.to_string(), text(t.change))).collect();
            problems.same("delta", &found, wanted);
        }
        if let Some(wanted) = &self.toothless {
            problems.same("toothless", names(&report.tests.toothless), wanted.iter().cloned().collect());
        }
        for (test, wanted) in &self.baseline {
            let found = report.tests.baseline.iter().find(|t| t.id.to_string() == *test);
            problems.same(&format!("baseline of {test}"), found.map(|t| text(t.outcome)).as_ref(), Some(wanted));
        }
        let counts = serde_json::to_value(report.counts).unwrap();
        for (name, wanted) in &self.counts {
            let found = counts[name].as_u64().unwrap_or_else(|| panic!("no count is called `{name}`")) as u32;
            problems.expect(wanted.holds(found), || format!("{found} {name}, wanted {wanted:?}"));
        }
        for (lines, kind) in &self.lines {
            self.kind_of_lines(lines, kind, report, head, problems);
        }
        for (place, wanted) in &self.unmutated {
            let found = report.scope.unmutated.iter().find(|u| format!("{}:{}", u.file, u.line) == *place);
            problems.same(&format!("reason at {place}"), found.map(|u| &u.reason), Some(wanted));
        }
        if let Some(wanted) = &self.workspace {
            problems.same("repo.workspace", &report.repo.workspace, wanted);
        }
        let (said, reasons) = (ran.said().to_lowercase(), format!("{:?}", report.gates).to_lowercase());
        for words in &self.says {
            problems.expect(said.contains(&words.to_lowercase()), || format!("nothing says `{words}`"));
        }
        for words in &self.reasons {
            problems.expect(reasons.contains(&words.to_lowercase()), || format!("no gate's reason has `{words}`"));
        }
        for words in &self.notes {
            let noted = report.notes.iter().any(|note| note.contains(words));
            problems.expect(noted, || format!("no note has `{words}`: {:#?}", report.notes));
        }
    }

    fn kind_of_lines(&self, place: &str, wanted: &str, report: &Report, head: &Path, problems: &mut Problems) {
        let (file, lines) = place.rsplit_once(':').expect("file:first-last");
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let text_of = std::fs::read_to_string(head.join(file)).unwrap();
        for line in first.parse::<u32>().unwrap()..=last.parse().unwrap() {
            let blank = text_of.lines().nth(line as usize - 1).is_none_or(|l| l.trim().is_empty());
            let range = report.scope.ranges.iter().find(|r| r.file == file && (r.start..=r.end).contains(&line));
            let found = range.map_or("unchanged".into(), |r| text(r.kind));
            problems.expect(blank || found == wanted, || format!("{file}:{line} is {found}, wanted {wanted}"));
        }
    }
}

impl ExpectMutant {
    pub fn check(&self, report: &Report, head: &Path, problems: &mut Problems) {
        let source =
            std::fs::read_to_string(head.join(&self.file)).unwrap_or_else(|why| panic!("{}: {why}", self.file));
        let mut lines = source.lines().zip(1u32..).filter(|(l, _)| l.contains(&self.line)).map(|(_, n)| n);
        let (Some(line), None) = (lines.next(), lines.next()) else {
            panic!("`{}` is not on exactly one line of {}", self.line, self.file)
        };
        let here: Vec<&Mutant> = report.mutants.iter().filter(|m| m.file == self.file && m.line == line).collect();
        let found = here.iter().filter(|m| {
            self.becomes.as_ref().is_none_or(|wanted| makes(&source, m, wanted))
                && self.verdict.as_ref().is_none_or(|v| v.has(&word(m.verdict)))
                && self.operator.as_ref().is_none_or(|o| *o == m.operator)
                && self.engine.as_ref().is_none_or(|e| *e == text(m.engine))
                && self.reason.as_ref().is_none_or(|wanted| {
                    let found = m.reason.as_deref().unwrap_or_default();
                    found.contains(wanted.as_str()) && found.is_empty() == wanted.is_empty()
                })
                && self.how.as_ref().is_none_or(|how| m.killed_by.first().is_some_and(|k| text(k.how) == *how))
                && self.historical.as_ref().is_none_or(|h| text(m.historical.verdict) == *h)
                && same_names(&self.executed_by, m.executed_by.iter())
                && same_names(&self.killed_by, m.killed_by.iter().map(|k| &k.id))
        });
        if (found.count() > 0) == self.none {
            let list: Vec<_> = here
                .iter()
                .map(|m| {
                    let killers: Vec<_> = m.killed_by.iter().map(|k| format!("{} ({})", k.id, text(k.how))).collect();
                    format!(
                        "{} {} ({}) by {killers:?}, executed by {:?}, historical {}, {}",
                        describe(m),
                        word(m.verdict),
                        text(m.engine),
                        names(&m.executed_by),
                        text(m.historical.verdict),
                        m.reason.as_deref().unwrap_or("no reason given")
                    )
                })
                .collect();
            problems.add(format!("{self:?}\namong those of line {line}:\n{}", list.join("\n")));
        }
    }
}

/// Whether a mutant puts this text into the lines that it touches.
fn makes(source: &str, m: &Mutant, wanted: &str) -> bool {
    let start = source[..m.start_byte].rfind('\n').map_or(0, |at| at + 1);
    let end = source[m.end_byte..].find('\n').map_or(source.len(), |at| m.end_byte + at);
    let mutated = format!("{}{}{}", &source[start..m.start_byte], m.replacement, &source[m.end_byte..end]);
    let wanted = squashed(wanted);
    squashed(&mutated).contains(&wanted) && !squashed(&source[start..end]).contains(&wanted)
}

fn squashed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn same_names<'a>(
    wanted: &Option<Vec<String>>,
    found: impl Iterator<Item = &'a cargo_hunkmut::test_id::TestId>,
) -> bool {
    wanted.as_ref().is_none_or(|wanted| names(found) == wanted.iter().cloned().collect())
}

fn names<'a>(ids: impl IntoIterator<Item = &'a cargo_hunkmut::test_id::TestId>) -> BTreeSet<String> {
    ids.into_iter().map(|id| id.to_string()).collect()
}

/// The word that stands for a value in the report.
pub fn text(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().expect("a word").to_owned()
}
