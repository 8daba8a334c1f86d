//! Where files are read from, and how their paths are written.

use crate::workspace::canonical;
use camino::{Utf8Path, Utf8PathBuf};
use std::io;

/// Where files are read from.
pub trait Files {
    /// The bytes of a file.
    ///
    /// # Errors
    /// As reading a file fails; [`io::ErrorKind::NotFound`] when there is none.
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>>;

    /// The path without symbolic links, so that one file has one name.
    fn real(&self, path: &Utf8Path) -> Utf8PathBuf;
}

/// The file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        canonical(path)
    }
}

/// The path of a file in the repository with `/`, or its absolute path when it lies outside.
pub fn relative(root: &Utf8Path, path: &Utf8Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    if cfg!(windows) { inside.as_str().replace('\\', "/") } else { inside.as_str().to_owned() }
}

/// The path with `.` and `name/..` taken out, without looking at the disk.
pub fn normal(path: &Utf8Path) -> Utf8PathBuf {
    use camino::Utf8Component as C;
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            C::CurDir => {}
            C::ParentDir if matches!(out.components().next_back(), Some(C::Normal(_))) => {
                out.pop();
            }
            C::ParentDir | C::Normal(_) | C::Prefix(_) | C::RootDir => out.push(part.as_str()),
        }
    }
    out
}
