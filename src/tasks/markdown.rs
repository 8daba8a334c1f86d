//! Kill-tasks as a Markdown check list, for an issue or the body of a pull request.

use super::{tasks, uncovered};
use crate::report::Sources;
use crate::report::model::Report;
use crate::report::quote::{code, fence};
use crate::report::text::{count, line};

/// All tasks, each with its change as a diff and its proof.
pub fn markdown(report: &Report, sources: &Sources<'_>) -> String {
    let tasks = tasks(report, sources);
    let mut out = format!("## {}\n\n", count(tasks.len(), "kill-task"));
    for task in &tasks {
        let place = code(&format!("{}:{}:{}", line(&task.file), task.line, task.column));
        out.push_str(&format!("- [ ] **KILL-TASK** {place} {} {}\n\n", code(&line(&task.function)), code(&task.id)));
        let mut body = fence("diff", &format!("-{}\n+{}", task.original, task.mutant));
        let reached = task.reached(|test| code(&line(&test.name)));
        body.push_str(&format!("\n{} ({}), reached by {reached}\n", task.task, code(&task.operator)));
        if let Some(hint) = &task.hint {
            body.push_str(&format!("\n{}\n", line(hint)));
        }
        body.push_str(&format!("\nproof: {}\n", code(&task.proof)));
        body.lines().for_each(|line| {
            out.push_str(&if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") });
        });
        out.push('\n');
    }
    let uncovered = uncovered(report);
    if !uncovered.is_empty() {
        out.push_str(&format!("### {} that no test is known to execute\n\n", count(uncovered.len(), "mutant")));
        for mutant in uncovered {
            let place = code(&format!("{}:{}:{}", line(&mutant.file), mutant.line, mutant.column));
            out.push_str(&format!("- {place} {} {}\n", code(&mutant.operator), code(&mutant.id)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn every_task_is_an_item_with_a_diff_and_its_proof() {
        let report = sample::report();
        let text = markdown(&report, &sample::sources);
        let tasks = tasks(&report, &sample::sources);
        assert_eq!(text.matches("- [ ] **KILL-TASK**").count(), tasks.len());
        assert!(text.contains("  -if qty >= bulk_min && qty > 0\n  +if qty > bulk_min && qty > 0\n"), "{text}");
        assert!(tasks.iter().all(|task| text.contains(&format!("proof: `{}`", task.proof))));
    }
}
