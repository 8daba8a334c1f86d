//! Kill-tasks: each survivor as one concrete job that can be shown to be done.
//!
//! A task names the exact change, the test that comes nearest to noticing it, and the one command that proves that the
//! new test does. Nothing here writes a test: that is for a person, or a tool that a person watches.

mod command;
mod markdown;
mod terminal;

pub use command::run;
pub use markdown::markdown;
pub use terminal::{asked, text};

use crate::gate::zero_survivors::Standing;
use crate::report::Sources;
use crate::report::excerpt::Excerpt;
use crate::report::model::{HistoricalVerdict, Mutant, Report, Verdict};
use crate::report::text::line;
use crate::test_id::TestId;
use serde::Serialize;
use std::collections::HashMap;

/// What is asked of whoever takes a task.
const TASK: &str = "write a test that fails on this exact change";

/// One survivor as a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Task {
    /// The mutant's ID.
    pub id: String,
    /// Path in the repository.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// The enclosing item.
    pub function: String,
    /// The kind of change.
    pub operator: String,
    /// The source around the change on one line, as it is.
    pub original: String,
    /// The same line with the change.
    pub mutant: String,
    /// Bytes of the replaced text in the head's file, and what stands there instead.
    pub change: Change,
    /// The test that comes nearest: it executes the change and passes.
    pub reached_by: Option<TestId>,
    /// How many other tests of the patch execute it too.
    pub reached_by_others: usize,
    /// Whether historical tests execute it and pass.
    pub reached_by_historical: bool,
    /// What kind of input tells the two apart, where the change itself says so.
    pub hint: Option<String>,
    /// What is asked.
    pub task: String,
    /// The command that proves it.
    pub proof: String,
}

/// The exact bytes of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    /// First byte of the replaced text.
    pub start_byte: usize,
    /// Byte after it.
    pub end_byte: usize,
    /// The replaced text.
    pub original: String,
    /// What stands there instead.
    pub replacement: String,
}

/// The name of the document's format; grows with every change that a reader has to know of.
pub const SCHEMA: &str = "hunkmut-tasks/1";

/// All tasks of a report, as `--message-format json` prints them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TaskList {
    /// `hunkmut-tasks/1`.
    pub schema: String,
    /// The commit that the patch starts from.
    pub base: String,
    /// One for each survivor, in the report's order.
    pub tasks: Vec<Task>,
}

impl TaskList {
    /// The tasks of a report.
    pub fn of(report: &Report, sources: &Sources<'_>) -> TaskList {
        TaskList { schema: SCHEMA.to_owned(), base: report.repo.base.clone(), tasks: tasks(report, sources) }
    }
}

/// The survivors of a report as tasks, in its order: what a test executes and none notices.
pub fn tasks(report: &Report, sources: &Sources<'_>) -> Vec<Task> {
    let sources = &crate::report::cached(sources);
    let kills = kills(report);
    let alive = report.mutants.iter().filter(|mutant| Standing::of(mutant) == Standing::Alive);
    alive.map(|mutant| task(mutant, sources, &kills)).collect()
}

/// The mutants that no test is known to execute: no task before there is a test at all.
pub fn uncovered(report: &Report) -> Vec<&Mutant> {
    let uncovered = |mutant: &&Mutant| matches!(Standing::of(mutant), Standing::Uncovered | Standing::Unknown);
    report.mutants.iter().filter(uncovered).collect()
}

/// How many mutants of each function a test kills.
fn kills(report: &Report) -> HashMap<(&str, &TestId), usize> {
    let mut kills = HashMap::new();
    for mutant in &report.mutants {
        for killer in &mutant.killed_by {
            *kills.entry((mutant.function.as_str(), &killer.id)).or_default() += 1;
        }
    }
    kills
}

fn task(mutant: &Mutant, sources: &Sources<'_>, kills: &HashMap<(&str, &TestId), usize>) -> Task {
    let excerpt = sources(&mutant.file).and_then(|source| Excerpt::of(mutant, &source));
    let (original, changed) = match &excerpt {
        Some(excerpt) => (shown(&excerpt.text), shown(&excerpt.mutated(&mutant.replacement))),
        None => (shown(&mutant.original), shown(&mutant.replacement)),
    };
    // Who kills others of the same function already is closest to the subject; among equals the first that is known.
    let near = |test: &TestId| kills.get(&(mutant.function.as_str(), test)).copied().unwrap_or(0);
    let mut reached_by: Option<&TestId> = None;
    for test in &mutant.executed_by {
        if reached_by.is_none_or(|best| near(test) > near(best)) {
            reached_by = Some(test);
        }
    }
    Task {
        id: mutant.id.clone(),
        file: mutant.file.clone(),
        line: mutant.line,
        column: mutant.column,
        function: mutant.function.clone(),
        operator: mutant.operator.clone(),
        original,
        mutant: changed,
        change: Change {
            start_byte: mutant.start_byte,
            end_byte: mutant.end_byte,
            original: mutant.original.clone(),
            replacement: mutant.replacement.clone(),
        },
        reached_by: reached_by.cloned(),
        reached_by_others: mutant.executed_by.len().saturating_sub(1),
        reached_by_historical: mutant.historical.verdict == HistoricalVerdict::Survived,
        hint: hint(mutant),
        task: TASK.to_owned(),
        proof: format!("cargo hunkmut rerun {}", mutant.id),
    }
}

impl Task {
    /// Who reaches the change, in words; `name` shows a test's name.
    fn reached(&self, name: impl Fn(&TestId) -> String) -> String {
        match (&self.reached_by, self.reached_by_others) {
            (Some(test), 0) => name(test),
            (Some(test), others) => format!("{} and {others} more", name(test)),
            (None, _) if self.reached_by_historical => "a historical test".to_owned(),
            // Compiled alone: nothing tells which tests execute it.
            (None, _) => "not traced".to_owned(),
        }
    }
}

/// Source on one line, without the brace that opens a block.
fn shown(text: &str) -> String {
    let text = line(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.strip_suffix('{').map_or(text.as_str(), str::trim_end);
    if text.is_empty() { "(deleted)".to_owned() } else { text.to_owned() }
}

/// A survivor that was executed tells something about the values that were there: had the two sides of a comparison
/// been such that the operators differ, the branch would have gone the other way.
fn hint(mutant: &Mutant) -> Option<String> {
    if mutant.verdict != Verdict::Survived && mutant.historical.verdict != HistoricalVerdict::Survived {
        return None;
    }
    let (left, from, right) = comparison(&mutant.original)?;
    let (left_after, to, right_after) = comparison(&mutant.replacement)?;
    if (left, right) != (left_after, right_after) {
        return None;
    }
    let told_apart = match (from, to) {
        ("<", "<=") | ("<=", "<") | (">", ">=") | (">=", ">") => "==",
        ("==", "<=") | ("!=", ">") => "<",
        ("==", ">=") | ("!=", "<") => ">",
        _ => return None,
    };
    Some(format!(
        "only `{left} {told_apart} {right}` tells the two apart: no test reached it, or none looks at what follows"
    ))
}

/// A comparison of two operands, when the text is just that.
fn comparison(text: &str) -> Option<(&str, &str, &str)> {
    let found = [" <= ", " >= ", " == ", " != ", " < ", " > "].into_iter().find(|operator| text.contains(operator))?;
    let (left, right) = text.split_once(found)?;
    let plain = |side: &str| !side.contains("&&") && !side.contains("||") && !side.contains('\n');
    (plain(left) && plain(right)).then(|| (left.trim(), found.trim(), right.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn all() -> Vec<Task> {
        tasks(&sample::report(), &sample::sources)
    }

    #[test]
    fn a_task_shows_the_line_before_and_after_without_its_brace() {
        let task = &all()[0];
        assert_eq!(task.original, "if qty >= bulk_min && qty > 0");
        assert_eq!(task.mutant, "if qty > bulk_min && qty > 0");
        assert_eq!((task.line, task.column), (5, 8));
        assert_eq!(task.proof, format!("cargo hunkmut rerun {}", task.id));
    }

    #[test]
    fn what_is_dead_excused_or_never_executed_is_no_task() {
        let report = sample::report();
        let ids: Vec<_> = all().into_iter().map(|task| task.id).collect();
        let alive = report
            .mutants
            .iter()
            .filter(|m| m.verdict == Verdict::Survived && m.historical.verdict != HistoricalVerdict::Killed);
        assert_eq!(ids, alive.map(|m| m.id.clone()).collect::<Vec<_>>());
        assert_eq!(uncovered(&report).len(), 3);
    }

    #[test]
    fn the_nearest_test_is_the_one_that_kills_others_of_the_function() {
        let mut report = sample::report();
        let near = sample::test("two");
        report.mutants.iter_mut().flat_map(|m| &mut m.killed_by).for_each(|killer| killer.id = near.clone());
        let task = &tasks(&report, &sample::sources)[0];
        assert_eq!((task.reached_by.as_ref(), task.reached_by_others), (Some(&near), 4));
    }

    #[test]
    fn a_boundary_says_which_values_are_missing() {
        let hints: Vec<_> = all().into_iter().map(|task| task.hint).collect();
        assert!(hints[0].as_ref().unwrap().contains("`qty == bulk_min`"), "{hints:?}");
        assert!(hints.iter().any(Option::is_none));
        assert_eq!(comparison("a && b < c"), None);
    }

    #[test]
    fn a_source_that_is_gone_leaves_the_replaced_text() {
        let task = all().into_iter().find(|task| task.file == "src/gone.rs").unwrap();
        assert_eq!((task.original.as_str(), task.mutant.as_str()), ("a && b", "a || b"));
    }
}
