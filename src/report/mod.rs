//! What a run leaves behind: the report's types and one file per output format.
//!
//! A format is a pure function from the report and the sources to text, so that every one of them can be looked
//! at in a test, and so that a stored `report.json` can be shown again in any of them.

pub mod atomic;
pub mod cargo_json;
pub mod diagnostic;
pub mod excerpt;
pub mod finding;
pub mod formats;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod model;
pub mod quote;
#[cfg(test)]
pub(crate) mod sample;
pub mod sarif;
#[cfg(test)]
mod schemas;
pub mod short;
pub mod stdout;
pub mod stryker;
pub mod terminal;
pub mod text;
#[cfg(test)]
pub mod validate;

use crate::compare::beside;
use crate::error::Result;
use camino::Utf8Path;
use formats::FormatName;
use model::{Mutant, Report};
use std::cell::RefCell;
use std::collections::HashMap;

/// The head version of a file by its path in the repository; `None` when it is gone or not text.
///
/// The report holds only the replaced text; whoever shows its surroundings asks here.
pub type Sources<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// One way to show a report.
pub trait Format {
    /// What `--format` and `--message-format` call it.
    fn name(&self) -> &'static str;

    /// The whole text, ending in a newline.
    fn render(&self, report: &Report, sources: &Sources<'_>) -> String;
}

/// Writes `report.json`, `report.md` and the other formats asked for into `dir`, the one that cannot be made again from
/// the others first. Kill maps that lie there stand in `report.md`.
///
/// # Errors
/// See [`atomic::write`].
pub fn write(dir: &Utf8Path, report: &Report, sources: &Sources<'_>, others: &[FormatName]) -> Result<()> {
    json::write(&dir.join(FormatName::Json.file_name()), report)?;
    let page = markdown::body(report, sources, &beside::section(dir, report));
    atomic::write(&dir.join(FormatName::Markdown.file_name()), page.as_bytes())?;
    let is_written = |name: &&FormatName| [FormatName::Json, FormatName::Markdown].contains(*name);
    for name in others.iter().filter(|name| !is_written(name)) {
        let options = terminal::Options { width: 100, verbose: true, ..Default::default() };
        atomic::write(&dir.join(name.file_name()), name.format(options).render(report, sources).as_bytes())?;
    }
    Ok(())
}

/// A JSON value as text for people, ending in a newline.
fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

/// The source of a file when it is the version in which all of these mutants stand.
fn matching(sources: &Sources<'_>, file: &str, mutants: &[&Mutant]) -> Option<String> {
    let source = sources(file)?;
    let same = |m: &&Mutant| source.get(m.start_byte..m.end_byte) == Some(m.original.as_str());
    mutants.iter().all(same).then_some(source)
}

/// The same sources, each asked for once: a file has many survivors.
pub fn cached<'a>(sources: &'a Sources<'_>) -> impl Fn(&str) -> Option<String> + 'a {
    let known: RefCell<HashMap<String, Option<String>>> = RefCell::default();
    move |file| known.borrow_mut().entry(file.to_owned()).or_insert_with(|| sources(file)).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_reports_are_written_and_the_json_can_be_read_back() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(scratch.path()).unwrap().join("new");
        let report = sample::report();
        write(&dir, &report, &sample::sources, &[FormatName::Html]).unwrap();
        assert_eq!(json::read(&dir.join("report.json")).unwrap(), report);
        assert!(dir.join("report.html").exists());
        assert!(atomic::read(&dir.join("report.md")).unwrap().starts_with("## cargo hunkmut: hold"));
    }

    #[test]
    fn a_source_is_asked_for_once() {
        let asked = RefCell::new(0);
        let source = |_: &str| {
            *asked.borrow_mut() += 1;
            None
        };
        let cached = cached(&source);
        assert_eq!((cached("a"), cached("a")), (None, None));
        drop(cached);
        assert_eq!(*asked.borrow(), 1);
    }
}
