//! `cargo hunkmut report`: a stored report in another format.

use super::args::ReportArgs;
use crate::compare::beside;
use crate::error::{Context, Result};
use crate::exit::Exit;
use crate::git::{CommitId, Repo};
use crate::report::formats::FormatName;
use crate::report::markdown;
use crate::report::model::Report;
use crate::report::terminal::Options;
use crate::report::{atomic, json, stdout};
use crate::run::session::current_dir;
use std::io::Write;

/// Reads a report and shows it. The sources come from the head's commit, or from the work tree where there is none; a
/// file that is not the version that was mutated is not shown.
///
/// # Errors
/// When the report cannot be read, or the result not be written.
pub fn run(args: &ReportArgs) -> Result<Exit> {
    let report = json::read(&args.from)?;
    let sources = sources(&report);
    let mut options = Options::detect(args.color.into());
    options.verbose = args.verbose;
    options.color &= args.output.is_none();
    let color = options.color;
    let maps = || beside::section(args.from.parent().unwrap_or("".into()), &report);
    let text = match args.format {
        FormatName::Markdown => markdown::body(&report, &sources, &maps()),
        other => other.format(options).render(&report, &sources),
    };
    match &args.output {
        Some(file) => atomic::write(file, text.as_bytes())?,
        None => stdout::print(&text, color)?,
    }
    if args.format == FormatName::Github {
        job_summary(&markdown::body(&report, &sources, &maps()))?;
    }
    Ok(Exit::Pass)
}

/// Inside GitHub Actions the annotations' long form goes where the job's summary is collected.
fn job_summary(text: &str) -> Result<()> {
    let Some(file) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) else { return Ok(()) };
    let append = || std::fs::OpenOptions::new().create(true).append(true).open(&file)?.write_all(text.as_bytes());
    append().doing(|| format!("add to the job summary `{}`", file.to_string_lossy()))
}

/// The head's files, as far as they can be had from here.
pub(super) fn sources(report: &Report) -> impl Fn(&str) -> Option<String> {
    let repo = current_dir().ok().and_then(|dir| Repo::discover(&dir).ok());
    let head = report.repo.head.as_deref().filter(|_| !report.repo.dirty).and_then(CommitId::parse);
    move |file: &str| {
        let repo = repo.as_ref()?;
        let bytes = match &head {
            Some(head) => repo.blob(head, file).ok()??,
            None => std::fs::read(repo.root().join(file)).ok()?,
        };
        String::from_utf8(bytes).ok()
    }
}
