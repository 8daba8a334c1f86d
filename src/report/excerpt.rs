//! The lines around a mutant, cut out of the head version of its file.

use super::model::Mutant;
use std::ops::Range;

/// Whole lines of a file, without carriage returns, in which the replaced text lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of its first line in the file.
    pub first_line: u32,
    /// The lines, the last one without its line break.
    pub text: String,
    /// Where in `text` the replaced text lies, in bytes.
    pub span: Range<usize>,
}

impl Excerpt {
    /// The lines on which the mutant stands.
    ///
    /// `None` when the file is not the one that was mutated: its bytes there differ from the replaced text.
    pub fn of(mutant: &Mutant, source: &str) -> Option<Excerpt> {
        let Range { start, end } = mutant.start_byte..mutant.end_byte;
        if source.get(start..end) != Some(mutant.original.as_str()) {
            return None;
        }
        let from = source[..start].rfind('\n').map_or(0, |at| at + 1);
        // Replaced text that ends in a line break ends on that line, and not on the next.
        let last = if end > start && source[..end].ends_with('\n') { end - 1 } else { end };
        let to = source[last..].find('\n').map_or(source.len(), |at| last + at);
        let unix = |text: &str| text.replace("\r\n", "\n");
        let lead = unix(&source[from..start]);
        let inner = unix(&source[start..end.min(to)]);
        let tail = unix(&source[end.min(to)..to]);
        let span = lead.len()..lead.len() + inner.len();
        let text = format!("{lead}{inner}{tail}");
        // A line's own break lies past the cut; what is left of a CRLF is its first half.
        let text = text.strip_suffix('\r').unwrap_or(&text).to_owned();
        let span = span.start.min(text.len())..span.end.min(text.len());
        Some(Excerpt { first_line: mutant.line, text, span })
    }

    /// The same lines with the replacement in place.
    pub fn mutated(&self, replacement: &str) -> String {
        let replacement = replacement.replace("\r\n", "\n");
        format!("{}{replacement}{}", &self.text[..self.span.start], &self.text[self.span.end..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::Verdict::Survived;
    use crate::report::sample::{mutant, sources};

    #[test]
    fn carriage_returns_are_left_out_and_tabs_stay() {
        let m = mutant("src/tabs.rs", "relational", "a < 3", 0, "a <= 3", Survived);
        let e = Excerpt::of(&m, &sources("src/tabs.rs").unwrap()).unwrap();
        assert_eq!((e.first_line, e.text.as_str()), (2, "\tif a < 3 {"));
        assert_eq!(&e.text[e.span.clone()], "a < 3");
        assert_eq!(e.mutated("a <= 3"), "\tif a <= 3 {");
    }

    #[test]
    fn text_over_several_lines_comes_whole() {
        let text = "a < 3 {\r\n\t\treturn a + 1";
        let m = mutant("src/tabs.rs", "x", text, 0, "b", Survived);
        let e = Excerpt::of(&m, &sources("src/tabs.rs").unwrap()).unwrap();
        assert_eq!(e.text, "\tif a < 3 {\n\t\treturn a + 1; // ```");
        assert_eq!(&e.text[e.span.clone()], text.replace('\r', ""));
        assert_eq!(e.mutated("b"), "\tif b; // ```");
    }

    #[test]
    fn text_up_to_a_line_break_does_not_drag_in_the_next_line() {
        let m = mutant("src/tabs.rs", "x", "\ta\r\n", 0, "", Survived);
        let e = Excerpt::of(&m, &sources("src/tabs.rs").unwrap()).unwrap();
        assert_eq!((e.text.as_str(), e.span), ("\ta", 0..2));
    }

    #[test]
    fn another_version_of_the_file_is_not_shown_as_the_mutants() {
        let m = mutant("src/wide.rs", "off_by_one", "12", 0, "13", Survived);
        let source = sources("src/wide.rs").unwrap();
        assert!(Excerpt::of(&m, &source).is_some());
        for other in [source.replace("12", "21"), source.replace("名", "x"), String::new(), source[..84].into()] {
            let same = other.get(m.start_byte..m.end_byte) == Some("12");
            assert_eq!(Excerpt::of(&m, &other).is_some(), same, "{other}");
        }
    }
}
