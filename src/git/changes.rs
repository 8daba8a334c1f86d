//! Which files of the work tree differ from the index and `HEAD`, cheaply enough to ask again and again.

use super::Repo;
use super::state::Caches;
use crate::error::Result;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// Every path that git calls changed or untracked, with what tells one state of it from another.
pub type Changes = BTreeMap<String, Change>;

/// The state of a changed or untracked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// git's two letters, e.g. ` M`, ` D`, `??`.
    pub code: String,
    /// Modification time and size; `None` for what is gone.
    stamp: Option<(SystemTime, u64)>,
}

impl Repo {
    /// The changed and untracked files. What lies in folders tagged as caches does not count.
    ///
    /// # Errors
    /// When git fails.
    pub fn changes(&self) -> Result<Changes> {
        let status = self.git().args(["--no-optional-locks", "status", "--porcelain=v1", "-z", "--no-renames"]);
        let status = status.args(["--untracked-files=all", "--ignore-submodules=dirty"]).run()?;
        let mut caches = Caches::new(self.root());
        let mut changes = Changes::new();
        for entry in status.stdout.split(|b| *b == 0).filter(|entry| entry.len() > 3) {
            let path = String::from_utf8_lossy(&entry[3..]).into_owned();
            if entry.starts_with(b"?? ") && caches.hold(&path) {
                continue;
            }
            let meta = self.root().join(&path).symlink_metadata().ok();
            let stamp = meta.and_then(|meta| Some((meta.modified().ok()?, meta.len())));
            changes.insert(path, Change { code: String::from_utf8_lossy(&entry[..2]).into_owned(), stamp });
        }
        Ok(changes)
    }

    /// Writes files of the work tree again as the index has them. The index itself stays as it is.
    ///
    /// # Errors
    /// When git fails.
    pub fn restore(&self, paths: &[&str]) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        self.git().args(["checkout-index", "--force", "--"]).args(paths).run().map(|_| ())
    }
}

/// The paths whose state differs.
pub fn differing<'c>(before: &'c Changes, after: &'c Changes) -> Vec<&'c str> {
    let mut paths: Vec<&str> = before
        .iter()
        .filter(|(path, change)| after.get(*path) != Some(change))
        .map(|(path, _)| path.as_str())
        .chain(after.keys().filter(|path| !before.contains_key(*path)).map(String::as_str))
        .collect();
    paths.sort_unstable();
    paths
}

#[cfg(test)]
mod tests {
    use super::super::testing::TempRepo;
    use super::*;

    #[test]
    fn a_file_that_was_clean_can_be_told_and_restored() {
        let scratch = TempRepo::with(&[("kept.txt", "one\n"), ("edited.txt", "one\n")]);
        scratch.write("edited.txt", "two, by the user\n");
        let repo = scratch.open();
        let before = repo.changes().unwrap();
        std::fs::remove_file(repo.root().join("kept.txt")).unwrap();
        scratch.write("edited.txt", "and three\n");
        scratch.write("new.txt", "x\n");
        let after = repo.changes().unwrap();
        assert_eq!(differing(&before, &after), ["edited.txt", "kept.txt", "new.txt"]);
        repo.restore(&["kept.txt"]).unwrap();
        assert_eq!(std::fs::read_to_string(repo.root().join("kept.txt")).unwrap(), "one\n");
        assert_eq!(differing(&before, &repo.changes().unwrap()), ["edited.txt", "new.txt"]);
    }
}
