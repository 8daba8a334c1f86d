//! The question of a run, resolved once: which two states are compared, what differs, and where the new one lies.
//!
//! The diff goes from the merge base of base and head to the head, as `git diff BASE...HEAD`. Without `--head` the head
//! is the work tree: `HEAD` plus tracked changes plus untracked, not ignored files.

use super::{CommitId, Repo, Worktree, mark_as_cache};
use crate::diff::{self, FileDiff, Hunk, Status};
use crate::error::{Context, Error, Result};
use camino::{Utf8Path, Utf8PathBuf};
use std::io::BufRead;

/// Base and head of a run and what lies between them.
#[derive(Debug)]
pub struct Comparison {
    /// What `--base` (or the default) resolved to.
    pub base: CommitId,
    /// The merge base of base and head: the old side.
    pub merge_base: CommitId,
    /// The commit that is the new side; `None` when uncommitted changes are part of it, and for a diff handed over.
    pub head: Option<CommitId>,
    /// The commit under the new side, even when more lies on top of it.
    pub head_commit: CommitId,
    /// Whether uncommitted changes are part of the new side.
    pub dirty: bool,
    /// The changed files.
    pub files: Vec<FileDiff>,
    /// The folder in which the new side's files lie: the user's own root, or a worktree that goes with this value.
    pub tree: Utf8PathBuf,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    worktree: Option<Worktree>,
    /// The diff that takes the place of git's, as it was handed over.
    handed_over: Option<Vec<u8>>,
}

impl Comparison {
    /// Resolves the options `--base`, `--head` and `--in-diff` (the diff's bytes). `hunkmut_dir` is absolute; what lies
    /// below it is never part of a patch, and a head that is not checked out is laid out in its `worktrees` folder.
    ///
    /// # Errors
    /// Revisions that do not resolve, no merge base, unmerged paths, a diff that cannot be read or does not fit the
    /// tree, or git's own failures.
    pub fn resolve(
        repo: &Repo,
        base: Option<&str>,
        head: Option<&str>,
        in_diff: Option<&[u8]>,
        hunkmut_dir: &Utf8Path,
    ) -> Result<Comparison> {
        let handed_over = in_diff.map(diff::parse).transpose()?;
        let checked_out = repo.commit("HEAD");
        let head_commit = match head {
            Some(rev) => repo.commit(rev)?,
            None => checked_out.clone()?,
        };
        let base = match base {
            Some(rev) => repo.commit(rev)?,
            None => match repo.default_base() {
                Ok(rev) => repo.commit(&rev)?,
                // A diff brings its own old side along; only the policy is read from the base.
                Err(_) if handed_over.is_some() => head_commit.clone(),
                Err(error) => return Err(error),
            },
        };
        let merge_base = repo.merge_base(&base, &head_commit)?;
        let mut notes = Vec::new();
        if repo.is_shallow() {
            notes.push("this is a shallow clone: the merge base is the best that its history shows".to_owned());
        }
        let mut untracked = repo.untracked()?;
        // A folder that does not exist yet has no real path, and nothing in it either.
        let real_dir = hunkmut_dir.canonicalize_utf8().unwrap_or_else(|_| hunkmut_dir.to_owned());
        if let Ok(ours) = real_dir.strip_prefix(repo.root()) {
            untracked.retain(|path| !Utf8Path::new(path).starts_with(ours));
        }
        let uncommitted = repo.has_tracked_changes()? || !untracked.is_empty();

        let in_place = match head {
            None => {
                repo.ensure_merged()?;
                notes.extend(repo.in_progress().map(|what| format!("a {what} is in progress in this work tree")));
                true
            }
            Some(_) => !uncommitted && checked_out.is_ok_and(|commit| commit == head_commit),
        };
        let worktree = if in_place { None } else { Some(free_worktree(repo, &head_commit, hunkmut_dir)?) };
        let tree = worktree.as_ref().map_or(repo.root(), Worktree::dir).to_owned();
        let dirty = head.is_none() && uncommitted;
        let head = (!dirty && handed_over.is_none()).then(|| head_commit.clone());
        let files = match handed_over {
            Some(files) => {
                let sides = diff::new_sides(in_diff.unwrap_or_default())?;
                sides.iter().try_for_each(|side| ensure_fits(side, &tree))?;
                files
            }
            None if dirty => {
                let mut files = diff::parse(&repo.diff_working_tree(&merge_base)?)?;
                add_untracked(repo, &merge_base, &mut files, &untracked, &mut notes)?;
                files
            }
            None => diff::parse(&repo.diff_commits(&merge_base, &head_commit)?)?,
        };
        notes.extend(files.iter().filter_map(skipped));
        Ok(Comparison {
            base,
            merge_base,
            head,
            head_commit,
            dirty,
            files,
            tree,
            notes,
            worktree,
            handed_over: in_diff.map(<[u8]>::to_vec),
        })
    }

    /// A commit by itself, laid out in `dir` for as long as this value lives: nothing differs from anything.
    ///
    /// # Errors
    /// When the folder is in use, or git cannot fill it.
    pub fn of_commit(repo: &Repo, commit: &CommitId, dir: &Utf8Path) -> Result<Comparison> {
        let worktree = repo.worktree(commit, dir)?;
        Ok(Comparison {
            base: commit.clone(),
            merge_base: commit.clone(),
            head: Some(commit.clone()),
            head_commit: commit.clone(),
            dirty: false,
            files: Vec::new(),
            tree: worktree.dir().to_owned(),
            notes: Vec::new(),
            worktree: Some(worktree),
            handed_over: None,
        })
    }

    /// The same question once more, over the same tree, which stays the first value's to take away.
    pub fn again(&self) -> Comparison {
        Comparison {
            base: self.base.clone(),
            merge_base: self.merge_base.clone(),
            head: self.head.clone(),
            head_commit: self.head_commit.clone(),
            dirty: self.dirty,
            files: self.files.clone(),
            tree: self.tree.clone(),
            notes: self.notes.clone(),
            worktree: None,
            handed_over: self.handed_over.clone(),
        }
    }

    /// The old side's bytes of a file; `None` when the old side does not have it. A diff handed over names its old side
    /// by object ID where it can, which need not be the merge base's.
    ///
    /// # Errors
    /// When git fails.
    pub fn base_text(&self, repo: &Repo, file: &FileDiff) -> Result<Option<Vec<u8>>> {
        let Some(path) = &file.old_path else { return Ok(None) };
        if self.handed_over.is_some()
            && let Some(id) = &file.old_blob
            && let Some(bytes) = repo.blob_by_id(id)?
        {
            return Ok(Some(bytes));
        }
        repo.blob(&self.merge_base, path)
    }

    /// [`Comparison::base_text`] of many files. git is asked once, however many there are.
    ///
    /// # Errors
    /// When git fails.
    pub fn base_texts(&self, repo: &Repo, files: &[&FileDiff]) -> Result<Vec<Option<Vec<u8>>>> {
        if self.handed_over.is_some() {
            return files.iter().map(|file| self.base_text(repo, file)).collect();
        }
        let paths: Vec<&str> = files.iter().filter_map(|file| file.old_path.as_deref()).collect();
        let mut texts = repo.blobs(&self.merge_base, &paths)?.into_iter();
        Ok(files.iter().map(|file| file.old_path.as_ref().and_then(|_| texts.next().flatten())).collect())
    }

    /// The patch as it was handed over, else as git prints it, without context. Untracked files are part of a patch, and
    /// not of this text.
    ///
    /// # Errors
    /// When git fails.
    pub fn patch(&self, repo: &Repo) -> Result<Vec<u8>> {
        match (&self.handed_over, &self.head) {
            (Some(diff), _) => Ok(diff.clone()),
            (None, Some(head)) => repo.diff_commits(&self.merge_base, head),
            (None, None) => repo.diff_working_tree(&self.merge_base),
        }
    }

    /// Which of these paths the patch adds, changes, moves or deletes.
    pub fn touched<'a>(&self, paths: &'a [String]) -> Vec<&'a str> {
        let touches = |file: &FileDiff, path: &String| {
            file.old_path.as_ref() == Some(path) || file.new_path.as_ref() == Some(path)
        };
        let touched = paths.iter().filter(|path| self.files.iter().any(|file| touches(file, path)));
        touched.map(String::as_str).collect()
    }

    /// Whether the new side lies in the user's own work tree.
    pub fn in_place(&self) -> bool {
        self.worktree.is_none()
    }

    /// Removes the worktree, if there is one, and says if that failed; dropping removes it silently.
    ///
    /// # Errors
    /// When git or the file system refuses.
    pub fn close(self) -> Result<()> {
        self.worktree.map_or(Ok(()), Worktree::close)
    }
}

/// The commit's own worktree folder, or a numbered one beside it while another run uses that.
fn free_worktree(repo: &Repo, commit: &CommitId, hunkmut_dir: &Utf8Path) -> Result<Worktree> {
    mark_as_cache(hunkmut_dir)?;
    let folder = hunkmut_dir.join("worktrees");
    let names = (1..=9).map(|n| if n == 1 { commit.short().to_owned() } else { format!("{}-{n}", commit.short()) });
    for name in names {
        if let Some(worktree) = repo.try_worktree(commit, &folder.join(name))? {
            return Ok(worktree);
        }
    }
    Err(Error::new(format!("check out {} below `{folder}`", commit.short()), "nine runs are using it already")
        .hint("wait for one of them to end"))
}

/// Untracked files are new ones, all of their lines added; one with the very bytes of a deleted file is its rename.
fn add_untracked(
    repo: &Repo,
    merge_base: &CommitId,
    files: &mut Vec<FileDiff>,
    untracked: &[String],
    notes: &mut Vec<String>,
) -> Result<()> {
    for path in untracked {
        if path.ends_with('/') {
            notes.push(format!("skipped `{path}`: an untracked repository inside this one"));
            continue;
        }
        // Taken out of the index but kept on disk: git says "deleted" and "untracked" of one and the same path.
        files.retain(|file| !(file.status == Status::Deleted && file.old_path.as_ref() == Some(path)));
        let new = Untracked::read(&repo.root().join(path)).doing(|| format!("read untracked file `{path}`"))?;
        let original = new.position_of_original(repo, merge_base, files)?;
        let (old_path, old_blob) = original.map_or((None, None), |at| {
            let moved = files.remove(at);
            (moved.old_path, moved.old_blob)
        });
        let added = Hunk { old_start: 0, old_lines: 0, new_start: 1, new_lines: new.lines };
        files.push(FileDiff {
            status: if old_path.is_some() { Status::Renamed } else { Status::Added },
            hunks: if old_path.is_some() || new.lines == 0 { Vec::new() } else { vec![added] },
            old_path,
            new_path: Some(path.clone()),
            binary: new.nul && !path.ends_with(".rs"),
            submodule: false,
            symlink: new.symlink,
            old_blob,
        });
    }
    Ok(())
}

/// What has to be known about an untracked file, read piece by piece: it may be larger than memory.
struct Untracked {
    file: Utf8PathBuf,
    symlink: bool,
    size: u64,
    /// As a diff counts them: a last one without an end counts.
    lines: u32,
    nul: bool,
}

impl Untracked {
    fn read(file: &Utf8Path) -> std::io::Result<Untracked> {
        let symlink = std::fs::symlink_metadata(file)?.is_symlink();
        let mut new = Untracked { file: file.to_owned(), symlink, size: 0, lines: 0, nul: false };
        if symlink {
            // Its content is the target, in one line.
            new.lines = 1;
            return Ok(new);
        }
        let mut reader = std::io::BufReader::with_capacity(1 << 16, std::fs::File::open(file)?);
        let mut open = false;
        loop {
            let piece = reader.fill_buf()?;
            let Some(last) = piece.last() else { break };
            open = *last != b'\n';
            new.nul |= piece.contains(&0);
            new.lines = new.lines.saturating_add(piece.iter().map(|b| u32::from(*b == b'\n')).sum());
            new.size += piece.len() as u64;
            let read = piece.len();
            reader.consume(read);
        }
        new.lines = new.lines.saturating_add(u32::from(open));
        Ok(new)
    }

    /// The deleted file that has the very same bytes.
    fn position_of_original(&self, repo: &Repo, merge_base: &CommitId, files: &[FileDiff]) -> Result<Option<usize>> {
        if self.symlink || self.size == 0 {
            return Ok(None);
        }
        let alike = |file: &FileDiff| {
            let lines: u64 = file.hunks.iter().map(|hunk| u64::from(hunk.old_lines)).sum();
            file.status == Status::Deleted && !file.symlink && lines == u64::from(self.lines)
        };
        for (at, file) in files.iter().enumerate().filter(|(_, file)| alike(file)) {
            let old = file.old_path.as_deref().map(|path| repo.blob(merge_base, path)).transpose()?.flatten();
            let same =
                |old: &Vec<u8>| old.len() as u64 == self.size && std::fs::read(&self.file).is_ok_and(|new| new == *old);
            if old.as_ref().is_some_and(same) {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}

/// A diff handed over must describe the tree it is judged on: every line that it says is there has to be there.
fn ensure_fits(side: &diff::NewSide<'_>, tree: &Utf8Path) -> Result<()> {
    let path = &side.path;
    let error = |why: String| {
        Err(Error::new(format!("match the diff to `{tree}`"), why)
            .hint("the diff's new side must be the tree that is judged; paths count from the repository's root"))
    };
    let Ok(bytes) = std::fs::read(tree.join(path)) else {
        return error(format!("`{path}` of the diff is not there"));
    };
    let text = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
    let there: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    let differs = side
        .lines
        .iter()
        .find(|(number, line)| there.get(*number as usize - 1).is_none_or(|there| text(there) != text(line)));
    match differs {
        Some((number, line)) => {
            let line = String::from_utf8_lossy(line);
            error(format!("line {number} of `{path}` is not `{}`, as the diff says", line.trim()))
        }
        None => Ok(()),
    }
}

/// The note about a file that nothing can be said about.
fn skipped(file: &FileDiff) -> Option<String> {
    let path = file.path();
    if file.submodule {
        Some(format!("skipped `{path}`: a submodule"))
    } else if file.binary {
        Some(format!("skipped `{path}`: binary"))
    } else if path.contains('\u{fffd}') {
        Some(format!("skipped `{path}`: its name is not UTF-8"))
    } else {
        None
    }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
