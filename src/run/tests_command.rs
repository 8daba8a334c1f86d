//! `cargo hunkmut tests`: the test delta, with the reason for each.

use super::session::Session;
use super::stage::Stage;
use super::tools::{Lock, Lockfile, Tools};
use super::{progress::Progress, test_delta};
use crate::cli::args::{MessageFormat, TestsArgs, no_compiler_messages};
use crate::delta::{Delta, DeltaEntry};
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::report::stdout;
use crate::runner;
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Prints the tests that the patch added or changed. Builds the test targets that may hold them, as cargo would.
///
/// # Errors
/// Usage, git, manifest and build errors.
pub fn run(args: &TestsArgs) -> Result<Exit> {
    if args.output.message_format == MessageFormat::CargoJson {
        // Before anything is built for it.
        return Err(no_compiler_messages());
    }
    let session = Session::open(&args.patch, &args.cargo)?;
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let delta = delta(&session, &progress)?;
    stdout::print(&rendered(&delta, args.output.message_format)?, false)?;
    Ok(Exit::Pass)
}

fn delta(session: &Session, progress: &Progress) -> Result<Delta> {
    let candidates = test_delta::find(session);
    if candidates.is_empty() {
        return Ok(Delta::default());
    }
    crate::git::mark_as_cache(&session.hunkmut_dir)?;
    let _lock = Lock::take(&session.hunkmut_dir, || {
        progress.status("Blocking", "another run in this workspace has to end first");
    })?;
    let _lockfile = Lockfile::watch(session);
    let targets: BTreeSet<(usize, usize)> = candidates.targets().collect();
    let tools = Tools::find(session, Arc::default())?;
    let builder = tools.builder(session, &targets);
    progress.status("Building", "the tests that may have changed");
    let messages = builder.build_plain()?;
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get());
    let stage = Stage::prepare(session, jobs, &tools.ending)?;
    let built = stage.built(session, &messages);
    let listing = runner::list(stage.context(), &built, jobs);
    test_delta::resolve(session, &candidates, &builder, &listing)
}

fn rendered(delta: &Delta, format: MessageFormat) -> Result<String> {
    let change = |entry: &DeltaEntry| entry.test.change.to_string();
    Ok(match format {
        MessageFormat::Json => {
            let rows = |entries: &[DeltaEntry]| -> Vec<serde_json::Value> {
                let row = |entry: &DeltaEntry| {
                    json!({
                        "binary_id": entry.test.id.binary_id, "name": entry.test.id.name, "change": change(entry),
                        "file": entry.test.file, "line": entry.test.line, "why": entry.why,
                    })
                };
                entries.iter().map(row).collect()
            };
            let all = json!({ "delta": rows(&delta.tests), "ignored": rows(&delta.ignored), "notes": delta.notes });
            serde_json::to_string_pretty(&all).doing(|| "write the tests as JSON".into())? + "\n"
        }
        MessageFormat::Short => {
            delta.tests.iter().map(|e| format!("{}\t{}\t{}\n", e.test.id, change(e), e.why)).collect()
        }
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Human => human(delta),
    })
}

fn human(delta: &Delta) -> String {
    let mut text = String::new();
    for entry in &delta.tests {
        let place = match (&entry.test.file, entry.test.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            (Some(file), None) => format!(" ({file})"),
            _ => String::new(),
        };
        text += &format!("{}\n    {}: {}{place}\n", entry.test.id, entry.test.change, entry.why);
    }
    for entry in &delta.ignored {
        text += &format!("{}\n    not counted: `#[ignore]`d ({})\n", entry.test.id, entry.why);
    }
    delta.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    if delta.tests.is_empty() {
        text += "no test was added or changed\n";
    }
    if !delta.doctests.is_empty() {
        let places: Vec<String> = delta.doctests.iter().map(|(file, line)| format!("{file}:{line}")).collect();
        text += &format!("documentation tests are not counted: {}\n", places.join(", "));
    }
    text
}
