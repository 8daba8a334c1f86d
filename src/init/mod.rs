//! `cargo hunkmut init`: the first files of a project that wants to be judged.
//!
//! A commented policy, and on request a CI pipeline, recipes for task runners and a git hook. Nothing that exists is
//! ever overwritten.

mod cargo_mutants;
mod templates;

pub use cargo_mutants::{FILE as CARGO_MUTANTS, Migration, migrate};
pub use templates::Template;

use crate::error::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use std::io::{ErrorKind, Write};

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where.
    pub path: Utf8PathBuf,
    /// What.
    pub text: String,
    /// Whether it is a program.
    pub executable: bool,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is new.
    New,
    /// There was one already, and it is as it was.
    Kept,
}

/// Writes a file unless there is one.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write(file: &File) -> Result<Written> {
    let doing = || format!("write `{}`", file.path);
    if let Some(dir) = file.path.parent().filter(|dir| !dir.as_str().is_empty()) {
        std::fs::create_dir_all(dir).doing(|| format!("create `{dir}`"))?;
    }
    // One call asks and makes, so that a file of somebody quicker is kept too.
    let mut handle = match std::fs::OpenOptions::new().write(true).create_new(true).open(&file.path) {
        Ok(handle) => handle,
        Err(why) if why.kind() == ErrorKind::AlreadyExists => return Ok(Written::Kept),
        Err(why) => return Err(crate::error::Error::new(doing(), why)),
    };
    handle.write_all(file.text.as_bytes()).doing(doing)?;
    if file.executable {
        make_executable(&file.path)?;
    }
    Ok(Written::New)
}

#[cfg(unix)]
fn make_executable(path: &Utf8Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).doing(|| format!("make `{path}` executable"))
}

#[cfg(not(unix))]
fn make_executable(_: &Utf8Path) -> Result<()> {
    // Git for Windows runs hooks by their first line.
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_exists_is_kept() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap().join("a/b/policy.toml");
        let file = File { path: path.clone(), text: "new".into(), executable: false };
        assert_eq!(write(&file).unwrap(), Written::New);
        std::fs::write(&path, "mine").unwrap();
        assert_eq!(write(&file).unwrap(), Written::Kept);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }

    #[cfg(unix)]
    #[test]
    fn a_dangling_link_is_kept_too() {
        let temp = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(temp.path()).unwrap().join("link");
        std::os::unix::fs::symlink("/no/such/place", &path).unwrap();
        let file = File { path, text: "new".into(), executable: true };
        assert_eq!(write(&file).unwrap(), Written::Kept);
    }
}
