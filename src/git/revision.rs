//! From what a user types (`main`, `HEAD~3`, a tag) to full commit IDs, with errors that say what to fetch.

use super::Repo;
use crate::error::{Error, Result};
use std::fmt;

/// A commit's full hexadecimal ID: 40 digits, or 64 in a SHA-256 repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(String);

impl CommitId {
    /// Takes a full ID as git prints it; `None` for anything else.
    pub fn parse(text: &str) -> Option<CommitId> {
        let hex = matches!(text.len(), 40 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        hex.then(|| CommitId(text.to_owned()))
    }

    /// The full ID.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 12 digits, for folder names and messages.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Repo {
    /// The commit that a revision names, tags peeled.
    ///
    /// # Errors
    /// An unknown revision, one that names no commit, and an unborn `HEAD`, each with what to do next.
    pub fn commit(&self, rev: &str) -> Result<CommitId> {
        match self.try_commit(rev)? {
            Some(id) => Ok(id),
            None => Err(self.unknown_revision(rev)?),
        }
    }

    /// The full ID of a commit's tree: the same for the same files, whatever the history.
    ///
    /// # Errors
    /// When git fails.
    pub fn tree_of(&self, commit: &CommitId) -> Result<String> {
        Ok(self.git().args(["rev-parse", "--verify", &format!("{commit}^{{tree}}")]).run()?.text().trim().to_owned())
    }

    /// When a commit was made: seconds since 1970, UTC, as its committer says.
    ///
    /// # Errors
    /// When git fails.
    pub fn committed_at(&self, commit: &CommitId) -> Result<i64> {
        let cmd = self.git().args(["show", "--no-patch", "--format=%ct", commit.as_str()]);
        let text = cmd.run()?.text();
        let doing = || format!("read the date of commit {}", commit.short());
        text.trim().lines().last().unwrap_or_default().parse().map_err(|why| Error::new(doing(), why))
    }

    /// Like [`Repo::commit`], with `None` for a revision that names no commit.
    fn try_commit(&self, rev: &str) -> Result<Option<CommitId>> {
        // git would take a leading dash for an option; no name of a revision has one.
        if rev.is_empty() || rev.starts_with('-') || rev.contains(['\n', '\0']) {
            return Ok(None);
        }
        let peeled = format!("{rev}^{{commit}}");
        let out = self.git().args(["rev-parse", "--verify", "--quiet", &peeled]).output()?;
        Ok(out.status.success().then(|| CommitId::parse(out.text().trim_end())).flatten())
    }

    /// What is wrong with a revision, looked at closely.
    fn unknown_revision(&self, rev: &str) -> Result<Error> {
        let error = |why: String| Error::new(format!("resolve revision `{rev}`"), why);
        if self.try_commit("HEAD")?.is_none() {
            let why = match self.git().args(["symbolic-ref", "--quiet", "--short", "HEAD"]).output()?.text().trim() {
                "" => "the repository's HEAD names no commit".to_owned(),
                branch => format!("branch `{branch}` has no commit yet"),
            };
            return Ok(
                error(why).hint("commit the state to compare with first, or check out a branch that has commits")
            );
        }
        let object = self.git().args(["rev-parse", "--verify", "--quiet", rev]).output()?;
        if object.status.success() && CommitId::parse(object.text().trim()).is_none_or(|id| self.has_object(&id)) {
            return Ok(error("it names no commit".into()).hint("give a branch, a tag or a commit ID"));
        }
        let remotes = self.remotes()?;
        for remote in &remotes {
            if self.try_commit(&format!("refs/remotes/{remote}/{rev}"))?.is_some() {
                return Ok(error("unknown revision".into()).hint(format!("did you mean `{remote}/{rev}`?")));
            }
        }
        let tracked = remotes.iter().find_map(|r| Some((r.as_str(), rev.strip_prefix(r.as_str())?.strip_prefix('/')?)));
        let (remote, branch) = tracked.unwrap_or((remotes.first().map_or("origin", String::as_str), rev));
        Ok(if self.is_shallow() {
            error("unknown revision, and this is a shallow clone".into()).hint(format!(
                "get the whole history with `git fetch --unshallow {remote}`, or the branch alone with \
                 `git fetch --depth=1000 {remote} {branch}:refs/remotes/{remote}/{branch}`"
            ))
        } else if remotes.is_empty() {
            error("unknown revision".into()).hint("`git branch --all` lists the branches there are")
        } else {
            error("unknown revision".into()).hint(format!(
                "check the spelling, or fetch it: `git fetch {remote} {branch}:refs/remotes/{remote}/{branch}`"
            ))
        })
    }

    fn has_object(&self, id: &CommitId) -> bool {
        self.git().args(["cat-file", "-e", id.as_str()]).output().is_ok_and(|out| out.status.success())
    }

    /// The commit at which two histories part: where `git diff A...B` starts.
    ///
    /// # Errors
    /// When there is none: unrelated histories, or a shallow clone that ends before it.
    pub fn merge_base(&self, a: &CommitId, b: &CommitId) -> Result<CommitId> {
        let cmd = self.git().args(["merge-base", a.as_str(), b.as_str()]);
        let out = cmd.output()?;
        match CommitId::parse(out.text().trim()) {
            Some(id) if out.status.success() => Ok(id),
            _ if out.status.code() == Some(1) => {
                let doing = format!("find the merge base of {} and {}", a.short(), b.short());
                Err(if self.is_shallow() {
                    let remote = self.remotes()?.into_iter().next().unwrap_or_else(|| "origin".into());
                    Error::new(doing, "this is a shallow clone, and its history ends before the two meet").hint(format!(
                        "get more history: `git fetch --unshallow {remote}` (or `git fetch --deepen=1000 {remote}`); \
                         with actions/checkout, set `fetch-depth: 0`"
                    ))
                } else {
                    Error::new(doing, "the two histories are unrelated").hint("choose another `--base`")
                })
            }
            _ => Err(cmd.failed(&out)),
        }
    }

    /// What to compare with when nobody says: the upstream's default branch, else `main`, else `master`.
    ///
    /// The upstream is the remote that the current branch tracks, else `origin`, else the only remote. Its default
    /// branch is what `refs/remotes/<remote>/HEAD` points to. A clone by a CI job often has neither that nor a local
    /// `main`, so the remote's `main` and `master` come last.
    ///
    /// # Errors
    /// When none of them exists; asks for `--base`.
    pub fn default_base(&self) -> Result<String> {
        let remote = self.upstream_remote()?;
        let mut candidates = Vec::new();
        if let Some(remote) = &remote {
            let head = format!("refs/remotes/{remote}/HEAD");
            let out = self.git().args(["symbolic-ref", "--quiet", "--short", &head]).output()?;
            candidates.extend(out.text().lines().next().map(str::to_owned));
        }
        candidates.extend(["main".to_owned(), "master".to_owned()]);
        candidates.extend(remote.iter().flat_map(|r| [format!("{r}/main"), format!("{r}/master")]));
        for candidate in candidates {
            let namespace = if candidate.contains('/') && !self.is_local(&candidate)? { "remotes" } else { "heads" };
            if self.try_commit(&format!("refs/{namespace}/{candidate}"))?.is_some() {
                return Ok(candidate);
            }
        }
        if self.try_commit("HEAD")?.is_none() {
            return Err(self.unknown_revision("HEAD")?);
        }
        Err(Error::new("choose a base", "no upstream default branch, no `main` and no `master` here")
            .hint("say what the patch is to be compared with: `--base REV`"))
    }

    fn is_local(&self, branch: &str) -> Result<bool> {
        Ok(self.try_commit(&format!("refs/heads/{branch}"))?.is_some())
    }

    fn remotes(&self) -> Result<Vec<String>> {
        Ok(self.git().arg("remote").run()?.text().lines().map(str::to_owned).collect())
    }

    fn upstream_remote(&self) -> Result<Option<String>> {
        let remotes = self.remotes()?;
        let branch = self.git().args(["symbolic-ref", "--quiet", "--short", "HEAD"]).output()?.text();
        let key = format!("branch.{}.remote", branch.trim_end());
        let tracked = self.git().args(["config", "--get", &key]).output()?.text();
        let known = |name: &str| remotes.iter().find(|r| *r == name).cloned();
        Ok(known(tracked.trim_end()).or_else(|| known("origin")).or_else(|| match remotes.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }))
    }
}

#[cfg(test)]
#[path = "revision_tests.rs"]
mod tests;
