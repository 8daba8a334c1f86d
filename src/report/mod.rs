//! What a run leaves behind: the report's types and one file per output format.
//!
//! A format is a pure function from the report and the sources to text, so that every one of them can be looked
//! at in a test, and so that a stored `report.json` can be shown again in any of them.

pub mod atomic;
pub mod diagnostic;
pub mod excerpt;
pub mod json;
pub mod markdown;
pub mod model;
pub mod quote;
#[cfg(test)]
pub(crate) mod sample;
pub mod short;
pub mod stdout;
pub mod terminal;
pub mod text;

use crate::error::Result;
use camino::Utf8Path;
use model::Report;
use std::cell::RefCell;
use std::collections::HashMap;

/// The head version of a file by its path in the repository; `None` when it is gone or not text.
///
/// The report holds only the replaced text; whoever shows its surroundings asks here.
pub type Sources<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// One way to show a report.
pub trait Format {
    /// What `--message-format` calls it.
    fn name(&self) -> &'static str;

    /// The whole text, ending in a newline.
    fn render(&self, report: &Report, sources: &Sources<'_>) -> String;
}

/// Writes `report.json` and `report.md` into `dir`, the one that cannot be made again from the other first.
///
/// # Errors
/// See [`atomic::write`].
pub fn write(dir: &Utf8Path, report: &Report, sources: &Sources<'_>) -> Result<()> {
    json::write(&dir.join("report.json"), report)?;
    atomic::write(&dir.join("report.md"), markdown::Markdown.render(report, sources).as_bytes())
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
        write(&dir, &report, &sample::sources).unwrap();
        assert_eq!(json::read(&dir.join("report.json")).unwrap(), report);
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
