//! A fingerprint of the user's work tree, index, refs and stash, to prove that a run left them alone.

use super::Repo;
use super::state::Caches;
use crate::error::Result;
use sha2::{Digest, Sha256};

impl Repo {
    /// Hex SHA-256 over `HEAD`, every ref, the stash, and each path that git calls changed or untracked together
    /// with its bytes. Folders tagged as caches do not count.
    ///
    /// # Errors
    /// When git fails.
    pub fn tree_digest(&self) -> Result<String> {
        let mut hash = Sha256::new();
        let mut part = |name: &str, bytes: &[u8]| {
            hash.update(format!("{name} {}\n", bytes.len()));
            hash.update(bytes);
        };
        // An unborn HEAD or an absent stash is a state like any other: the answer is empty.
        part("head", &self.git().args(["rev-parse", "--verify", "--quiet", "HEAD"]).output()?.stdout);
        part("branch", &self.git().args(["symbolic-ref", "--quiet", "HEAD"]).output()?.stdout);
        part("refs", &self.git().arg("for-each-ref").run()?.stdout);
        part("stash", &self.git().args(["stash", "list", "--format=%H"]).output()?.stdout);
        part("index", &self.git().args(["ls-files", "--stage", "-z"]).run()?.stdout);
        let status = self.git().args([
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=none",
        ]);
        let mut caches = Caches::new(self.root());
        for entry in status.run()?.stdout.split(|b| *b == 0).filter(|entry| entry.len() > 3) {
            let path = String::from_utf8_lossy(&entry[3..]);
            if !caches.hold(&path) {
                part("path", entry);
                part("bytes", &std::fs::read(self.root().join(&*path)).unwrap_or_default());
            }
        }
        Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
    }
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
