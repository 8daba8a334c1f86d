//! A revision that is not checked out, laid out in a folder of its own, and taken away again.

use super::{CommitId, Repo};
use crate::error::{Context, Error, Result};
use crate::process::Cmd;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs::File;

/// A detached worktree below the hunkmut directory. Dropping it removes it; [`Worktree::close`] also says if that
/// failed. While it lives, a lock file beside it (`<dir>.lock`) keeps other runs away from the same folder.
#[derive(Debug)]
pub struct Worktree {
    dir: Utf8PathBuf,
    repo: Repo,
    open: bool,
    _lock: File,
}

impl Repo {
    /// Checks a commit out into `dir`: no hooks, no submodules, no large-file downloads. What a killed run left there
    /// is removed first.
    ///
    /// # Errors
    /// When another run uses the folder, or git cannot fill it.
    pub fn worktree(&self, rev: &CommitId, dir: &Utf8Path) -> Result<Worktree> {
        self.try_worktree(rev, dir)?.ok_or_else(|| {
            Error::new(format!("check out {} in `{dir}`", rev.short()), "another run is using this folder")
                .hint("wait for it to end")
        })
    }

    /// Like [`Repo::worktree`], with `None` when another run uses the folder.
    pub(super) fn try_worktree(&self, rev: &CommitId, dir: &Utf8Path) -> Result<Option<Worktree>> {
        let doing = || format!("check out {} in `{dir}`", rev.short());
        let parent = dir.parent().ok_or_else(|| Error::new(doing(), "it has no parent folder"))?;
        std::fs::create_dir_all(parent).doing(doing)?;
        let lock = File::create(format!("{dir}.lock")).doing(doing)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
            Err(std::fs::TryLockError::Error(why)) => return Err(Error::new(doing(), why)),
        }
        // git knows worktrees by their real path.
        let parent = if cfg!(unix) { parent.canonicalize_utf8().doing(doing)? } else { parent.to_owned() };
        let dir = dir.file_name().map_or_else(|| parent.clone(), |name| parent.join(name));
        self.remove_worktree(&dir)?;
        // The guard exists before the folder, so that a checkout that fails half way is cleaned up too.
        let mut worktree = Worktree { dir, repo: self.clone(), open: true, _lock: lock };
        let add = self.writing_git().args(["worktree", "add", "--quiet", "--detach", "--force"]);
        if let Err(error) = add.args([worktree.dir.as_str(), rev.as_str()]).run() {
            worktree.remove()?;
            return Err(error);
        }
        Ok(Some(worktree))
    }

    fn writing_git(&self) -> Cmd {
        self.git()
            .args(["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"])
            .env("GIT_LFS_SKIP_SMUDGE", "1")
    }

    /// Unregisters and deletes a worktree, whether whole, locked by a killed `git worktree add`, or half gone. Never
    /// `git worktree prune`, which would also forget worktrees of the user's on a drive that is not mounted.
    fn remove_worktree(&self, dir: &Utf8Path) -> Result<()> {
        let listed = self.git().args(["worktree", "list", "--porcelain"]).run()?.stdout;
        let ours = format!("worktree {dir}");
        if listed.split(|b| *b == b'\n').any(|entry| entry == ours.as_bytes()) {
            self.writing_git().args(["worktree", "remove", "--force", "--force", dir.as_str()]).run()?;
        }
        match std::fs::remove_dir_all(dir) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(Error::new(format!("remove `{dir}`"), why)),
            _ => Ok(()),
        }
    }
}

impl Worktree {
    /// The folder with the revision's files, absolute.
    pub fn dir(&self) -> &Utf8Path {
        &self.dir
    }

    /// Removes the worktree now.
    ///
    /// # Errors
    /// When git or the file system refuses.
    pub fn close(mut self) -> Result<()> {
        self.remove()
    }

    fn remove(&mut self) -> Result<()> {
        if std::mem::take(&mut self.open) { self.repo.remove_worktree(&self.dir) } else { Ok(()) }
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        // Nobody is left to tell; what stays behind is removed by the next run that needs the folder.
        let _ = self.remove();
    }
}

#[cfg(test)]
#[path = "worktree_tests.rs"]
mod tests;
