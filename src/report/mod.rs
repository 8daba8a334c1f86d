//! What a run leaves behind: the report's types and one file per output format.
//!
//! A format is a pure function from the report and the sources to text, so that every one of them can be looked
//! at in a test, and so that a stored `report.json` can be shown again in any of them.

pub mod atomic;
pub mod diagnostic;
pub mod excerpt;
pub mod json;
pub mod model;
#[cfg(test)]
mod sample;
pub mod terminal;
pub mod text;

use model::Report;

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
