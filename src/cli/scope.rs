//! `cargo hunkmut scope`: the changed line ranges, one for each hunk.

use super::args::{MessageFormat, ScopeArgs, no_compiler_messages};
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::report::stdout;
use crate::run::session::Session;

/// Prints `path:start-end` for every hunk with lines on the head side.
///
/// # Errors
/// Usage, git and manifest errors.
pub fn run(args: &ScopeArgs) -> Result<Exit> {
    let session = Session::open(&args.patch, &args.cargo)?;
    let ranges = session.scope.ranges(&session.workspace);
    let mut text = String::new();
    match args.output.message_format {
        MessageFormat::Json => {
            let scope =
                crate::report::model::Scope { ranges: ranges.clone(), unmutated: session.plan.unmutated.clone() };
            text = serde_json::to_string_pretty(&scope).doing(|| "write the scope as JSON".into())? + "\n";
        }
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Human | MessageFormat::Short if args.output.verbose => {
            for range in &ranges {
                let kind = serde_json::to_value(range.kind).doing(|| "name a kind of lines".into())?;
                let kind = kind.as_str().unwrap_or_default().to_owned();
                text += &format!("{}:{}-{}\t{kind}\n", range.file, range.start, range.end);
            }
        }
        MessageFormat::Human | MessageFormat::Short => {
            for file in &session.scope.files {
                for hunk in file.hunks.iter().filter(|hunk| !hunk.is_pure_deletion()) {
                    text += &format!("{}:{}-{}\n", file.path, hunk.new_start, hunk.new_range().end - 1);
                }
            }
        }
    }
    stdout::print(&text, false)?;
    Ok(if ranges.is_empty() { Exit::Block } else { Exit::Pass })
}
