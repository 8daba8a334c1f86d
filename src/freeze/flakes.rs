//! `flake_freeze.toml`: tests that neither kill nor block until a day, and what a patch may not do to the list.
//!
//! One table for each test, `["binary-id name"]`, with `owner`, `reason` and `expires = "YYYY-MM-DD"`. What a patch
//! adds counts for nothing: a test is frozen only where the base says so, and only while the head still does.

use super::date::Date;
use crate::compare::model::{Reason, Rule};
use std::collections::BTreeMap;

/// One table of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its line.
    pub line: u32,
    /// The day after which the test runs again; `None` when it has none that can be read.
    pub expires: Option<Date>,
    /// What it lacks, in words; empty for a whole entry.
    pub faults: Vec<String>,
}

/// The file, by test.
pub type Flakes = BTreeMap<String, Entry>;

/// Why a file cannot be read, and the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The line of the fault.
    pub line: u32,
    /// The parser's words.
    pub why: String,
}

/// Reads the file.
///
/// # Errors
/// When it is no TOML, or something else than tables stands at its top.
pub fn parse(text: &str) -> Result<Flakes, Unreadable> {
    type Spanned = BTreeMap<toml::Spanned<String>, toml::Value>;
    let line_at = |byte: usize| text[..byte.min(text.len())].matches('\n').count() as u32 + 1;
    let read: Spanned = toml::from_str(text).map_err(|why| Unreadable {
        line: line_at(why.span().map_or(0, |span| span.start)),
        why: why.message().to_owned(),
    })?;
    let mut flakes = Flakes::new();
    for (name, value) in read {
        let line = line_at(name.span().start);
        let name = name.into_inner();
        let toml::Value::Table(table) = value else {
            return Err(Unreadable { line, why: format!("`{name}` is no table: write `[\"binary-id test-name\"]`") });
        };
        flakes.insert(name.clone(), entry(&name, line, &table));
    }
    Ok(flakes)
}

fn entry(name: &str, line: u32, table: &toml::Table) -> Entry {
    let mut faults = Vec::new();
    if name.trim().split_once(' ').is_none() {
        faults.push("its name is no `binary-id test-name`".to_owned());
    }
    for key in ["owner", "reason"] {
        match table.get(key) {
            Some(toml::Value::String(text)) if !text.trim().is_empty() => {}
            Some(_) => faults.push(format!("its `{key}` says nothing")),
            None => faults.push(format!("it has no `{key}`")),
        }
    }
    let expires = match table.get("expires") {
        None => Err("it has no `expires`".to_owned()),
        Some(toml::Value::String(text)) => text.parse::<Date>(),
        Some(toml::Value::Datetime(day)) => day.to_string().parse::<Date>(),
        Some(other) => Err(format!("`expires` is no date: {other}")),
    };
    let expires = expires.map_err(|why| faults.push(why)).ok();
    Entry { line, expires, faults }
}

/// What the head's file does that the base's did not. `None` stands for no file.
pub fn compare(path: &str, base: Option<&str>, head: Option<&str>) -> Vec<Reason> {
    let base = base.map(parse).transpose().unwrap_or_default().unwrap_or_default();
    let head = match head.map(parse).transpose() {
        Ok(head) => head.unwrap_or_default(),
        Err(fault) => {
            let detail = format!("the list of frozen tests does not parse: {}", fault.why.trim());
            return vec![Reason::new(Rule::FreezeIncomplete, detail).at(path, Some(fault.line))];
        }
    };
    let mut reasons = Vec::new();
    for (name, entry) in &head {
        let reason = |rule, detail: String| Reason::new(rule, detail).at(path, Some(entry.line)).test(name.as_str());
        match base.get(name) {
            None => reasons.push(reason(Rule::FreezeAdded, format!("`{name}` is frozen by the patch"))),
            Some(before) => match (before.expires, entry.expires) {
                (Some(old), Some(new)) if new > old => {
                    let detail = format!("`{name}` stays frozen until {new} instead of {old}");
                    reasons.push(reason(Rule::FreezeExtended, detail));
                }
                _ => {}
            },
        }
        if !entry.faults.is_empty() {
            let detail = format!("the entry of `{name}` is not whole: {}", entry.faults.join(", "));
            reasons.push(reason(Rule::FreezeIncomplete, detail));
        }
    }
    reasons
}

/// The tests that are frozen on a day, by the base's file as far as the head still has the entry; the second list is
/// what ran out.
pub fn frozen(base: Option<&str>, head: Option<&str>, today: Date) -> (Vec<String>, Vec<String>) {
    let read = |text: Option<&str>| text.map(parse).transpose().unwrap_or_default().unwrap_or_default();
    let (base, head) = (read(base), read(head));
    let (mut frozen, mut expired) = (Vec::new(), Vec::new());
    for (name, entry) in base {
        let whole = entry.faults.is_empty() && head.contains_key(&name);
        // A patch may shorten a freeze, never lengthen it.
        let end = entry.expires.into_iter().chain(head.get(&name).and_then(|entry| entry.expires)).min();
        match end {
            Some(end) if whole && today <= end => frozen.push(name),
            Some(_) if whole => expired.push(name),
            _ => {}
        }
    }
    (frozen, expired)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(entries: &[(&str, &str)]) -> String {
        let entry = |(name, expires): &(&str, &str)| {
            format!("[\"{name}\"]\nowner = \"a\"\nreason = \"slow\"\nexpires = \"{expires}\"\n")
        };
        entries.iter().map(entry).collect()
    }

    fn rules(base: &str, head: &str) -> Vec<(Rule, Option<u32>)> {
        compare("f", Some(base), Some(head)).into_iter().map(|r| (r.rule, r.line)).collect()
    }

    #[test]
    fn a_name_added_and_a_day_moved_away_are_told() {
        let base = text(&[("a t", "2030-01-01"), ("a u", "2030-01-01")]);
        let head = text(&[("a t", "2030-01-02"), ("a u", "2029-01-01"), ("a v", "2030-01-01")]);
        assert_eq!(rules(&base, &head), [(Rule::FreezeExtended, Some(1)), (Rule::FreezeAdded, Some(9))]);
        assert_eq!(rules(&base, &base), []);
        assert_eq!(rules(&base, ""), []);
    }

    #[test]
    fn an_entry_must_be_whole() {
        for entry in [
            "[\"a t\"]\nowner = \"a\"\nreason = \"r\"\n",
            "[\"a t\"]\nowner = \"a\"\nexpires = \"2030-01-01\"\n",
            "[\"a t\"]\nreason = \"r\"\nexpires = \"2030-01-01\"\n",
            "[\"a t\"]\nowner = \" \"\nreason = \"r\"\nexpires = \"2030-01-01\"\n",
            "[\"a t\"]\nowner = \"a\"\nreason = \"r\"\nexpires = \"2030-02-30\"\n",
            "[\"a t\"]\nowner = \"a\"\nreason = \"r\"\nexpires = 7\n",
            "[\"t\"]\nowner = \"a\"\nreason = \"r\"\nexpires = \"2030-01-01\"\n",
        ] {
            assert_eq!(rules(entry, entry), [(Rule::FreezeIncomplete, Some(1))], "{entry}");
        }
        let date = "[\"a t\"]\nowner = \"a\"\nreason = \"r\"\nexpires = 2030-01-01\n";
        assert_eq!(rules(date, date), []);
    }

    #[test]
    fn a_file_that_does_not_parse_is_told_with_its_line() {
        assert_eq!(rules("", "[\"a t\"]\nowner = \"a\"\nreason = nonsense\n"), [(Rule::FreezeIncomplete, Some(3))]);
        assert_eq!(rules("", "a = 1\n"), [(Rule::FreezeIncomplete, Some(1))]);
    }

    #[test]
    fn only_what_the_base_froze_and_the_head_keeps_is_frozen_until_its_day() {
        let day = |text: &str| text.parse().unwrap();
        let base = text(&[("a t", "2030-01-01"), ("a u", "2020-01-01"), ("a gone", "2030-01-01")]);
        let head = text(&[("a t", "2031-01-01"), ("a u", "2031-01-01"), ("a new", "2030-01-01")]);
        let on = |today: &str| frozen(Some(&base), Some(&head), day(today));
        assert_eq!(on("2030-01-01"), (vec!["a t".to_owned()], vec!["a u".to_owned()]));
        assert_eq!(on("2030-01-02").0, Vec::<String>::new());
        assert_eq!(frozen(None, Some(&head), day("2000-01-01")).0, Vec::<String>::new());
    }
}
