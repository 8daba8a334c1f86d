//! `cargo hunkmut tasks`: the jobs that a stored report leaves.

use super::{TaskList, markdown, tasks, text};
use crate::cli::args::{MessageFormat, TasksArgs, no_compiler_messages};
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::report::stdout;
use crate::report::text::line;
use crate::stored::Stored;

/// Prints the tasks of a report. Ends with 0 when there is none, else with 1.
///
/// # Errors
/// When there is no report, or it cannot be read.
pub fn run(args: &TasksArgs) -> Result<Exit> {
    let stored = Stored::read(args.from.as_deref(), &args.cargo)?;
    let source = |file: &str| stored.source(file);
    let found = tasks(&stored.report, &source);
    let out = match args.output.message_format {
        _ if args.markdown => markdown(&stored.report, &source),
        MessageFormat::Human => match text(&stored.report, &source, usize::MAX) {
            empty if empty.is_empty() => "no kill-task: nothing that a test executes is alive\n".to_owned(),
            text => text,
        },
        MessageFormat::Short => found
            .iter()
            .map(|task| {
                let (file, before, after) = (line(&task.file), &task.original, &task.mutant);
                format!("{file}:{}:{}: {}: {before} -> {after} [{}]\n", task.line, task.column, task.operator, task.id)
            })
            .collect(),
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Json => {
            let list = TaskList::of(&stored.report, &source);
            serde_json::to_string_pretty(&list).doing(|| "write the tasks as JSON".into())? + "\n"
        }
    };
    stdout::print(&out, false)?;
    Ok(if found.is_empty() { Exit::Pass } else { Exit::Block })
}
