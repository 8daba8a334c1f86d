//! What the files of a work tree hold, as far as a test could read them: tracked and untracked files by their bytes,
//! ignored ones likewise, as far as they are few and small.

use super::Repo;
use super::digest::file_digest;
use super::repo::zero_separated;
use super::state::Caches;
use crate::error::Result;
use crate::text::hex;
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

/// More ignored files than this are not looked at one by one.
const MOST: usize = 20_000;

/// So many bytes of ignored files are read; of what is left, or larger alone, size and age have to do.
const READ: u64 = 32 << 20;

impl Repo {
    /// Every tracked or untracked path with what tells its contents from others: git's object and mode, or the digest
    /// of the bytes where they differ from the index. `None` when a changed submodule or nested repository makes that
    /// impossible to say. Files in folders tagged as caches do not count.
    ///
    /// # Errors
    /// When git fails.
    pub fn contents(&self) -> Result<Option<BTreeMap<String, String>>> {
        let ask = ["ls-files", "-v", "--stage", "--full-name", "-z", "--", "."];
        let listed = self.git().args(ask).cwd(self.root()).run()?;
        // `<tag> <mode> <object> <stage>\t<path>`
        let entry = |entry: String| {
            let (what, path) = entry.split_once('\t')?;
            let file = self.root().join(path);
            let (tag, what) = what.split_at_checked(1)?;
            let is_unasked = tag == "S" || tag.chars().all(|tag| tag.is_ascii_lowercase());
            let what = match is_unasked {
                // Whether such a file is changed git has been told not to say.
                true => format!("{what} {}", hex(&file_digest(&file))),
                // Line ends that git converts do not change a file for it, and do change its size.
                false => format!("{what} {}", file.symlink_metadata().map_or(0, |meta| meta.len())),
            };
            Some((path.to_owned(), what))
        };
        let mut contents: BTreeMap<String, String> =
            zero_separated(&listed.stdout).into_iter().filter_map(entry).collect();
        let status = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"];
        let status = self.git().args(status).arg("--ignore-submodules=none").run()?;
        let mut caches = Caches::new(self.root());
        for entry in status.stdout.split(|b| *b == 0).filter(|entry| entry.len() > 3) {
            let Ok(path) = std::str::from_utf8(&entry[3..]) else { return Ok(None) };
            if entry.starts_with(b"?? ") && caches.hold(path) {
                continue;
            }
            let file = self.root().join(path);
            match file.symlink_metadata() {
                Ok(meta) if meta.is_dir() => return Ok(None),
                Ok(_) => contents.insert(path.to_owned(), format!("bytes {}", hex(&file_digest(&file)))),
                Err(_) => contents.remove(path),
            };
        }
        Ok(Some(contents))
    }

    /// A digest over every ignored file: its bytes, or size and age where there is too much to read. Tagged cache folders
    /// and the folders `apart` do not count. `None` when there are too many to look at.
    ///
    /// # Errors
    /// When git fails.
    pub fn ignored_digest(&self, apart: &[&Utf8Path]) -> Result<Option<String>> {
        let ask = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "--full-name", "-z"];
        let listed = self.git().args(ask).cwd(self.root()).run()?;
        let mut caches = Caches::new(self.root());
        let mut open: Vec<Utf8PathBuf> = zero_separated(&listed.stdout).into_iter().map(Utf8PathBuf::from).collect();
        let mut found = BTreeMap::new();
        while let Some(path) = open.pop() {
            let place = self.root().join(path.as_str().trim_end_matches('/'));
            let Some(meta) = place.symlink_metadata().ok().filter(|_| !apart.contains(&place.as_path())) else {
                continue;
            };
            if meta.is_dir() {
                if !caches.hold(path.join("x").as_str()) {
                    open.extend(children(self.root(), &path));
                }
            } else {
                let age = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
                found.insert(path, (meta.len(), age.unwrap_or_default()));
            }
            if found.len() + open.len() > MOST {
                return Ok(None);
            }
        }
        let mut hash = Sha256::new();
        let mut left = READ;
        for (path, (size, age)) in found {
            let read = size <= left;
            left -= if read { size } else { 0 };
            // a file that others make anew each time is the same file
            let what = if read { hex(&file_digest(&self.root().join(&path))) } else { format!("{size} {age:?}") };
            hash.update(format!("{path:?} {what}\n"));
        }
        Ok(Some(hex(&hash.finalize())))
    }
}

/// What lies in a folder. One that cannot be read cannot be read by a test either.
fn children(root: &Utf8Path, dir: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = root.join(dir).read_dir_utf8();
    entries.into_iter().flatten().flatten().map(|entry| dir.join(entry.file_name())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::TempRepo;

    #[test]
    fn contents_change_with_bytes_committed_or_not_and_not_with_commits() {
        let repo = TempRepo::with(&[("a", "1"), ("b", "2")]);
        let first = repo.open().contents().unwrap().unwrap();
        assert_eq!(first.keys().collect::<Vec<_>>(), ["a", "b"]);
        repo.write("a", "other");
        repo.write("new", "3");
        let edited = repo.open().contents().unwrap().unwrap();
        assert!(edited["a"] != first["a"] && edited["b"] == first["b"] && edited.contains_key("new"));
        repo.write("a", "1");
        repo.remove("new");
        repo.git(&["commit", "-q", "--allow-empty", "-m", "nothing"]);
        assert_eq!(repo.open().contents().unwrap().unwrap(), first);
    }

    #[test]
    fn files_that_git_calls_unchanged_are_looked_at_where_it_does_not_know() {
        let repo = TempRepo::with(&[("a", "1"), ("b", "1"), ("c", "1\n"), (".gitattributes", "c text\n")]);
        let contents = || repo.open().contents().unwrap().unwrap();
        repo.git(&["update-index", "--assume-unchanged", "a"]);
        repo.git(&["update-index", "--skip-worktree", "b"]);
        let first = contents();
        for (path, text) in [("a", "2"), ("b", "2"), ("c", "1\r\n")] {
            repo.write(path, text);
            let now = contents();
            let differing: Vec<_> = now.iter().filter(|(path, what)| first[*path] != **what).collect();
            assert!(differing.iter().any(|(differs, _)| *differs == path), "{path}: {differing:?}");
        }
    }

    #[test]
    fn a_nested_repository_makes_it_unknown() {
        let repo = TempRepo::with(&[("a", "1")]);
        repo.write("nested/file", "1");
        repo.git(&["init", "-q", "nested"]);
        repo.git(&["-C", "nested", "add", "."]);
        repo.git(&["-C", "nested", "-c", "user.name=T", "-c", "user.email=t@e", "commit", "-q", "-m", "x"]);
        assert_eq!(repo.open().contents().unwrap(), None);
    }

    #[test]
    fn ignored_files_count_and_caches_do_not() {
        let repo = TempRepo::with(&[(".gitignore", "target/\ndata/\nout/\n.env\n")]);
        let digest = || repo.open().ignored_digest(&[&repo.root.join("out")]).unwrap().unwrap();
        let none = digest();
        repo.write("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55");
        repo.write("target/debug/x", "1");
        repo.write("out/x", "1");
        assert_eq!(digest(), none);
        repo.write("data/deep/er", "1");
        let data = digest();
        assert_ne!(data, none);
        repo.write("data/deep/er", "12");
        assert_ne!(digest(), data);
    }
}
