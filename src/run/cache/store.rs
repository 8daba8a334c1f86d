//! Entries on the disk: whole or not there, dated, and not for ever.

use crate::error::{Context, Result};
use crate::report::atomic;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::{Duration, SystemTime};

/// After this nobody believes an entry: the world around the repository has moved on.
const OLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// So many entries of a kind are kept, the newest.
const KEPT: usize = 32;

/// A larger entry is not written: reading it would take longer than it saves.
const LARGEST: usize = 64 << 20;

/// A folder of entries of one kind.
#[derive(Debug, Clone)]
pub struct Store {
    dir: Utf8PathBuf,
}

impl Store {
    /// The entries in a folder, which need not exist.
    pub fn at(dir: Utf8PathBuf) -> Store {
        Store { dir }
    }

    /// The entry with this name, if there is a readable one that is not too old.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        Some(self.read_dated(name)?.0)
    }

    /// As [`Store::read`], with its date.
    pub fn read_dated<T: DeserializeOwned>(&self, name: &str) -> Option<(T, SystemTime)> {
        let path = self.path(name);
        let written = path.metadata().and_then(|meta| meta.modified()).ok()?;
        // An entry from the future is none either.
        let age = SystemTime::now().duration_since(written).ok()?;
        let text = std::fs::read(&path).ok().filter(|_| age < OLD)?;
        let (digest, body) = text.split_at_checked(64)?;
        let whole = crate::text::sha256(body).as_bytes() == digest;
        let entry = whole.then(|| serde_json::from_slice(body).ok()).flatten()?;
        Some((entry, written))
    }

    /// Writes an entry of today and takes away the oldest ones that are too many.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write<T: Serialize>(&self, name: &str, entry: &T) -> Result<()> {
        self.write_dated(name, entry, SystemTime::now())
    }

    /// As [`Store::write`]; its date is that of the oldest thing in it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write_dated<T: Serialize>(&self, name: &str, entry: &T, date: SystemTime) -> Result<()> {
        let body = serde_json::to_vec(entry).doing(|| "write verdicts down for later runs".into())?;
        if body.len() > LARGEST {
            return Ok(());
        }
        let text = [crate::text::sha256(&body).as_bytes(), &body].concat();
        let path = self.path(name);
        atomic::write(&path, &text)?;
        let file = std::fs::File::options().write(true).open(&path);
        file.and_then(|file| file.set_modified(date)).doing(|| format!("date `{path}`"))?;
        self.prune();
        Ok(())
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        self.dir.join(format!("{name}.json"))
    }

    fn prune(&self) {
        let dated =
            |entry: camino::Utf8DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path().to_owned()));
        let entries = self.dir.read_dir_utf8().into_iter().flatten().flatten();
        let mut entries: Vec<(SystemTime, Utf8PathBuf)> = entries.filter_map(dated).collect();
        entries.sort_by(|one, other| other.cmp(one));
        for (_, path) in entries.iter().skip(KEPT) {
            let _ = remove(path);
        }
    }
}

fn remove(path: &Utf8Path) -> std::io::Result<()> {
    std::fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(dir: &tempfile::TempDir) -> Store {
        Store::at(Utf8Path::from_path(dir.path()).unwrap().join("runs"))
    }

    #[test]
    fn what_was_written_is_read_again_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        assert_eq!(store.read::<String>("a"), None);
        store.write("a", &"text").unwrap();
        assert_eq!(store.read::<String>("a").as_deref(), Some("text"));
        assert_eq!(store.read::<String>("b"), None);
    }

    #[test]
    fn an_entry_that_was_edited_or_is_cut_off_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        store.write("a", &"text").unwrap();
        let whole = std::fs::read_to_string(store.path("a")).unwrap();
        for broken in [whole.replace("text", "next"), whole[..whole.len() - 1].to_owned(), String::new()] {
            std::fs::write(store.path("a"), broken).unwrap();
            assert_eq!(store.read::<String>("a"), None);
        }
    }

    #[test]
    fn old_entries_and_those_of_the_future_are_none() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        store.write("a", &1).unwrap();
        let file = std::fs::File::options().write(true).open(store.path("a")).unwrap();
        for at in [SystemTime::now() - 2 * OLD, SystemTime::now() + OLD] {
            file.set_modified(at).unwrap();
            assert_eq!(store.read::<u32>("a"), None);
        }
    }

    #[test]
    fn the_newest_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        let made = |index: usize| SystemTime::now() - Duration::from_secs(1000 - index as u64);
        for index in 0..KEPT + 3 {
            store.write(&index.to_string(), &index).unwrap();
            let file = std::fs::File::options().write(true).open(store.path(&index.to_string())).unwrap();
            file.set_modified(made(index)).unwrap();
        }
        store.write("last", &0).unwrap();
        assert!(store.read::<usize>("0").is_none() && store.read::<usize>(&(KEPT + 2).to_string()).is_some());
    }
}
