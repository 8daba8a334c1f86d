//! Kill-tasks for people: one block each, the same everywhere, so that it can be pasted and searched for.

use super::{Task, tasks, uncovered};
use crate::gate::zero_survivors;
use crate::report::Sources;
use crate::report::model::Report;
use crate::report::text::{count, fit, line};

/// The widest source line of a block.
const SOURCE: usize = 160;

/// Whether a report was asked for survivors as tasks.
pub fn asked(report: &Report) -> bool {
    report.gates.iter().any(|gate| gate.name == zero_survivors::NAME)
}

/// At most `most` tasks as blocks, and after them the mutants that no test executes.
pub fn text(report: &Report, sources: &Sources<'_>, most: usize) -> String {
    let tasks = tasks(report, sources);
    let mut out: String = tasks.iter().take(most).map(|task| block(task) + "\n").collect();
    if tasks.len() > most {
        out.push_str(&format!("… and {} more: `cargo hunkmut tasks`\n\n", tasks.len() - most));
    }
    let uncovered = uncovered(report);
    if !uncovered.is_empty() {
        out.push_str(&format!(
            "uncovered: {} on lines that no test is known to execute\n",
            count(uncovered.len(), "mutant")
        ));
        for mutant in uncovered.iter().take(most) {
            let file = line(&mutant.file);
            out.push_str(&format!("  {file}:{}:{}  {}  {}\n", mutant.line, mutant.column, mutant.operator, mutant.id));
        }
        if uncovered.len() > most {
            out.push_str(&format!("  … and {} more\n", uncovered.len() - most));
        }
        out.push('\n');
    }
    out
}

/// One task.
pub fn block(task: &Task) -> String {
    let reached = task.reached(|test| line(&test.name));
    let rows = [
        ("operator", task.operator.clone()),
        ("original", fit(&task.original, SOURCE)),
        ("mutant", crate::report::text::changed(&task.original, &task.mutant, SOURCE)),
        ("reached by", reached),
        ("task", task.task.clone()),
        ("proof", task.proof.clone()),
    ];
    let function = line(&task.function);
    let head = format!("KILL-TASK  {}:{}:{}  {function}  {}\n", line(&task.file), task.line, task.column, task.id);
    rows.iter().fold(head, |out, (name, value)| out + &format!("  {name:<10} {value}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::test_id::TestId;

    #[test]
    fn a_block_has_exactly_the_documented_form() {
        let mut task = tasks(&sample::report(), &sample::sources).remove(0);
        task.file = "src/pricing.rs".into();
        (task.line, task.column) = (41, 8);
        task.function = "pricing::bulk_price".into();
        task.id = "m-3f9a1c".into();
        task.proof = "cargo hunkmut rerun m-3f9a1c".into();
        task.original = "if qty >= bulk_min".into();
        task.mutant = "if qty > bulk_min".into();
        task.reached_by = Some(TestId::new("shop", "pricing::tests::bulk_discount"));
        task.reached_by_others = 0;
        let expected = "\
KILL-TASK  src/pricing.rs:41:8  pricing::bulk_price  m-3f9a1c
  operator   relational
  original   if qty >= bulk_min
  mutant     if qty > bulk_min
  reached by pricing::tests::bulk_discount
  task       write a test that fails on this exact change
  proof      cargo hunkmut rerun m-3f9a1c
";
        assert_eq!(block(&task), expected);
    }

    #[test]
    fn many_tasks_are_cut_with_a_count_and_uncovered_mutants_stand_apart() {
        let report = sample::report();
        let shown = text(&report, &sample::sources, 2);
        assert_eq!(shown.matches("KILL-TASK").count(), 2);
        assert!(shown.contains("… and 3 more: `cargo hunkmut tasks`"), "{shown}");
        assert!(shown.contains("uncovered: 3 mutants"), "{shown}");
        assert_eq!(
            text(&report, &sample::sources, usize::MAX).matches("KILL-TASK").count(),
            tasks(&report, &sample::sources).len()
        );
    }
}
