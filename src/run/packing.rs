//! Which files of a build go into an archive, and where they lie in it.

use crate::archive::{Alone, Packer, Roots};
use crate::campaign::Outcome;
use crate::error::{Error, Result};
use crate::report::model::Verdict;
use crate::runner::Built;
use camino::{Utf8Path, Utf8PathBuf};
use std::cell::RefCell;

/// The archive that is being written, and where its files come from.
pub struct Packing {
    /// The archive.
    pub packer: RefCell<Packer>,
    /// The folders that its files come from.
    pub roots: Roots,
}

impl Packing {
    /// A file's path below `target`, as in archives of nextest; `None` for what was not built here.
    pub fn inside<'p>(&self, path: &'p Utf8Path) -> Option<&'p Utf8Path> {
        let Roots { target_dir, build_dir, .. } = &self.roots;
        path.strip_prefix(target_dir).or_else(|_| path.strip_prefix(build_dir)).ok()
    }

    /// Puts a file into the archive, below a folder of it.
    fn file(&self, below: &str, path: &Utf8Path) -> Result<String> {
        let inside = self.inside(path).ok_or_else(|| {
            Error::new(
                format!("put `{path}` into the archive"),
                "it lies outside of the folders that cargo builds into",
            )
        })?;
        let stored = format!("{below}/{}", inside.as_str().replace('\\', "/"));
        self.packer.borrow_mut().file(&stored, path)?;
        Ok(stored)
    }

    /// Everything of a build that tests need.
    ///
    /// # Errors
    /// When a file cannot be read, or two have the same place.
    pub fn built(&self, below: &str, built: &Built) -> Result<()> {
        let tests = built.binaries.iter().map(|binary| &binary.path);
        for path in tests.chain(built.programs.iter().map(|program| &program.path)).chain(&built.libraries) {
            self.file(below, path)?;
        }
        for script in &built.scripts {
            for dir in script.linked_paths.iter().chain([&script.out_dir]).filter(|dir| self.inside(dir).is_some()) {
                for path in files_in(dir) {
                    self.file(below, &path)?;
                }
            }
        }
        Ok(())
    }
}

/// The ordinary files of a folder, not of those in it, as nextest has it.
pub fn files_in(dir: &Utf8Path) -> Vec<Utf8PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<Utf8PathBuf> = files.filter_map(|entry| Utf8PathBuf::from_path_buf(entry.path()).ok()).collect();
    files.sort();
    files
}

/// What became of a mutant that was compiled alone: its executables lie where the build has put them.
///
/// # Errors
/// When a file cannot be read.
pub fn put_away(packing: &Packing, built: &Built, key: &str, refused: Option<Outcome>) -> Result<Alone> {
    if let Some(outcome) = refused {
        let why = outcome.reason.unwrap_or_default();
        return Ok(match outcome.verdict {
            Verdict::Invalid => Alone::Invalid(why),
            Verdict::Killed
            | Verdict::Survived
            | Verdict::Unexecuted
            | Verdict::Timeout
            | Verdict::Flaky
            | Verdict::Excused
            | Verdict::Unverified => Alone::Unverified(why),
        });
    }
    let tests = built.binaries.iter().map(|binary| &binary.path);
    let paths = tests.chain(built.programs.iter().map(|program| &program.path));
    let below = format!("target/hunkmut/alone/{key}");
    let files = paths.map(|path| Ok((packing.file(&below, path)?, path.clone()))).collect::<Result<_>>()?;
    Ok(Alone::Built(files))
}
