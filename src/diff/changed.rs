//! Which lines of a hunk really changed: a line whose tokens are the same on both sides is not a change, however it
//! was re-indented, re-wrapped or commented.

use super::parse::Hunk;
use super::tokens::{Token, tokens};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeMap;

/// What a diff did to a new-side line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineChange {
    /// It has a token that the old side has not there, or lost one.
    Changed,
    /// Its tokens are those of the old side: other indentation, wrapping or comments.
    SameTokens,
    /// It holds no token, only (a part of) a comment.
    Comment,
    /// It holds nothing.
    Blank,
}

/// The verdict on every new-side line that a file's hunks hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedLines {
    lines: BTreeMap<u32, LineChange>,
    lexed: bool,
}

impl ChangedLines {
    /// Every line of the hunks changed: what is known of text that cannot be read.
    pub fn every(hunks: &[Hunk]) -> ChangedLines {
        let lines = hunks.iter().flat_map(Hunk::new_range).map(|line| (line, LineChange::Changed)).collect();
        ChangedLines { lines, lexed: false }
    }

    /// What happened to a line (1-based); `None` outside the hunks.
    pub fn get(&self, line: u32) -> Option<LineChange> {
        self.lines.get(&line).copied()
    }

    /// Whether a line really changed.
    pub fn is_changed(&self, line: u32) -> bool {
        self.get(line) == Some(LineChange::Changed)
    }

    /// Whether any line of `start..=end` really changed.
    pub fn touches(&self, start: u32, end: u32) -> bool {
        start <= end && self.lines.range(start..=end).any(|(_, change)| *change == LineChange::Changed)
    }

    /// The lines that really changed, ascending.
    pub fn changed(&self) -> impl Iterator<Item = u32> + '_ {
        self.lines.iter().filter(|(_, change)| **change == LineChange::Changed).map(|(line, _)| *line)
    }

    /// Every line of the hunks, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, LineChange)> + '_ {
        self.lines.iter().map(|(line, change)| (*line, *change))
    }

    /// Whether the new side is made of Rust tokens; otherwise every line counts as changed.
    pub fn lexed(&self) -> bool {
        self.lexed
    }
}

/// Compares both sides of each hunk token by token. `old` is `None` for a new file.
///
/// Lines of equal tokens are matched first, then the tokens between them, so that a statement wrapped over more lines is
/// still recognised. A token lost from within a line changes that line; old lines lost as a whole change nothing. A
/// literal over several lines changes all of its lines in the hunk. Where the new side does not lex, every line is
/// changed; where the old side does not, every line with a token.
pub fn changed_lines(old: Option<&str>, new: &str, hunks: &[Hunk]) -> ChangedLines {
    let in_hunks = || hunks.iter().flat_map(Hunk::new_range);
    let Some(new_tokens) = tokens(new) else {
        return ChangedLines { lines: in_hunks().map(|line| (line, LineChange::Changed)).collect(), lexed: false };
    };
    let old_tokens = old.and_then(tokens).unwrap_or_default();
    let mut lines: BTreeMap<u32, LineChange> = BTreeMap::new();
    let texts: Vec<&str> = new.split('\n').collect();
    for line in in_hunks() {
        let text = (line as usize).checked_sub(1).and_then(|at| texts.get(at)).copied().unwrap_or_default();
        lines.insert(line, if text.trim().is_empty() { LineChange::Blank } else { LineChange::Comment });
    }
    for hunk in hunks {
        let old = within(&old_tokens, hunk.old_start, hunk.old_lines);
        let new = within(&new_tokens, hunk.new_start, hunk.new_lines);
        let mut mark = |token: &Token, change: LineChange| {
            for (_, line) in lines.range_mut(token.start..=token.end) {
                if *line != LineChange::Changed {
                    *line = change;
                }
            }
        };
        new.iter().for_each(|token| mark(token, LineChange::SameTokens));
        compare(old, new, &mut |token| mark(token, LineChange::Changed));
    }
    ChangedLines { lines, lexed: true }
}

/// The tokens that stand on a hunk's lines, or across its gap when that side is empty.
fn within(tokens: &[Token], start: u32, lines: u32) -> &[Token] {
    let (first, last) = if lines == 0 { (start + 1, start) } else { (start, start + lines - 1) };
    // Tokens are in order and do not overlap, so both ends are as well.
    let from = tokens.partition_point(|token| token.end < first);
    let to = tokens.partition_point(|token| token.start <= last);
    &tokens[from.min(to)..to]
}

/// Calls `changed` with every new token that the old side has not there, and with those beside a lost token of the
/// same line.
fn compare<'a>(old: &'a [Token], new: &'a [Token], changed: &mut impl FnMut(&'a Token)) {
    let (old_lines, new_lines) = (by_line(old), by_line(new));
    let flat = |lines: &[&[Token]]| lines.iter().map(|line| line.len()).sum::<usize>();
    if texts(old) == texts(new) {
        return;
    }
    let line_texts = |lines: &[&'a [Token]]| lines.iter().map(|line| texts(line)).collect::<Vec<_>>();
    let (old_texts, new_texts) = (line_texts(&old_lines), line_texts(&new_lines));
    let (mut old_at, mut new_at) = (0, 0);
    for op in capture_diff_slices(Algorithm::Patience, &old_texts, &new_texts) {
        let (old_count, new_count) = (flat(&old_lines[op.old_range()]), flat(&new_lines[op.new_range()]));
        if !matches!(op, DiffOp::Equal { .. }) {
            compare_tokens(&old[old_at..old_at + old_count], &new[new_at..new_at + new_count], changed);
        }
        (old_at, new_at) = (old_at + old_count, new_at + new_count);
    }
}

/// Above this product of lengths a hunk is a rewrite, and alignment by tokens would cost more than it could tell.
const ALIGNABLE: usize = 25_000_000;

fn compare_tokens<'a>(old: &[Token], new: &'a [Token], changed: &mut impl FnMut(&'a Token)) {
    if new.is_empty() || old.is_empty() || old.len().saturating_mul(new.len()) > ALIGNABLE {
        return new.iter().for_each(changed);
    }
    for op in capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new)) {
        let (gone, come) = (&old[op.old_range()], &new[op.new_range()]);
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        come.iter().for_each(&mut *changed);
        // What came instead of the lost tokens shows the change; a mere loss shows only on what is left beside it.
        if let (true, Some(first), Some(last)) = (come.is_empty(), gone.first(), gone.last()) {
            let (old_at, new_at) = (op.old_range(), op.new_range().start);
            let before = old_at.start.checked_sub(1).and_then(|at| old.get(at)).filter(|t| t.end == first.start);
            let after = old.get(old_at.end).filter(|t| t.start == last.end);
            let left = before.and(new_at.checked_sub(1)).and_then(|at| new.get(at));
            let right = after.and(new.get(new_at));
            left.into_iter().chain(right).for_each(&mut *changed);
        }
    }
}

fn texts(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

/// Tokens grouped by the line they start on.
fn by_line(tokens: &[Token]) -> Vec<&[Token]> {
    tokens.chunk_by(|a, b| a.start == b.start).collect()
}

#[cfg(test)]
#[path = "changed_tests.rs"]
mod tests;
