//! The gate `ratio`: do the patch's own tests kill mutants of the patch's own lines?
//!
//! Judges from plain values, so that whoever has the report can redo it. Excused mutants count neither for nor
//! against; timeouts count as kills; the historical suite has no say.

use super::brief;
use super::row::Row;
use crate::report::model::{Counts, Gate, GateDecision, Mutant, Range, RangeKind, Unmutated, Verdict};
use crate::report::text::count;
use crate::test_id::TestId;
use std::collections::{BTreeMap, HashMap};

/// The name of the gate in policy and report.
pub const NAME: &str = "ratio";

/// With fewer valid mutants than this there is too little pressure for a ratio to mean anything.
const ENOUGH: u32 = 5;

/// Reasons for a line without mutants that say: nothing on this line runs.
const INERT: [&str; 4] = ["comment", "import", "blank", "same-tokens"];

/// Reasons for a line without mutants that say: this code runs, but not where it could be judged.
pub(super) const BEYOND_REACH: [&str; 4] = ["cfg-off", "macro-definition", "build-script", "outside-workspace"];

/// The reason for a line of a file that cannot be read as Rust.
pub(super) const UNPARSABLE: &str = "unparsable";

/// The floor for one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Floor {
    /// The path rule that it comes from (`""` for the general floor): all files of one group share one ratio.
    pub group: String,
    /// Whole percent, 0 to 100.
    pub percent: u8,
}

/// All that the gate looks at.
#[derive(Clone, Copy)]
pub struct RatioInput<'a> {
    /// How many tests the delta has.
    pub tests: usize,
    /// Tests of the delta that can kill no mutant; named in the reasons.
    pub toothless: &'a [TestId],
    /// Every mutant in scope.
    pub mutants: &'a [Mutant],
    /// The changed lines of every kind.
    pub ranges: &'a [Range],
    /// Every changed production line without a mutant.
    pub unmutated: &'a [Unmutated],
    /// Whether the production side of the diff only takes lines away.
    pub deletions_only: bool,
    /// Whether the diff changes test code (also by deletion, also without a test in the delta).
    pub test_side_changed: bool,
    /// Whether the cap, an interruption or an error came before every mutant had a verdict.
    pub ended_early: bool,
    /// Which of policy, ledger, freeze file and nextest configuration the patch changes, as paths.
    pub policy_changed: &'a [String],
    /// Whether the patch adds to a `.gitattributes`.
    pub attributes_changed: bool,
    /// Whether a test binary that may hold changed tests could not list them.
    pub unlisted: bool,
    /// The floor for a file, by its path in the repository.
    pub floor: &'a dyn Fn(&str) -> Floor,
}

/// The gate's decision when it needs no verdict of a mutant, and so no build: no production hunk, an empty delta.
///
/// Called with the mutants as planned; `None` means that they have to be run.
pub fn early(input: &RatioInput<'_>) -> Option<Gate> {
    let row = early_row(input)?;
    Some(gate(input, row))
}

/// The gate's decision.
pub fn judge(input: &RatioInput<'_>) -> Gate {
    let row = early_row(input).unwrap_or_else(|| mutants_row(input));
    gate(input, row)
}

fn early_row(input: &RatioInput<'_>) -> Option<Row> {
    let production = input.ranges.iter().any(|r| r.kind == RangeKind::Production);
    let tests_changed = input.tests > 0 || input.test_side_changed;
    if !production {
        return Some(if input.deletions_only {
            Row::DeletionsOnly
        } else if tests_changed {
            Row::TestsOnly
        } else if generated_code(input).next().is_some() {
            Row::CannotBeJudged
        } else {
            Row::NothingToJudge
        });
    }
    match (Code::of(input), input.tests) {
        (Code::Inert, 0) if input.deletions_only => Some(Row::DeletionsOnly),
        (Code::Inert, 0) if input.test_side_changed => Some(Row::TestsOnly),
        (Code::Inert, _) => Some(Row::NothingToJudge),
        (Code::BeyondReach | Code::Judgeable, 0) => Some(Row::NoOracle),
        (Code::BeyondReach, _) => Some(Row::CannotBeJudged),
        (Code::Judgeable, _) => None,
    }
}

/// The row for a patch with production code and tests, by its mutants.
fn mutants_row(input: &RatioInput<'_>) -> Row {
    let counts = counts(input);
    if input.ended_early || counts.unverified > 0 {
        return Row::Unverified;
    }
    match (counts.judged(), counts.dead()) {
        // All excused is no pressure either, but it is not the catalog's fault.
        (0, _) if counts.excused == 0 => Row::NothingUsable,
        (judged, 0) if judged < ENOUGH => Row::FewNoneKilled,
        (_, 0) => Row::NoneKilled,
        (judged, dead) if judged < ENOUGH && dead < judged => Row::FewSomeKilled,
        (judged, _) if judged < ENOUGH => Row::FewAllKilled,
        _ if groups(input).iter().all(|(floor, counts)| meets(*counts, floor.percent)) => Row::FloorMet,
        _ => Row::BelowFloor,
    }
}

/// Rules that allow nothing better than hold, whatever the table says.
fn ceiling(input: &RatioInput<'_>) -> Option<Row> {
    if !input.policy_changed.is_empty() {
        Some(Row::PolicyChanged)
    } else if input.attributes_changed {
        Some(Row::AttributesChanged)
    } else if input.unlisted {
        Some(Row::Unlisted)
    } else if input.unmutated.iter().any(|u| u.reason == UNPARSABLE) {
        Some(Row::Unparsable)
    } else if counts(input).flaky > 0 {
        Some(Row::FlakyMutant)
    } else {
        None
    }
}

fn gate(input: &RatioInput<'_>, table: Row) -> Gate {
    let mut reasons = pressure(input, table);
    let row = match ceiling(input) {
        Some(held) if table.decision() < held.decision() => {
            reasons.insert(0, format!("without that: {table}"));
            held
        }
        _ => table,
    };
    reasons.extend(judge_changed(input));
    reasons.extend(survivors(input, table));
    reasons.extend(toothless(input, table));
    reasons.extend(flaky(input));
    reasons.extend(unjudged(input));
    reasons.extend(mostly_invalid(input.mutants));
    if row.decision() == GateDecision::Pass {
        reasons.push("the whole historical suite still has to run, as a separate job".to_owned());
    }
    Gate { name: NAME.to_owned(), decision: row.decision(), rule: row.to_string(), reasons }
}

/// The numbers that the row rests on.
fn pressure(input: &RatioInput<'_>, row: Row) -> Vec<String> {
    let counts = counts(input);
    match row {
        Row::NothingToJudge => {
            let other = input.ranges.iter().filter(|r| r.kind == RangeKind::Other).map(|r| r.file.as_str());
            let mut reasons = Vec::new();
            if let Some(files) = names(other) {
                reasons.push(format!("changed besides, and not code that can be mutated: {files}"));
            }
            if input.tests > 0 {
                let tests = count(input.tests, "test");
                reasons.push(format!("{tests} changed with it: only a kill map can tell what that is worth"));
            }
            reasons
        }
        Row::CannotBeJudged => match names(generated_code(input)) {
            Some(files) => vec![format!("generated code changed, which is never mutated: {files}")],
            None => Vec::new(),
        },
        Row::TestsOnly | Row::DeletionsOnly => Vec::new(),
        Row::NoOracle => match counts.total {
            0 => Vec::new(),
            n => vec![format!("{} on the changed lines, and no test to notice them", count(n as usize, "mutant"))],
        },
        Row::Unverified if counts.total == 0 => vec!["the run ended before there were mutants".to_owned()],
        Row::Unverified => {
            vec![format!("{} of {} have no verdict", counts.unverified, count(counts.total as usize, "mutant"))]
        }
        Row::NothingUsable => match counts.total {
            0 => vec!["the catalog has no mutant for the changed lines".to_owned()],
            n => vec![format!("{}, none of them valid", count(n as usize, "mutant"))],
        },
        _ => ratios(input),
    }
}

/// One sentence for each floor that has to be met.
fn ratios(input: &RatioInput<'_>) -> Vec<String> {
    let all = counts(input);
    if all.judged() == 0 {
        return vec![format!("{} excused, which leaves none to judge", count(all.excused as usize, "mutant"))];
    }
    groups(input)
        .into_iter()
        .filter_map(|(floor, counts)| {
            let place = if floor.group.is_empty() { String::new() } else { format!(" in `{}`", floor.group) };
            let ratio = counts.percent()?;
            let valid = count(counts.judged() as usize, "valid mutant");
            let dead = counts.dead();
            Some(format!("kill ratio{place} {ratio} ({dead} of {valid}), floor {} %", floor.percent))
        })
        .collect()
}

fn judge_changed(input: &RatioInput<'_>) -> Vec<String> {
    let mut reasons = Vec::new();
    if !input.policy_changed.is_empty() {
        let files = brief(input.policy_changed.iter().cloned());
        reasons.push(format!("policy: the patch changes {files}; it is judged without that change, and held at best"));
    }
    if input.attributes_changed {
        reasons.push("the patch adds to .gitattributes; what it adds hides nothing here".to_owned());
    }
    if input.unlisted {
        reasons.push("a test binary that may hold changed tests cannot list them; it is named in the notes".to_owned());
    }
    reasons
}

fn survivors(input: &RatioInput<'_>, row: Row) -> Option<String> {
    let alive = |m: &&Mutant| matches!(m.verdict, Verdict::Survived | Verdict::Unexecuted);
    let alive: Vec<&Mutant> = input.mutants.iter().filter(alive).collect();
    if alive.is_empty() || row == Row::NoOracle {
        return None;
    }
    let unexecuted = alive.iter().filter(|m| m.verdict == Verdict::Unexecuted).count();
    let unseen = if unexecuted == 0 { String::new() } else { format!(" ({unexecuted} never executed)") };
    let places = brief(alive.iter().map(|m| format!("{}:{} {}", m.file, m.line, m.operator)));
    Some(format!("{} alive{unseen}: {places}", count(alive.len(), "mutant")))
}

fn toothless(input: &RatioInput<'_>, row: Row) -> Option<String> {
    if input.toothless.is_empty() || row == Row::Unverified {
        return None;
    }
    let verb = if input.toothless.len() == 1 { "kills" } else { "kill" };
    let tests = brief(input.toothless.iter().map(|t| format!("`{t}`")));
    Some(format!("{} of the patch {verb} no mutant: {tests}", count(input.toothless.len(), "test")))
}

fn flaky(input: &RatioInput<'_>) -> Option<String> {
    let flaky: Vec<&Mutant> = input.mutants.iter().filter(|m| m.verdict == Verdict::Flaky).collect();
    let places = brief(flaky.iter().map(|m| format!("{}:{} {}", m.file, m.line, m.operator)));
    (!flaky.is_empty()).then(|| format!("{} did not reproduce: {places}", count(flaky.len(), "outcome")))
}

/// Which changed production lines nothing can be said about.
fn unjudged(input: &RatioInput<'_>) -> Option<String> {
    let mut by_reason: BTreeMap<&str, Vec<&Unmutated>> = BTreeMap::new();
    for u in input.unmutated {
        if BEYOND_REACH.contains(&u.reason.as_str()) || u.reason == UNPARSABLE {
            by_reason.entry(u.reason.as_str()).or_default().push(u);
        }
    }
    if by_reason.is_empty() {
        return None;
    }
    let kinds = by_reason.iter().map(|(reason, lines)| {
        let at = lines.first().map(|u| format!(" from {}:{}", u.file, u.line)).unwrap_or_default();
        format!("{} {reason}{at}", count(lines.len(), "line"))
    });
    Some(format!("changed production code not judged: {}", kinds.collect::<Vec<_>>().join(", ")))
}

/// The warning that more than a third of the mutants are invalid. Hunks put back one by one are told apart: those that
/// need each other are no fault of anything.
pub fn mostly_invalid(mutants: &[Mutant]) -> Option<String> {
    let invalid: Vec<&Mutant> = mutants.iter().filter(|m| m.verdict == Verdict::Invalid).collect();
    let hunks = invalid.iter().filter(|m| m.operator == "revert_hunk").count();
    let (all, total) = (invalid.len(), mutants.len());
    if all * 3 <= total {
        return None;
    }
    let single = match hunks {
        0 => String::new(),
        n if n == all => format!(" (all {all} put one hunk of the patch back, which may need others)"),
        n => format!(" ({n} of them put one hunk of the patch back, which may need others)"),
    };
    Some(format!("{all} of {total} mutants are invalid: fix collection before lowering the floor{single}"))
}

fn counts(input: &RatioInput<'_>) -> Counts {
    Counts::of(input.mutants.iter().map(|m| m.verdict))
}

/// The mutants counted by the floor that their file has to meet.
fn groups(input: &RatioInput<'_>) -> BTreeMap<Floor, Counts> {
    let mut verdicts: BTreeMap<Floor, Vec<Verdict>> = BTreeMap::new();
    for m in input.mutants {
        verdicts.entry((input.floor)(&m.file)).or_default().push(m.verdict);
    }
    verdicts.into_iter().map(|(floor, verdicts)| (floor, Counts::of(verdicts))).collect()
}

/// In whole numbers, so that 20 % of 5 is met by exactly 1. Nothing to judge meets any floor.
fn meets(counts: Counts, percent: u8) -> bool {
    u64::from(counts.dead()) * 100 >= u64::from(counts.judged()) * u64::from(percent)
}

/// Changed generated Rust files.
fn generated_code<'a>(input: &RatioInput<'a>) -> impl Iterator<Item = &'a str> {
    let generated = |r: &&Range| r.kind == RangeKind::Generated && r.file.ends_with(".rs");
    input.ranges.iter().filter(generated).map(|r| r.file.as_str())
}

fn names<'a>(files: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut files: Vec<String> = files.map(str::to_owned).collect();
    files.sort();
    files.dedup();
    (!files.is_empty()).then(|| brief(files))
}

/// What the changed production lines are, taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Nothing on them runs.
    Inert,
    /// All that runs is out of reach.
    BeyondReach,
    /// There is code that mutants should stand on.
    Judgeable,
}

impl Code {
    /// A line that nobody accounted for is taken for code: a gap in the report must not read as a comment.
    fn of(input: &RatioInput<'_>) -> Code {
        if !input.mutants.is_empty() {
            return Code::Judgeable;
        }
        let mut why: HashMap<(&str, u32), Code> = HashMap::new();
        for u in input.unmutated {
            let code = match u.reason.as_str() {
                reason if INERT.contains(&reason) => Code::Inert,
                reason if BEYOND_REACH.contains(&reason) => Code::BeyondReach,
                _ => Code::Judgeable,
            };
            let slot = why.entry((&u.file, u.line)).or_insert(code);
            *slot = slot.or_rather(code);
        }
        let lines = input.ranges.iter().filter(|r| r.kind == RangeKind::Production);
        let mut all = Code::Inert;
        for (file, line) in lines.flat_map(|r| (r.start..=r.end).map(|line| (r.file.as_str(), line))) {
            all = all.or_rather(why.get(&(file, line)).copied().unwrap_or(Code::Judgeable));
        }
        all
    }

    /// The one of the two that weighs more.
    fn or_rather(self, other: Code) -> Code {
        match (self, other) {
            (Code::Judgeable, _) | (_, Code::Judgeable) => Code::Judgeable,
            (Code::BeyondReach, _) | (_, Code::BeyondReach) => Code::BeyondReach,
            (Code::Inert, Code::Inert) => Code::Inert,
        }
    }
}

#[cfg(test)]
#[path = "ratio_tests.rs"]
mod tests;
