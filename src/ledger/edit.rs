//! A ledger's text with one entry more, or some fewer; everything else stays as somebody wrote it.

use super::Excusal;

const HEAD: &str = "[[excusal]]";

/// The text with an entry added at its end.
pub fn append(text: &str, entry: &Excusal) -> String {
    let mut out = text.to_owned();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    out.push_str(HEAD);
    out.push('\n');
    out.push_str(&toml::to_string(entry).expect("an entry is a flat table"));
    out
}

/// The text without the entries at these places, counted from 0. Comments before an entry's head stay.
pub fn without(text: &str, gone: &[usize]) -> String {
    let (mut entry, mut seen) = (None, 0);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(HEAD) {
            entry = Some(seen);
            seen += 1;
        }
        let comment = line.trim_start().starts_with('#');
        if comment || !entry.is_some_and(|at| gone.contains(&at)) {
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::super::{Excusal, parse};
    use super::*;

    #[test]
    fn pruning_takes_whole_entries_and_leaves_the_rest_alone() {
        let mut text = "# our ledger\n".to_owned();
        for id in ["m-1", "m-2", "m-3"] {
            text =
                append(&text, &Excusal { reason: format!("a reason that is\nlong enough for {id}"), ..entry(id, "") });
        }
        let left = without(&text, &[1]);
        let ids: Vec<_> = parse(&left, "x").unwrap().into_iter().map(|e| e.unwrap().mutant).collect();
        assert_eq!(ids, ["m-1", "m-3"]);
        assert!(left.starts_with("# our ledger\n"));
        assert_eq!(without(&text, &[]), text);
    }
}
