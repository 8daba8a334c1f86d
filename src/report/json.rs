//! `report.json`: written whole or not at all, and read back only when it is what it says.

use super::{Format, Sources, atomic};
use crate::error::{Context, Result};
use crate::report::model::{Report, SCHEMA};
use camino::Utf8Path;

/// The report for programs, by the schema of [`crate::report::model`].
#[derive(Debug, Clone, Copy)]
pub struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn render(&self, report: &Report, _: &Sources<'_>) -> String {
        let mut text = serde_json::to_string_pretty(report).expect("the report has string keys only");
        text.push('\n');
        text
    }
}

/// Writes the report, replacing an earlier one in one step.
///
/// # Errors
/// When the directory cannot be written to or the disk is full; an earlier report is then still whole.
pub fn write(path: &Utf8Path, report: &Report) -> Result<()> {
    atomic::write(path, Json.render(report, &|_| None).as_bytes())
}

/// Reads a report back.
///
/// # Errors
/// When the file cannot be read, is cut off, is no JSON, has another schema, or has not the schema's fields.
pub fn read(path: &Utf8Path) -> Result<Report> {
    let text = atomic::read(path)?;
    parse(&text).doing(|| format!("read the report `{path}`")).map_err(|e| e.hint("run `cargo hunkmut` again"))
}

fn parse(text: &str) -> std::result::Result<Report, String> {
    // The schema first: a missing field in a foreign file says less than its name.
    let value: serde_json::Value = serde_json::from_str(text).map_err(|why| match why.is_eof() {
        true => format!("it is cut off ({why})"),
        false => format!("it is not JSON ({why})"),
    })?;
    match value.get("schema").and_then(serde_json::Value::as_str) {
        Some(SCHEMA) => serde_json::from_value(value).map_err(|why| format!("it does not follow `{SCHEMA}`: {why}")),
        Some(other) => Err(format!("its schema is `{other}`, and this version reads `{SCHEMA}`")),
        None => Err(format!("it has no schema, so it is not a `{SCHEMA}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_report_comes_back_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("report.json");
        let report = sample::report();
        write(&path, &report).unwrap();
        assert_eq!(read(&path).unwrap(), report);
    }

    #[test]
    fn a_cut_off_report_is_refused_wherever_it_was_cut() {
        let whole = Json.render(&sample::report(), &|_| None);
        for at in (0..whole.len() - 2).filter(|&at| whole.is_char_boundary(at)).step_by(97) {
            let why = parse(&whole[..at]).unwrap_err();
            assert!(why.contains("cut off"), "cut at {at}: {why}");
        }
    }

    #[test]
    fn a_foreign_file_is_refused_by_its_name() {
        let why = |text: &str| parse(text).unwrap_err();
        assert!(why(r#"{"schema": "hunkmut-report/2"}"#).contains("`hunkmut-report/2`"));
        assert!(why("{}").contains("no schema"));
        assert!(why("[1]").contains("no schema"));
        assert!(why("<html>").contains("not JSON"));
        assert!(why(r#"{"schema": "hunkmut-report/1", "tool": 1}"#).contains("does not follow"));
    }

    #[test]
    fn a_missing_report_is_named() {
        let error = read(Utf8Path::new("/no/such/report.json")).unwrap_err();
        assert!(error.to_string().contains("/no/such/report.json"), "{error}");
    }
}
