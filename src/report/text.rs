//! Text for people: one line out of any, cut or wrapped to a width in terminal cells.
//!
//! Test names, paths and source text come from a patch that nobody has reviewed yet, so whatever could move the
//! cursor or turn the reading direction is made visible before it is printed.

use annotate_snippets::normalize_untrusted_str;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Marks where text was left out.
const CUT: char = '…';

/// The text on one line, with runs of white space as one space and control characters made visible.
pub fn line(text: &str) -> String {
    source(&normalize_untrusted_str(&text.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Source text for a renderer that knows the usual control characters, but not those that terminals read as an
/// escape and a letter in one (U+0080 to U+009F). Keeps the length in bytes, and so every offset.
pub fn source(text: &str) -> String {
    const SAME_LENGTH: &str = "¿";
    text.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), SAME_LENGTH)
}

/// The number of terminal cells that the text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text cut to at most `cells`, with `…` in place of the rest.
pub fn fit(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut kept = prefix(text, cells.saturating_sub(1)).trim_end().to_owned();
    kept.push(CUT);
    kept
}

/// The text broken at spaces into lines of at most `cells`; a word that is longer than that has a line of its own.
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(word);
        } else if width(last) + 1 + width(word) <= cells {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// `replacement` on one line of at most `cells`, cut so that the place where it differs from `original` stays.
///
/// A long condition of which one operator changed would otherwise lose just that operator.
pub fn changed(original: &str, replacement: &str, cells: usize) -> String {
    let (original, replacement) = (line(original), line(replacement));
    if width(&replacement) <= cells {
        return replacement;
    }
    let common: usize =
        original.chars().zip(replacement.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    // Two thirds of the room for what follows the first difference, the rest for what leads to it.
    let lead = suffix(&replacement[..common], cells / 3);
    let head = if lead.len() < common { CUT.to_string() } else { String::new() };
    let room = cells.saturating_sub(width(lead) + width(&head));
    format!("{head}{lead}{}", fit(&replacement[common..], room))
}

/// `a, b, c and 4 more`: at most `shown` of them.
pub fn list(items: &[String], shown: usize) -> String {
    let head = items.iter().take(shown).map(String::as_str).collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(shown) {
        0 => head,
        more => format!("{head} and {more} more"),
    }
}

/// `1 test`, `2 tests`.
pub fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn prefix(text: &str, cells: usize) -> &str {
    let mut left = cells;
    let end = text.char_indices().find(|&(_, c)| !spend(&mut left, c)).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

fn suffix(text: &str, cells: usize) -> &str {
    let mut left = cells;
    let past = text.char_indices().rev().find(|&(_, c)| !spend(&mut left, c));
    past.map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

fn spend(left: &mut usize, c: char) -> bool {
    let cells = c.width().unwrap_or(1);
    let enough = cells <= *left;
    if enough {
        *left -= cells;
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untrusted_text_cannot_move_the_cursor_or_turn_the_line() {
        assert_eq!(line("a\n\tb\r\nc"), "a b c");
        assert_eq!(line("\u{1b}[2Jx"), "␛[2Jx");
        assert!(!line("a\u{202e}b").contains('\u{202e}'));
        assert_eq!(line("a\u{9b}2J"), "a¿2J");
        assert_eq!(source("\u{9b}x").len(), "\u{9b}x".len());
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(fit("株式会社", 8), "株式会社");
        assert_eq!(fit("株式会社x", 8), "株式会…");
        assert_eq!(fit("abc", 0), "…");
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable x", 4), ["unbreakable", "x"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn a_long_replacement_is_cut_around_the_change() {
        let lead = "self.inventory.items_of(customer, warehouse).iter().count()";
        let cut = changed(&format!("{lead} >= limit"), &format!("{lead} > limit"), 30);
        assert_eq!(cut, "….count() > limit");
        let tail = "x".repeat(90);
        let cut = changed(&format!("a < {tail}"), &format!("a <= {tail}"), 30);
        assert!(cut.starts_with("a <= xx") && cut.ends_with('…') && width(&cut) <= 30, "{cut}");
        assert_eq!(changed("a < b", "a <= b", 30), "a <= b");
    }

    #[test]
    fn a_list_is_cut_with_a_count() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&items, 3), "a, b, c");
        assert_eq!(list(&items, 2), "a, b and 1 more");
    }
}
