//! One Rust file of the repository: its text, its syntax, and the way from one to the other.
//!
//! Everything that mutates, classes or compares code needs byte offsets into the file *as it lies on disk*.
//! `syn` parses what is left after a byte order mark and a `#!` line; `proc-macro2` counts from there. [`SourceFile`]
//! puts the difference back, so that no other module has to know.

pub mod cfg_expr;
pub mod items;
mod line_index;
pub mod regions;
pub mod skips;

pub use line_index::{LineColumn, LineIndex};

use crate::error::{Error, Result};
use proc_macro2::Span;
use std::ops::Range;

/// A parsed file. Spans of its syntax tree are valid on the thread that parsed it.
#[derive(Debug)]
pub struct SourceFile {
    /// Path in the repository, with `/`.
    pub path: String,
    /// The file's text, byte order mark included.
    pub text: String,
    /// The file's syntax.
    pub ast: syn::File,
    /// Byte offsets to lines and back.
    pub lines: LineIndex,
    /// Where the text that the parser saw begins.
    parsed_from: usize,
}

impl SourceFile {
    /// Parses a whole file.
    ///
    /// # Errors
    /// When the text is no Rust file; the error names the path, the line and the column.
    pub fn parse(path: impl Into<String>, text: impl Into<String>) -> Result<SourceFile> {
        let (path, text) = (path.into(), text.into());
        let parsed_from = code_start(&text);
        let lines = LineIndex::new(&text);
        let ast = syn::parse_str::<syn::File>(&text[parsed_from..]).map_err(|why| {
            // An error at the end of the input has no span of its own, hence no line.
            let at = lines.line_column(parsed_from + why.span().byte_range().start);
            Error::new(format!("parse `{path}`"), format!("{why} (line {}, column {})", at.line, at.column))
        })?;
        Ok(SourceFile { path, text, ast, lines, parsed_from })
    }

    /// Where a span of this file's syntax lies in [`SourceFile::text`].
    pub fn byte_range(&self, span: Span) -> Range<usize> {
        let range = span.byte_range();
        range.start + self.parsed_from..range.end + self.parsed_from
    }

    /// First and last line (1-based, inclusive) of a span of this file's syntax.
    pub fn line_range(&self, span: Span) -> (u32, u32) {
        let bytes = self.byte_range(span);
        let last = if bytes.end > bytes.start { bytes.end - 1 } else { bytes.end };
        (self.lines.line_of(bytes.start), self.lines.line_of(last))
    }
}

/// Where code begins: after a byte order mark and a `#!` line, which is none when it opens an inner attribute.
fn code_start(text: &str) -> usize {
    let after_mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = &text[after_mark..];
    match rest.strip_prefix("#!") {
        Some(after) if !starts_attribute(after) => after_mark + rest.find('\n').unwrap_or(rest.len()),
        _ => after_mark,
    }
}

/// Whether the text after `#!` goes on with `[`, white space and comments aside.
fn starts_attribute(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        if let Some(comment) = text.strip_prefix("//") {
            text = comment.find('\n').map_or("", |end| &comment[end..]);
        } else if let Some(comment) = text.strip_prefix("/*") {
            text = comment.find("*/").map_or("", |end| &comment[end + 2..]);
        } else {
            return text.starts_with('[');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::spanned::Spanned;

    /// The text that the first item's span covers.
    fn first_item(text: &str) -> (String, u32) {
        let file = SourceFile::parse("src/x.rs", text).unwrap();
        let bytes = file.byte_range(file.ast.items[0].span());
        (file.text[bytes.clone()].to_owned(), file.lines.line_of(bytes.start))
    }

    #[test]
    fn spans_lead_back_to_the_very_text() {
        assert_eq!(first_item("// é∀🦀\nfn a() { \"∀\"; }\nfn b() {}\n"), ("fn a() { \"∀\"; }".into(), 2));
    }

    #[test]
    fn a_byte_order_mark_is_counted() {
        assert_eq!(first_item("\u{feff}fn a() {}\n"), ("fn a() {}".into(), 1));
    }

    #[test]
    fn a_shebang_line_is_counted() {
        assert_eq!(first_item("#!/usr/bin/env run-cargo-script\nfn ä() {}\n"), ("fn ä() {}".into(), 2));
        assert_eq!(first_item("\u{feff}#!/bin/x é\r\n\r\nfn a() {}\r\n"), ("fn a() {}".into(), 3));
    }

    #[test]
    fn an_inner_attribute_is_no_shebang() {
        let (text, line) = first_item("#! /* x */ [allow(dead_code)]\nfn a() {}");
        assert_eq!((text.as_str(), line), ("fn a() {}", 2));
    }

    #[test]
    fn files_parsed_one_after_another_do_not_shift_each_other() {
        let one = SourceFile::parse("a.rs", "fn ééé() {}\n").unwrap();
        let two = SourceFile::parse("b.rs", "\n\nfn two() {}\n").unwrap();
        for (file, want) in [(&one, "fn ééé() {}"), (&two, "fn two() {}"), (&one, "fn ééé() {}")] {
            assert_eq!(&file.text[file.byte_range(file.ast.items[0].span())], want);
        }
    }

    #[test]
    fn a_file_that_does_not_parse_names_path_and_place() {
        let e = SourceFile::parse("src/bad.rs", "fn ok() {}\nfn bad( {\n").unwrap_err().to_string();
        assert!(e.contains("src/bad.rs") && e.contains("line 2"), "{e}");
    }

    #[test]
    fn an_empty_file_is_a_file() {
        assert!(SourceFile::parse("e.rs", "").unwrap().ast.items.is_empty());
        assert!(SourceFile::parse("e.rs", "#!only").unwrap().ast.items.is_empty());
    }
}
