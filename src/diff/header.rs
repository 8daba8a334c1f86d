//! What stands before a file's first hunk: names, modes, renames, or the mere statement that something differs.

use super::parse::{FileDiff, Hunk, Status};
use super::quoted;

/// A file header while it is being read, and the hunks found under it.
#[derive(Default)]
pub(super) struct Header<'a> {
    /// Whether header lines may still follow.
    pub open: bool,
    pub binary: bool,
    /// A body line holds a NUL byte.
    pub nul: bool,
    /// The lines that a hunk says the new side has, when they are wanted.
    pub new_lines: Vec<(u32, &'a [u8])>,
    /// Where the next hunk may start at the earliest.
    pub next_old: u32,
    pub next_new: u32,
    /// The path in `diff --git`, when both names agree.
    path: Option<String>,
    /// Whether a `diff --git` line stands above: only then do modes and renames follow.
    git: bool,
    from: Option<String>,
    to: Option<String>,
    old_name: Option<String>,
    new_name: Option<String>,
    status: Option<Status>,
    submodule: bool,
    symlink: bool,
    old_blob: Option<String>,
    hunks: Vec<Hunk>,
}

/// What a finished header stands for.
pub(super) enum Started {
    /// A file of the diff.
    File(FileDiff),
    /// Two lines of prose that look like names, without a hunk.
    Nothing,
}

impl<'a> Header<'a> {
    /// The header that a line begins, if it does. `--- ` begins one only when `+++ ` follows: a mail's text and a
    /// signature have lines of dashes too.
    pub fn start(line: &'a [u8], names_follow: impl Fn() -> bool) -> Option<Header<'a>> {
        if let Some(rest) = line.strip_prefix(b"diff --git ") {
            return Some(Header { open: true, git: true, path: quoted::header_path(rest), ..Header::default() });
        }
        if let Some(rest) = line.strip_prefix(b"Submodule ") {
            let path = Some(quoted::submodule_path(&String::from_utf8_lossy(rest))?.to_owned());
            return Some(Header { git: true, path, submodule: true, ..Header::default() });
        }
        let rest = line.strip_prefix(b"--- ").filter(|_| names_follow())?;
        Some(Header { open: true, old_name: quoted::name(rest), ..Header::default() })
    }

    /// Whether the `--- ` line of this very file may still come.
    pub fn waits_for_names(&self) -> bool {
        self.open && self.git && self.old_name.is_none()
    }

    /// A line between the first of the header and the first hunk.
    pub fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let broken = || format!("broken file name in `{}`", String::from_utf8_lossy(line));
        let name = |rest: &[u8]| quoted::name(rest).map(Some).ok_or_else(broken);
        let after = |prefix: &str| line.strip_prefix(prefix.as_bytes());
        if let Some(rest) = after("+++ ") {
            self.new_name = name(rest)?;
        } else if let Some(rest) = after("--- ") {
            self.old_name = name(rest)?;
        } else if after("Binary files ").is_some() {
            self.binary = true;
        } else if !self.git {
            // Prose between a plain diff's names and its hunks means nothing.
        } else if let Some(mode) = after("new file mode ") {
            self.status = Some(Status::Added);
            self.mode(mode);
        } else if let Some(mode) = after("deleted file mode ") {
            self.status = Some(Status::Deleted);
            self.mode(mode);
        } else if let Some(mode) = after("new mode ") {
            self.mode(mode);
        } else if let Some(rest) = after("rename from ") {
            (self.status, self.from) = (Some(Status::Renamed), name(rest)?);
        } else if let Some(rest) = after("copy from ") {
            (self.status, self.from) = (Some(Status::Copied), name(rest)?);
        } else if let Some(rest) = after("rename to ").or_else(|| after("copy to ")) {
            self.to = name(rest)?;
        } else if let Some(rest) = after("index ") {
            let mut words = rest.split(|b| *b == b' ');
            let ids = String::from_utf8_lossy(words.next().unwrap_or_default()).into_owned();
            let old = ids.split("..").next().unwrap_or_default();
            let is_id = old.len() >= 7 && old.bytes().all(|b| b.is_ascii_hexdigit()) && old.bytes().any(|b| b != b'0');
            self.old_blob = is_id.then(|| old.to_owned());
            self.mode(words.next().unwrap_or_default());
        }
        Ok(())
    }

    fn mode(&mut self, mode: &[u8]) {
        self.submodule |= mode == b"160000";
        self.symlink |= mode == b"120000";
    }

    /// Records the changed lines from `from` up to `to`, both (old, new) line numbers, if there are any.
    pub fn push_run(&mut self, from: (u32, u32), to: (u32, u32)) {
        let (old_lines, new_lines) = (to.0 - from.0, to.1 - from.1);
        if old_lines > 0 || new_lines > 0 {
            let old_start = from.0 - u32::from(old_lines == 0);
            let new_start = from.1 - u32::from(new_lines == 0);
            self.hunks.push(Hunk { old_start, old_lines, new_start, new_lines });
        }
    }

    /// The file that was described.
    pub fn finish(&mut self) -> Result<Started, String> {
        if !self.git && self.hunks.is_empty() && !self.binary {
            return Ok(Started::Nothing);
        }
        let null = |name: &Option<String>| name.as_deref() == Some("/dev/null");
        let status = match self.status {
            Some(status) => status,
            None if null(&self.old_name) => Status::Added,
            None if null(&self.new_name) => Status::Deleted,
            None => self.plain_status(),
        };
        let (old_path, new_path) = self.paths(status)?;
        for path in [&old_path, &new_path].into_iter().flatten() {
            if path.starts_with('/') || path.is_empty() || path.split('/').any(|part| part == "..") {
                return Err(format!("`{path}` is not a path below the repository's root"));
            }
        }
        // A NUL byte must not make a source file disappear from the scope.
        let source = new_path.as_deref().or(old_path.as_deref()).is_some_and(|path| path.ends_with(".rs"));
        Ok(Started::File(FileDiff {
            old_path,
            new_path,
            status,
            binary: self.binary || (self.nul && !source),
            submodule: self.submodule,
            symlink: self.symlink,
            old_blob: self.old_blob.take(),
            hunks: std::mem::take(&mut self.hunks),
        }))
    }

    /// A plain diff says "added" only by an old side that is empty from its first line on.
    fn plain_status(&self) -> Status {
        match (self.git, self.hunks.as_slice()) {
            (false, [Hunk { old_start: 0, old_lines: 0, .. }]) => Status::Added,
            (false, [Hunk { new_start: 0, new_lines: 0, .. }]) => Status::Deleted,
            _ => Status::Modified,
        }
    }

    fn paths(&mut self, status: Status) -> Result<(Option<String>, Option<String>), String> {
        if let (Some(from), Some(to)) = (self.from.take(), self.to.take()) {
            return Ok((Some(from), Some(to)));
        }
        let named = |name: &Option<String>| name.clone().filter(|name| name != "/dev/null");
        let (old, new) = (named(&self.old_name), named(&self.new_name));
        let path = match (self.path.take(), &old, &new) {
            (Some(path), _, _) => path,
            (None, Some(old), Some(new)) => quoted::common_path(old, new).unwrap_or_else(|| without_prefix(new)),
            (None, None, Some(name)) | (None, Some(name), None) => without_prefix(name),
            (None, None, None) => return Err("a file header without names before it".into()),
        };
        Ok(match status {
            Status::Added => (None, Some(path)),
            Status::Deleted => (Some(path), None),
            _ => (Some(path.clone()), Some(path)),
        })
    }
}

/// A lone name without the prefixes that git and habit put there.
fn without_prefix(name: &str) -> String {
    name.strip_prefix("a/")
        .or_else(|| name.strip_prefix("b/"))
        .or_else(|| name.strip_prefix("./"))
        .unwrap_or(name)
        .into()
}
