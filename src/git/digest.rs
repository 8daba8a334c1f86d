//! A fingerprint of the user's work tree, index, refs and stash, to prove that a run left them alone.

use super::Repo;
use super::state::Caches;
use crate::error::Result;
use camino::Utf8Path;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader};

fn part(hash: &mut Sha256, name: &str, bytes: &[u8]) {
    hash.update(format!("{name} {}\n", bytes.len()));
    hash.update(bytes);
}

impl Repo {
    /// Hex SHA-256 over `HEAD`, every ref and the stash: what `git describe` and the like could tell a test.
    ///
    /// # Errors
    /// When git fails.
    pub fn names_digest(&self) -> Result<String> {
        Ok(crate::text::hex(&self.names()?.finalize()))
    }

    fn names(&self) -> Result<Sha256> {
        let mut hash = Sha256::new();
        // An unborn HEAD or an absent stash is a state like any other: the answer is empty.
        part(&mut hash, "head", &self.git().args(["rev-parse", "--verify", "--quiet", "HEAD"]).output()?.stdout);
        part(&mut hash, "branch", &self.git().args(["symbolic-ref", "--quiet", "HEAD"]).output()?.stdout);
        part(&mut hash, "refs", &self.git().arg("for-each-ref").run()?.stdout);
        part(&mut hash, "stash", &self.git().args(["stash", "list", "--format=%H"]).output()?.stdout);
        Ok(hash)
    }

    /// Hex SHA-256 over `HEAD`, every ref, the stash, and each path that git calls changed or untracked together
    /// with its bytes. Untracked files in folders tagged as caches do not count.
    ///
    /// # Errors
    /// When git fails.
    pub fn tree_digest(&self) -> Result<String> {
        let mut hash = self.names()?;
        part(&mut hash, "index", &self.git().args(["ls-files", "--stage", "-z"]).run()?.stdout);
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
            if !(entry.starts_with(b"?? ") && caches.hold(&path)) {
                part(&mut hash, "path", entry);
                part(&mut hash, "bytes", &file_digest(&self.root().join(&*path)));
            }
        }
        Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
    }
}

/// SHA-256 of a file's bytes, read piece by piece: an untracked file may be larger than memory. Empty for what cannot be
/// read: a deleted file, a submodule.
pub(super) fn file_digest(file: &Utf8Path) -> Vec<u8> {
    let digest = || -> std::io::Result<Vec<u8>> {
        let mut hash = Sha256::new();
        let mut reader = BufReader::with_capacity(1 << 16, File::open(file)?);
        loop {
            let piece = reader.fill_buf()?;
            if piece.is_empty() {
                return Ok(hash.finalize().to_vec());
            }
            hash.update(piece);
            let read = piece.len();
            reader.consume(read);
        }
    };
    digest().unwrap_or_default()
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
