//! What is wrong with a policy's text, with the line and, for a misspelt word, the nearest right one.

use crate::error::Error;

/// The program's error for the TOML reader's.
///
/// serde words an unknown key "unknown field `x`, expected one of `a`, `b`" (a value: "unknown variant"); the words in
/// backticks are the offender and the candidates. A test holds on to that wording.
pub(super) fn explain(why: &toml::de::Error, text: &str, origin: &str) -> Error {
    let line = why.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let message = why.message();
    let unknown_key = message.starts_with("unknown field ");
    let error = |what: String| Error::new(format!("read policy `{origin}`"), format!("line {line}: {what}"));
    if unknown_key || message.starts_with("unknown variant ") {
        let mut words = message.split('`').skip(1).step_by(2);
        let offender = words.next().unwrap_or_default();
        let candidates: Vec<&str> = words.filter(|word| !word.contains('_')).collect();
        let kind = if unknown_key { "key" } else { "value" };
        let what = error(format!("unknown {kind} `{offender}`{}", table(why, text)));
        return match nearest(offender, &candidates) {
            Some(best) => what.hint(format!("did you mean `{best}`?")),
            None => what.hint(format!("known here: {}", candidates.join(", "))),
        };
    }
    let source = text.lines().nth(line - 1).unwrap_or_default().trim();
    let shown = if source.is_empty() || message.contains(source) { String::new() } else { format!(" in `{source}`") };
    error(format!("{message}{shown}"))
}

/// ` in [table]`, for the table that holds the error.
fn table(why: &toml::de::Error, text: &str) -> String {
    let before = why.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let own_line = before.rsplit('\n').next().unwrap_or_default();
    if own_line.trim_start().starts_with('[') {
        // The table's own name is what is unknown.
        return String::new();
    }
    let header = before.lines().map(str::trim).rfind(|line| line.starts_with('[') && line.ends_with(']'));
    header.map_or_else(String::new, |header| format!(" in `{header}`"))
}

fn nearest<'a>(offender: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let close = |word: &&str| strsim::jaro_winkler(offender, word);
    let best = candidates.iter().copied().max_by(|a, b| close(a).total_cmp(&close(b)))?;
    (close(&best) > 0.7).then_some(best)
}
