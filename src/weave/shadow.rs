//! The shadow: woven files laid over the user's tree without touching it.
//!
//! A directory below the hunkmut directory mirrors the tree: woven files are real files, the directories on the way to
//! them are real directories, and everything else in these directories is a symbolic link to the user's own. So
//! relative `mod`, `#[path]`, `include!` and `include_str!` find what they would find at home. A file is written only
//! when its bytes change, because cargo looks at modification times.

use crate::error::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The mirror of one tree.
#[derive(Debug, Clone)]
pub struct Shadow {
    dir: Utf8PathBuf,
    tree: Utf8PathBuf,
    hidden: Utf8PathBuf,
}

impl Shadow {
    /// The shadow of `tree` below `hunkmut_dir`. Trees at different places have different shadows.
    pub fn new(hunkmut_dir: &Utf8Path, tree: &Utf8Path) -> Shadow {
        let key = &crate::text::sha256(tree.as_str())[..12];
        Shadow { dir: hunkmut_dir.join("shadow").join(key), tree: tree.to_owned(), hidden: hunkmut_dir.to_owned() }
    }

    /// The directory that mirrors the root of the tree.
    pub fn dir(&self) -> &Utf8Path {
        &self.dir
    }

    /// Where a file of the tree lies in the shadow. `path` is relative to the tree's root.
    pub fn path_of(&self, path: &str) -> Utf8PathBuf {
        self.dir.join(path)
    }

    /// Makes the shadow hold exactly these files as real ones; all others become links.
    ///
    /// # Errors
    /// When the shadow cannot be written (a full disk, say).
    pub fn lay(&self, files: &BTreeMap<String, String>) -> Result<()> {
        let mut dirs: BTreeSet<Utf8PathBuf> = BTreeSet::from([Utf8PathBuf::new()]);
        for path in files.keys() {
            dirs.extend(Utf8Path::new(path).ancestors().skip(1).map(Utf8Path::to_owned));
        }
        for dir in &dirs {
            self.mirror(dir, &dirs, files)?;
        }
        for (path, text) in files {
            write_if_changed(&self.path_of(path), text.as_bytes())?;
        }
        Ok(())
    }

    /// Brings one directory up to date. `dirs` are the real ones.
    fn mirror(&self, dir: &Utf8Path, dirs: &BTreeSet<Utf8PathBuf>, files: &BTreeMap<String, String>) -> Result<()> {
        let here = self.dir.join(dir);
        if fs::symlink_metadata(&here).is_ok_and(|meta| !meta.is_dir()) {
            fs::remove_file(&here).doing(|| format!("replace `{here}`"))?;
        }
        fs::create_dir_all(&here).doing(|| format!("create the shadow directory `{here}`"))?;
        let home = self.tree.join(dir);
        let mut wanted = BTreeSet::new();
        for entry in home.read_dir_utf8().doing(|| format!("list `{home}`"))? {
            let name = entry.doing(|| format!("list `{home}`"))?.file_name().to_owned();
            let original = home.join(&name);
            let relative = dir.join(&name);
            wanted.insert(name);
            if original == self.hidden || self.hidden.starts_with(&original) && original != self.tree {
                continue;
            }
            if dirs.contains(&relative) || files.contains_key(relative.as_str()) {
                let there = self.dir.join(&relative);
                if fs::symlink_metadata(&there).is_ok_and(|meta| meta.is_symlink()) {
                    fs::remove_file(&there).doing(|| format!("replace the link `{there}`"))?;
                }
                continue;
            }
            link(&original, &self.dir.join(&relative))?;
        }
        for entry in here.read_dir_utf8().doing(|| format!("list `{here}`"))? {
            let entry = entry.doing(|| format!("list `{here}`"))?;
            if !wanted.contains(entry.file_name()) {
                remove(entry.path())?;
            }
        }
        Ok(())
    }
}

/// Writes a file unless it has these bytes already.
pub fn write_if_changed(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) && fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).doing(|| format!("create `{dir}`"))?;
    }
    fs::write(path, bytes).doing(|| format!("write `{path}`"))
}

fn remove(path: &Utf8Path) -> Result<()> {
    let meta = fs::symlink_metadata(path).doing(|| format!("look at `{path}`"))?;
    let done = if meta.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    done.doing(|| format!("remove `{path}`"))
}

fn link(original: &Utf8Path, at: &Utf8Path) -> Result<()> {
    match fs::symlink_metadata(at) {
        Ok(meta) if meta.is_symlink() && fs::read_link(at).is_ok_and(|to| to == original.as_std_path()) => {
            return Ok(());
        }
        Ok(_) => remove(at)?,
        Err(_) => {}
    }
    symlink(original, at).doing(|| format!("link `{at}` to `{original}`"))
}

#[cfg(unix)]
fn symlink(original: &Utf8Path, at: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(original, at)
}

#[cfg(windows)]
fn symlink(original: &Utf8Path, at: &Utf8Path) -> std::io::Result<()> {
    if original.is_dir() {
        std::os::windows::fs::symlink_dir(original, at)
    } else {
        std::os::windows::fs::symlink_file(original, at)
    }
}

#[cfg(not(any(unix, windows)))]
fn symlink(_: &Utf8Path, _: &Utf8Path) -> std::io::Result<()> {
    Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "symbolic links are needed and not supported here"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn tree() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap().join("tree");
        for (path, text) in [("src/lib.rs", "lib"), ("src/a/b.rs", "b"), ("data/x.txt", "x"), ("Cargo.toml", "m")] {
            write_if_changed(&root.join(path), text.as_bytes()).unwrap();
        }
        (dir, root)
    }

    #[test]
    fn woven_files_are_real_and_the_rest_links_home() {
        let (_dir, root) = tree();
        let shadow = Shadow::new(&root.join("target/hunkmut"), &root);
        fs::create_dir_all(root.join("target/hunkmut")).unwrap();
        shadow.lay(&BTreeMap::from([("src/lib.rs".into(), "woven".into())])).unwrap();
        assert_eq!(fs::read_to_string(shadow.path_of("src/lib.rs")).unwrap(), "woven");
        assert_eq!(fs::read_to_string(shadow.path_of("src/../data/x.txt")).unwrap(), "x");
        assert_eq!(fs::read_to_string(shadow.path_of("src/a/b.rs")).unwrap(), "b");
        assert_eq!(fs::read_to_string(root.join("src/lib.rs")).unwrap(), "lib");
        assert!(!shadow.path_of("target").exists());
    }

    #[test]
    fn laying_again_restores_links_and_keeps_times_of_unchanged_files() {
        let (_dir, root) = tree();
        let shadow = Shadow::new(&root.join("target/hunkmut"), &root);
        let both = BTreeMap::from([("src/lib.rs".to_string(), "w".to_string()), ("src/a/b.rs".into(), "w".into())]);
        shadow.lay(&both).unwrap();
        let before = fs::metadata(shadow.path_of("src/lib.rs")).unwrap().modified().unwrap();
        fs::remove_file(root.join("data/x.txt")).unwrap();
        shadow.lay(&BTreeMap::from([("src/lib.rs".into(), "w".into())])).unwrap();
        assert_eq!(fs::metadata(shadow.path_of("src/lib.rs")).unwrap().modified().unwrap(), before);
        assert!(fs::symlink_metadata(shadow.path_of("src/a")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(shadow.path_of("src/a/b.rs")).unwrap(), "b");
    }
}
