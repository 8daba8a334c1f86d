//! A diff's text as data: files, what happened to them, and hunks without context.
//!
//! Takes git's own `-U0` output and whatever a user may hand over with `--in-diff`: git-style or plain unified diffs
//! with any context, any prefix or none, CRLF line ends, times after the names, mails around them. Bodies are bytes:
//! only their first column is looked at. One pass over the input, whatever its size.

use super::header::{Header, Started};
use crate::error::{Error, Result};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// The old side does not have it.
    Added,
    /// The new side does not have it.
    Deleted,
    /// Same path, other bytes (or another mode).
    Modified,
    /// It has another path on the old side.
    Renamed,
    /// A copy of a file that is still there.
    Copied,
    /// A file became a symbolic link or a submodule, or the other way round.
    TypeChanged,
}

/// One file of a diff. Paths are relative to the repository's root with `/`; bytes that are not UTF-8 are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path on the old side; `None` when added.
    pub old_path: Option<String>,
    /// Its path on the new side; `None` when deleted.
    pub new_path: Option<String>,
    /// What happened to it.
    pub status: Status,
    /// The diff shows no lines of it, or lines with NUL bytes in a file that is not called `.rs` (a NUL must not hide
    /// a source file).
    pub binary: bool,
    /// It is a submodule: its content is a commit ID.
    pub submodule: bool,
    /// It is a symbolic link on the new side (on the old one when deleted): its content is the target.
    pub symlink: bool,
    /// The old content's object ID, possibly abbreviated, when the diff has it.
    pub old_blob: Option<String>,
    /// The changes in ascending order, without context, never adjacent on both sides.
    pub hunks: Vec<Hunk>,
}

impl FileDiff {
    /// The path by which to speak of the file: the new one, the old one of a deleted file.
    pub fn path(&self) -> &str {
        self.new_path.as_deref().or(self.old_path.as_deref()).unwrap_or_default()
    }
}

/// One run of changed lines, as in a diff with `-U0`. Lines are 1-based. git's convention for an empty side is kept:
/// its start is the line *before* the gap, 0 at the top of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hunk {
    /// First old line, or the line before the gap when `old_lines` is 0.
    pub old_start: u32,
    /// Number of old lines.
    pub old_lines: u32,
    /// First new line, or the line before the gap when `new_lines` is 0.
    pub new_start: u32,
    /// Number of new lines.
    pub new_lines: u32,
}

impl Hunk {
    /// Whether the new side is empty.
    pub fn is_pure_deletion(&self) -> bool {
        self.new_lines == 0
    }

    /// Whether the old side is empty.
    pub fn is_pure_addition(&self) -> bool {
        self.old_lines == 0
    }

    /// The new-side lines; empty for a pure deletion.
    pub fn new_range(&self) -> std::ops::Range<u32> {
        self.new_start..self.new_start + self.new_lines
    }

    /// The old-side lines; empty for a pure addition.
    pub fn old_range(&self) -> std::ops::Range<u32> {
        self.old_start..self.old_start + self.old_lines
    }
}

/// Reads a diff. Nothing but white space is a diff without files.
///
/// # Errors
/// Input that holds no diff, a combined diff of a merge, a hunk that is cut short or out of order, a path that leaves
/// the repository; each with the line number in the input.
pub fn parse(bytes: &[u8]) -> Result<Vec<FileDiff>> {
    Ok(merge_type_changes(read(bytes, false)?.files))
}

/// What a diff says about a file's new side: line numbers and bytes, context included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSide<'a> {
    /// The file's new path.
    pub path: String,
    /// Lines in ascending order, without their ends.
    pub lines: Vec<(u32, &'a [u8])>,
}

/// Every line that a diff says is on the new side, to hold against the tree that it is meant for. Submodules and
/// symbolic links have no lines there.
///
/// # Errors
/// As [`parse`].
pub fn new_sides(bytes: &[u8]) -> Result<Vec<NewSide<'_>>> {
    Ok(read(bytes, true)?.new_sides)
}

fn read(bytes: &[u8], keep_lines: bool) -> Result<Parser<'_>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(
            Error::new("read the diff", "it is UTF-16").hint("save it as git wrote it: `git diff --output=FILE`")
        );
    }
    let mut parser =
        Parser { lines: Lines::new(bytes), files: Vec::new(), current: None, keep_lines, new_sides: Vec::new() };
    while let Some(line) = parser.lines.next() {
        parser.line(line)?;
    }
    parser.finish_file()?;
    if parser.files.is_empty() && !bytes.trim_ascii().is_empty() {
        let colour = bytes.windows(2).take(4096).any(|w| w == b"\x1b[");
        let hint =
            if colour { "take it without colour: `git diff --no-color`" } else { "`git diff BASE...HEAD` makes one" };
        return Err(Error::new("read the diff", "it holds no file header and no hunk").hint(hint));
    }
    Ok(parser)
}

/// The input's lines without their ends, counted.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    number: u32,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Lines { rest: bytes, number: 0 }
    }

    /// The line after the current one, not yet taken.
    fn peek(&self) -> Option<&'a [u8]> {
        (!self.rest.is_empty()).then(|| self.rest.split(|b| *b == b'\n').next().unwrap_or_default())
    }

    fn error(&self, why: impl std::fmt::Display) -> Error {
        Error::new("read the diff", format!("line {}: {why}", self.number))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.peek()?;
        self.rest = self.rest.get(line.len() + 1..).unwrap_or_default();
        self.number = self.number.saturating_add(1);
        Some(line)
    }
}

struct Parser<'a> {
    lines: Lines<'a>,
    files: Vec<FileDiff>,
    current: Option<Header<'a>>,
    keep_lines: bool,
    new_sides: Vec<NewSide<'a>>,
}

impl<'a> Parser<'a> {
    /// A line outside a hunk's body.
    fn line(&mut self, raw: &'a [u8]) -> Result<()> {
        let line = raw.strip_suffix(b"\r").unwrap_or(raw);
        if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            let error = self.lines.error("a combined diff of a merge has no single old side");
            return Err(error.hint("compare two revisions instead: `git diff BASE...HEAD`"));
        }
        let named = self.current.as_ref().is_some_and(Header::waits_for_names);
        if let Some(header) = Header::start(line, || !named && self.next_starts_with(b"+++ ")) {
            self.finish_file()?;
            self.current = Some(header);
            return Ok(());
        }
        if line.starts_with(b"@@ -") {
            return self.hunk(line);
        }
        if line == b"GIT binary patch"
            && let Some(header) = &mut self.current
        {
            header.binary = true;
            return self.skip_binary_patch();
        }
        if let Some(header) = &mut self.current
            && header.open
        {
            return header.line(line).map_err(|why| self.lines.error(why));
        }
        Ok(())
    }

    fn next_starts_with(&self, prefix: &[u8]) -> bool {
        self.lines.peek().is_some_and(|line| line.starts_with(prefix))
    }

    /// Two blocks (forward and backward), each ended by an empty line; the data never starts a line with a header.
    fn skip_binary_patch(&mut self) -> Result<()> {
        while let Some(next) = self.lines.peek() {
            if next.starts_with(b"diff --git ") {
                break;
            }
            self.lines.next();
        }
        Ok(())
    }

    /// A hunk: its header and as many body lines as it announces, cut into runs of changed lines.
    fn hunk(&mut self, header_line: &[u8]) -> Result<()> {
        let Some(header) = &mut self.current else {
            return Err(self.lines.error("a hunk without a file header before it"));
        };
        header.open = false;
        let announced = hunk_header(header_line).ok_or_else(|| {
            self.lines.error(format!("broken hunk header `{}`", String::from_utf8_lossy(header_line)))
        })?;
        let Hunk { old_start, old_lines, new_start, new_lines } = announced;
        // An empty side starts after the line it names.
        let mut old = old_start + u32::from(old_lines == 0);
        let mut new = new_start + u32::from(new_lines == 0);
        if old < header.next_old || new < header.next_new {
            return Err(self.lines.error("a hunk that overlaps the one before it"));
        }
        let (old_end, new_end) = (old + old_lines, new + new_lines);
        let mut run = (old, new);
        while old < old_end || new < new_end {
            let Some(line) = self.lines.next() else {
                let why = format!(
                    "the diff ends inside a hunk that announces {} more old and {} more new lines",
                    old_end - old,
                    new_end - new
                );
                return Err(self.lines.error(why));
            };
            match line.first() {
                Some(b'+') if new < new_end => new += 1,
                Some(b'-') if old < old_end => old += 1,
                // Some programs strip the blank that stands for an empty context line.
                Some(b' ' | b'\r') | None if old < old_end && new < new_end => {
                    header.push_run(run, (old, new));
                    (old, new) = (old + 1, new + 1);
                    run = (old, new);
                }
                Some(b'\\') => {}
                _ => {
                    let why = format!(
                        "the hunk announces {} more old and {} more new lines, but here is `{}`",
                        old_end - old,
                        new_end - new,
                        shown(line)
                    );
                    return Err(self.lines.error(why));
                }
            }
            header.nul |= line.contains(&0);
            if self.keep_lines && !matches!(line.first(), Some(b'-' | b'\\')) {
                header.new_lines.push((new - 1, line.get(1..).unwrap_or_default()));
            }
        }
        header.push_run(run, (old, new));
        (header.next_old, header.next_new) = (old, new);
        Ok(())
    }

    fn finish_file(&mut self) -> Result<()> {
        let Some(mut header) = self.current.take() else { return Ok(()) };
        match header.finish().map_err(|why| self.lines.error(why))? {
            Started::File(file) => {
                if let (true, Some(path), false) = (self.keep_lines, &file.new_path, file.submodule || file.symlink) {
                    self.new_sides.push(NewSide { path: path.clone(), lines: header.new_lines });
                }
                self.files.push(file);
            }
            Started::Nothing => {}
        }
        Ok(())
    }
}

/// `@@ -12,3 +14 @@ anything`; a length left out is 1. `None` when broken or beyond 32 bits.
fn hunk_header(line: &[u8]) -> Option<Hunk> {
    let text = line.strip_prefix(b"@@ -")?;
    let end = text.windows(3).position(|w| w == b" @@")?;
    let (old, new) = std::str::from_utf8(&text[..end]).ok()?.split_once(" +")?;
    let side = |text: &str| -> Option<(u32, u32)> {
        let (start, lines) = text.split_once(',').unwrap_or((text, "1"));
        let (start, lines): (u32, u32) = (start.parse().ok()?, lines.parse().ok()?);
        // Room for one past the end, and a start of 0 only where nothing follows.
        start.checked_add(lines)?.checked_add(1)?;
        (start > 0 || lines == 0).then_some((start, lines))
    };
    let ((old_start, old_lines), (new_start, new_lines)) = (side(old)?, side(new)?);
    Some(Hunk { old_start, old_lines, new_start, new_lines })
}

/// The beginning of a line, for a message.
fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(60).collect()
}

/// git writes a change of type as a deletion followed by an addition of the same path.
fn merge_type_changes(files: Vec<FileDiff>) -> Vec<FileDiff> {
    let mut merged: Vec<FileDiff> = Vec::with_capacity(files.len());
    for file in files {
        match merged.last_mut() {
            Some(last)
                if last.status == Status::Deleted && file.status == Status::Added && last.old_path == file.new_path =>
            {
                let (old_path, old_blob) = (last.old_path.take(), last.old_blob.take());
                let submodule = last.submodule || file.submodule;
                *last = FileDiff { old_path, old_blob, submodule, status: Status::TypeChanged, ..file };
            }
            _ => merged.push(file),
        }
    }
    merged
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
