//! `cargo hunkmut list`: the mutants of a patch, before anything is built.

use super::args::{ListArgs, MessageFormat, no_compiler_messages};
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::report::stdout;
use crate::run::session::Session;
use serde_json::json;

/// Prints one line for each mutant, and with `--why` one for each changed production line without.
///
/// # Errors
/// Usage, git and manifest errors.
pub fn run(args: &ListArgs) -> Result<Exit> {
    let session = Session::open(&args.patch, &args.cargo)?;
    let mut rows = Vec::new();
    for mutant in &session.plan.mutants {
        let file = &session.scope.files[mutant.file];
        let Some(source) = &file.source else { continue };
        let span = &mutant.proposal.span;
        let at = source.lines.line_column(span.start);
        let original = &source.text[span.clone()];
        rows.push((file.path.as_str(), at, mutant, original));
    }
    let text = match args.output.message_format {
        MessageFormat::Json => {
            let mutants: Vec<_> = rows
                .iter()
                .map(|(file, at, mutant, original)| {
                    json!({
                        "id": mutant.id, "operator": mutant.proposal.operator.name, "file": file,
                        "function": mutant.function, "line": at.line, "column": at.column,
                        "start_byte": mutant.proposal.span.start, "end_byte": mutant.proposal.span.end,
                        "original": original, "replacement": mutant.proposal.replacement,
                    })
                })
                .collect();
            let list = json!({ "mutants": mutants, "unmutated": session.plan.unmutated });
            serde_json::to_string_pretty(&list).doing(|| "write the list as JSON".into())? + "\n"
        }
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Human | MessageFormat::Short => {
            let mut text = String::new();
            for (file, at, mutant, original) in rows {
                let (from, to) = (one_line(original), one_line(&mutant.proposal.replacement));
                let to = if to.is_empty() { "(nothing)".to_owned() } else { to };
                let operator = mutant.proposal.operator.name;
                text += &format!("{file}:{}:{}: {operator}: {from} -> {to} [{}]\n", at.line, at.column, mutant.id);
            }
            if args.why {
                for line in &session.plan.unmutated {
                    text += &format!("{}:{}: no mutant: {}\n", line.file, line.line, line.reason);
                }
            }
            text
        }
    };
    stdout::print(&text, false)?;
    Ok(Exit::Pass)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
