//! What is going on in the work tree: uncommitted changes, untracked files, an operation half done.

use super::Repo;
use super::repo::zero_separated;
use crate::error::{Context, Error, Result};
use camino::Utf8Path;
use std::collections::HashMap;

/// The first line that marks a folder as a cache, from the Cache Directory Tagging Specification. Cargo writes the tag into
/// every target folder.
const CACHE_TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// Makes a folder, if need be, and tags it as a cache, so that a run's own files are never taken for the user's where
/// nobody ignored the target folder.
///
/// # Errors
/// When the file system refuses.
pub fn mark_as_cache(dir: &Utf8Path) -> Result<()> {
    let tag = dir.join("CACHEDIR.TAG");
    if tag.exists() {
        return Ok(());
    }
    let text = [CACHE_TAG, b"\n# This folder holds what cargo-hunkmut can make again.\n"].concat();
    std::fs::create_dir_all(dir).and_then(|()| std::fs::write(&tag, text)).doing(|| format!("write `{tag}`"))
}

impl Repo {
    /// Files that git neither tracks nor ignores, in git's order. A nested repository ends with `/`. What lies in a
    /// folder with a `CACHEDIR.TAG` is no part of any patch and left out: a target folder that nobody ignored.
    ///
    /// # Errors
    /// When git fails.
    pub fn untracked(&self) -> Result<Vec<String>> {
        let cmd = self.git().args(["ls-files", "--others", "--exclude-standard", "--full-name", "-z"]);
        let mut caches = Caches::new(self.root());
        Ok(zero_separated(&cmd.run()?.stdout).into_iter().filter(|path| !caches.hold(path)).collect())
    }

    /// Whether the work tree differs from `HEAD`: tracked changes, or untracked files that are not ignored.
    ///
    /// # Errors
    /// When git fails.
    pub fn has_uncommitted(&self) -> Result<bool> {
        Ok(self.has_tracked_changes()? || !self.untracked()?.is_empty())
    }

    /// Whether a tracked file differs from `HEAD`, staged or not.
    pub(super) fn has_tracked_changes(&self) -> Result<bool> {
        let cmd =
            self.git().args(["status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=dirty"]);
        Ok(!cmd.run()?.stdout.is_empty())
    }

    /// The operation that is half done in this work tree, in git's own word for it.
    pub fn in_progress(&self) -> Option<&'static str> {
        const MARKS: [(&str, &str); 6] = [
            ("MERGE_HEAD", "merge"),
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("BISECT_LOG", "bisect"),
        ];
        MARKS.iter().find(|(mark, _)| self.git_dir().join(mark).exists()).map(|(_, word)| *word)
    }

    /// Checks that the work tree can be judged at all.
    ///
    /// # Errors
    /// When paths are unmerged: files with conflict marks are nobody's code.
    pub fn ensure_merged(&self) -> Result<()> {
        // One line for each side of a conflict: `<mode> <object> <stage>\t<path>`.
        let listed = zero_separated(&self.git().args(["ls-files", "--unmerged", "--full-name", "-z"]).run()?.stdout);
        let mut paths: Vec<&str> = listed.iter().filter_map(|entry| Some(entry.split_once('\t')?.1)).collect();
        paths.dedup();
        let Some(first) = paths.first() else { return Ok(()) };
        let operation = self.in_progress().unwrap_or("merge");
        let more = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
        Err(Error::new("judge the work tree", format!("a {operation} is in progress: `{first}`{more} is unmerged"))
            .hint(format!(
                "resolve the conflicts and `git add` them, or abort the {operation}; `--head REV` judges a commit"
            )))
    }
}

/// Which folders are tagged as caches, each looked at once.
pub(super) struct Caches<'a> {
    root: &'a Utf8Path,
    known: HashMap<String, bool>,
}

impl<'a> Caches<'a> {
    pub(super) fn new(root: &'a Utf8Path) -> Self {
        Caches { root, known: HashMap::new() }
    }

    /// Whether a folder above this path is tagged.
    pub(super) fn hold(&mut self, path: &str) -> bool {
        path.match_indices('/').any(|(end, _)| {
            let folder = &path[..end];
            if let Some(known) = self.known.get(folder) {
                return *known;
            }
            let tag = std::fs::read(self.root.join(folder).join("CACHEDIR.TAG"));
            let tagged = tag.is_ok_and(|text| text.starts_with(CACHE_TAG));
            self.known.insert(folder.to_owned(), tagged);
            tagged
        })
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
