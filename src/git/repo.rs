//! The repository that a directory belongs to, and what can be read out of it at a commit.

use super::command::{PATCH, git};
use super::revision::CommitId;
use crate::error::{Context, Error, Result};
use crate::process::Cmd;
use camino::{Utf8Path, Utf8PathBuf};

/// A git repository with a work tree (the main one or a linked one).
#[derive(Debug, Clone)]
pub struct Repo {
    root: Utf8PathBuf,
    git_dir: Utf8PathBuf,
    shallow: bool,
}

impl Repo {
    /// The repository around a directory.
    ///
    /// # Errors
    /// No repository, a bare one, a directory inside `.git`, a repository that git refuses to trust, or no git.
    pub fn discover(dir: &Utf8Path) -> Result<Repo> {
        let doing = || format!("find a git repository at `{dir}`");
        let asked = git(dir).args([
            "rev-parse",
            "--is-inside-work-tree",
            "--is-bare-repository",
            "--is-shallow-repository",
            "--absolute-git-dir",
        ]);
        let out = asked.output().map_err(|e| {
            let hint = if dir.is_dir() { "install git, or put it on the PATH" } else { "check the path" };
            Error::new(doing(), e.why()).hint(hint)
        })?;
        if !out.status.success() {
            let said = out.err_text();
            let error = Error::new(doing(), said.trim().trim_start_matches("fatal: "));
            return Err(if said.contains("not a git repository") {
                error.hint("run inside a repository, or make one: `git init`, then commit the state to compare with")
            } else {
                error
            });
        }
        let text = utf8(out.stdout).doing(doing)?;
        let mut answers = text.splitn(4, '\n');
        let mut answer = || answers.next().unwrap_or_default();
        let (inside, bare, shallow, git_dir) = (answer(), answer(), answer(), answer());
        if inside != "true" {
            let why = if bare == "true" { "it is a bare repository" } else { "this is inside the `.git` directory" };
            return Err(Error::new(doing(), why).hint(
                "run where the files are checked out: in a clone, or in a linked worktree (`git worktree add`)",
            ));
        }
        let top = utf8(git(dir).args(["rev-parse", "--show-toplevel"]).run()?.stdout).doing(doing)?;
        let top = Utf8PathBuf::from(strip_newline(&top));
        // On Windows the canonical form would be a verbatim path, which git and cargo do not take everywhere.
        let root = if cfg!(unix) { top.canonicalize_utf8().doing(doing)? } else { top };
        Ok(Repo { root, git_dir: strip_newline(git_dir).into(), shallow: shallow == "true" })
    }

    /// The top of the work tree, absolute, symbolic links resolved.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Whether the history is cut off (`git clone --depth`).
    pub fn is_shallow(&self) -> bool {
        self.shallow
    }

    /// This work tree's own git directory.
    pub(super) fn git_dir(&self) -> &Utf8Path {
        &self.git_dir
    }

    /// A git command at the root.
    pub(super) fn git(&self) -> Cmd {
        git(&self.root)
    }

    /// A file's bytes at a commit; `None` when the path is not there or is no file. A symbolic link's bytes are its
    /// target.
    ///
    /// # Errors
    /// When git fails.
    pub fn blob(&self, rev: &CommitId, path: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.blobs(rev, &[path])?.pop().flatten())
    }

    /// Like [`Repo::blob`] for many paths in one process, in the order asked.
    ///
    /// # Errors
    /// When git fails.
    pub fn blobs(&self, rev: &CommitId, paths: &[&str]) -> Result<Vec<Option<Vec<u8>>>> {
        let names = paths.iter().map(|path| {
            let name = format!("{rev}:{path}");
            // The batch is read by lines, so that a name with a line break has to be resolved beforehand.
            if name.contains('\n') { self.object(&name) } else { Ok(name) }
        });
        self.objects(&names.collect::<Result<Vec<_>>>()?)
    }

    /// The bytes of an object by its (possibly abbreviated) ID, when the repository has it and it is a file's.
    pub(super) fn blob_by_id(&self, id: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.objects(&[id.to_owned()])?.pop().flatten())
    }

    fn object(&self, name: &str) -> Result<String> {
        let out = self.git().args(["rev-parse", "--verify", "--quiet", name]).output()?;
        let id = out.text().lines().last().unwrap_or_default().to_owned();
        Ok(if id.is_empty() { "0".repeat(40) } else { id })
    }

    fn objects(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let cmd = self.git().args(["cat-file", "--batch"]).stdin((names.join("\n") + "\n").into_bytes());
        let bytes = cmd.run()?.stdout;
        let cut = || Error::new(format!("run `{cmd}`"), "its answer is cut short");
        let mut rest = bytes.as_slice();
        let mut found = Vec::with_capacity(names.len());
        for _ in names {
            let end = rest.iter().position(|b| *b == b'\n').ok_or_else(cut)?;
            let header = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            found.push(match contents(&header) {
                Some((kind, size)) => {
                    let body = rest.get(..size).ok_or_else(cut)?;
                    rest = rest.get(size + 1..).ok_or_else(cut)?;
                    (kind == "blob").then(|| body.to_vec())
                }
                None => None,
            });
        }
        Ok(found)
    }

    /// All files of a commit at or below `prefix` (`""` for all), submodules included, in git's order.
    ///
    /// # Errors
    /// When git fails.
    pub fn ls_tree(&self, rev: &CommitId, prefix: &str) -> Result<Vec<String>> {
        let mut cmd = self.git().args(["ls-tree", "-r", "-z", "--name-only", "--full-tree", rev.as_str()]);
        if !prefix.is_empty() {
            cmd = cmd.args(["--", prefix]);
        }
        Ok(zero_separated(&cmd.run()?.stdout))
    }

    /// The zero-context patch between two commits, in the one form that [`crate::diff::parse()`] is sure of.
    ///
    /// # Errors
    /// When git fails.
    pub fn diff_commits(&self, from: &CommitId, to: &CommitId) -> Result<Vec<u8>> {
        let cmd = self.git().args(["diff-tree", "-r"]).args(PATCH).args([from.as_str(), to.as_str(), "--"]);
        Ok(cmd.run()?.stdout)
    }

    /// Like [`Repo::diff_commits`], to the tracked files as they lie in the work tree, staged or not.
    ///
    /// # Errors
    /// When git fails.
    pub fn diff_working_tree(&self, from: &CommitId) -> Result<Vec<u8>> {
        Ok(self.git().arg("diff-index").args(PATCH).args([from.as_str(), "--"]).run()?.stdout)
    }
}

/// Kind and size from a header of `cat-file --batch`; `None` when it says that there is no such object.
fn contents(header: &str) -> Option<(&str, usize)> {
    let mut words = header.split(' ');
    let (id, kind, size) = (words.next()?, words.next()?, words.next()?);
    let whole = words.next().is_none() && CommitId::parse(id).is_some();
    whole.then(|| size.parse().ok().map(|size| (kind, size))).flatten()
}

/// The paths of a `-z` listing, broken bytes replaced.
pub(super) fn zero_separated(bytes: &[u8]) -> Vec<String> {
    let names = bytes.split(|b| *b == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

fn utf8(bytes: Vec<u8>) -> Result<String, &'static str> {
    String::from_utf8(bytes).map_err(|_| "its path is not UTF-8")
}

fn strip_newline(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

#[cfg(test)]
#[path = "repo_tests.rs"]
mod tests;
