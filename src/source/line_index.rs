//! Byte offsets to lines and columns, and back.
//!
//! Lines are 1-based and end at `\n`, as git and rustc count them; a `\r` before it belongs to the line. Columns are
//! 1-based and count characters. A byte order mark has no column: rustc calls the character after it column 1.

use std::ops::Range;

/// A place a person can go to: 1-based line, 1-based column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// The lines of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offset of each line's first character (the first one's after the byte order mark).
    starts: Vec<usize>,
    /// Length of the text in bytes.
    len: usize,
    /// Offsets of the bytes that continue a character, so that columns need no text.
    continuations: Vec<usize>,
}

impl LineIndex {
    /// Indexes a text once.
    pub fn new(text: &str) -> LineIndex {
        let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let bytes = text.as_bytes().iter().enumerate().skip(mark);
        let starts = std::iter::once(mark).chain(bytes.clone().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1));
        let continuations = bytes.clone().filter(|(_, b)| **b & 0xC0 == 0x80).map(|(i, _)| i);
        LineIndex { starts: starts.collect(), len: text.len(), continuations: continuations.collect() }
    }

    /// How many lines the text has; what follows a last `\n` counts only when it is not empty.
    pub fn count(&self) -> u32 {
        let open = self.starts.last().is_some_and(|last| *last < self.len);
        (self.starts.len() - usize::from(!open)) as u32
    }

    /// The line that holds this byte; offsets past the end belong to the last line.
    pub fn line_of(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start <= offset).max(1) as u32
    }

    /// Line and column of the character at this byte offset.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let line = self.line_of(offset);
        let start = self.starts[line as usize - 1];
        let before = |end: usize| self.continuations.partition_point(|byte| *byte < end);
        let offset = offset.min(self.len).max(start);
        LineColumn { line, column: (offset - start - (before(offset) - before(start)) + 1) as u32 }
    }

    /// The byte offset of a place; `None` when the text has no such line or the line no such column. The column
    /// after the last character is a place: it is where an exclusive end points.
    pub fn offset(&self, at: LineColumn) -> Option<usize> {
        let range = self.line_bytes(at.line)?;
        let mut offset = range.start;
        for _ in 1..at.column {
            offset += 1;
            while self.continuations.binary_search(&offset).is_ok() {
                offset += 1;
            }
        }
        (at.column >= 1 && offset <= range.end).then_some(offset)
    }

    /// The bytes of a line, its `\n` included; `None` when the text has no such line.
    pub fn line_bytes(&self, line: u32) -> Option<Range<usize>> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        Some(start..self.starts.get(index + 1).copied().unwrap_or(self.len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }

    #[test]
    fn columns_count_characters_and_lead_back_to_bytes() {
        let text = "aé🦀b\nx\n";
        let index = LineIndex::new(text);
        for (offset, place) in
            [(0, at(1, 1)), (1, at(1, 2)), (3, at(1, 3)), (7, at(1, 4)), (8, at(1, 5)), (9, at(2, 1))]
        {
            assert_eq!(index.line_column(offset), place, "byte {offset}");
            assert_eq!(index.offset(place), Some(offset), "{place:?}");
        }
        assert_eq!(index.offset(at(9, 1)), None);
        assert_eq!(index.offset(at(2, 9)), None);
        assert_eq!(index.count(), 2);
    }

    #[test]
    fn a_carriage_return_belongs_to_its_line() {
        let index = LineIndex::new("ab\r\ncd\r\n");
        assert_eq!(index.line_column(4), at(2, 1));
        assert_eq!(index.line_bytes(1), Some(0..4));
        assert_eq!(index.count(), 2);
    }

    #[test]
    fn a_byte_order_mark_has_no_column() {
        let index = LineIndex::new("\u{feff}ab\nc");
        assert_eq!(index.line_column(3), at(1, 1));
        assert_eq!(index.offset(at(1, 2)), Some(4));
        assert_eq!(index.line_column(6), at(2, 1));
        assert_eq!(index.count(), 2);
    }

    #[test]
    fn an_empty_text_has_no_line_but_a_first_place() {
        let index = LineIndex::new("");
        assert_eq!((index.count(), index.line_column(0)), (0, at(1, 1)));
    }
}
