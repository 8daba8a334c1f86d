//! The executables of the unmutated build, kept while mutants are compiled alone.
//!
//! cargo writes each rebuilt executable over the one before. A kill must be confirmed with the mutant off, so the
//! originals are kept beside them: test executables under another name in the same folder (tests look for programs
//! relative to themselves), programs by exchanging the file before a run, one run at a time.

use crate::error::{Context, Result};
use crate::exec::{Execute, Live, Ran, Recorded};
use crate::runner::Built;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Copies of the original executables; removed when dropped.
pub struct Originals {
    /// Where cargo puts a test executable, and the copy.
    tests: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    programs: Vec<Program>,
    /// The test executables among `tests`.
    executables: BTreeSet<Utf8PathBuf>,
}

struct Program {
    path: Utf8PathBuf,
    original: Utf8PathBuf,
    mutated: Utf8PathBuf,
}

impl Originals {
    /// Copies every executable of a build, and the file that describes it to nextest, if there is one, with the copies
    /// in their place.
    ///
    /// # Errors
    /// When a copy cannot be written.
    pub fn keep(built: &Built, metadata: &Utf8Path) -> Result<Originals> {
        let mut originals = Originals { tests: BTreeMap::new(), programs: Vec::new(), executables: BTreeSet::new() };
        for binary in &built.binaries {
            let copy = beside(&binary.path, "original");
            copy_over(&binary.path, &copy)?;
            originals.tests.insert(binary.path.clone(), copy);
            originals.executables.insert(binary.path.clone());
        }
        if let Ok(mut text) = std::fs::read_to_string(metadata) {
            for (path, copy) in &originals.tests {
                text = text.replace(&format!("\"{path}\""), &format!("\"{copy}\""));
            }
            let copy = beside(metadata, "original");
            std::fs::write(&copy, text).doing(|| format!("write `{copy}`"))?;
            originals.tests.insert(metadata.to_owned(), copy);
        }
        for program in &built.programs {
            let (original, mutated) = (beside(&program.path, "original"), beside(&program.path, "mutated"));
            copy_over(&program.path, &original)?;
            originals.programs.push(Program { path: program.path.clone(), original, mutated });
        }
        Ok(originals)
    }

    /// The command with the original executable.
    pub fn recorded(&self, recorded: &Recorded) -> Recorded {
        let mut recorded = recorded.clone();
        for word in &mut recorded.argv {
            let copy = word.to_str().and_then(|word| self.tests.get(Utf8Path::new(word)));
            if let Some(copy) = copy {
                *word = copy.as_os_str().to_owned();
            }
        }
        recorded
    }

    /// From the copies back to where cargo has put the rebuilt ones.
    pub fn rebuilt(&self) -> BTreeMap<PathBuf, PathBuf> {
        self.tests.iter().map(|(path, copy)| (copy.clone().into(), path.clone().into())).collect()
    }

    /// The first test executable that a rebuild did not put where the original lay. What lies there then is no mutant.
    pub fn left_out(&self, messages: &[Message]) -> Option<&Utf8Path> {
        let made: BTreeSet<&Utf8Path> = messages
            .iter()
            .filter_map(|message| match message {
                Message::CompilerArtifact(artifact) => artifact.executable.as_deref(),
                _ => None,
            })
            .collect();
        self.executables.iter().map(Utf8PathBuf::as_path).find(|path| !made.contains(path))
    }

    /// Whether tests may start programs that hold a mutant.
    pub fn has_programs(&self) -> bool {
        !self.programs.is_empty()
    }

    /// After a rebuild: the programs as they are now are the mutated ones.
    ///
    /// # Errors
    /// When a copy cannot be written.
    pub fn take_mutated(&self) -> Result<()> {
        self.programs.iter().try_for_each(|program| copy_over(&program.path, &program.mutated))
    }

    /// Puts the original or the mutated programs in place. cargo's next build should find what it left.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn put_back(&self, mutated: bool) -> Result<()> {
        self.programs.iter().try_for_each(|program| {
            copy_over(if mutated { &program.mutated } else { &program.original }, &program.path)
        })
    }
}

impl Drop for Originals {
    fn drop(&mut self) {
        let programs = self.programs.iter().flat_map(|program| [&program.original, &program.mutated]);
        for copy in self.tests.values().chain(programs) {
            // Left-overs lie below the target directory and are overwritten by the next run.
            let _ = std::fs::remove_file(copy);
        }
    }
}

fn beside(path: &Utf8Path, what: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}.hunkmut-{what}"))
}

/// Copies to a new file and renames, because a running program's file cannot be written.
fn copy_over(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    let scratch = beside(to, "new");
    std::fs::copy(from, &scratch)
        .and_then(|_| std::fs::rename(&scratch, to))
        .doing(|| format!("copy `{from}` to `{to}`"))
}

/// Runs tests with the programs that belong to the run in place, one run at a time.
pub struct Exchanging<'a> {
    /// The copies.
    pub originals: &'a Originals,
    /// Who runs.
    pub exec: &'a dyn Execute,
    /// Whether the mutated programs are in place.
    pub mutated: Mutex<bool>,
}

impl Execute for Exchanging<'_> {
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran {
        let mut mutated = self.mutated.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = matches!(live, Live::Binaries(_));
        if *mutated != wanted {
            if let Err(why) = self.originals.put_back(wanted) {
                return Ran::cannot_start(why.to_string());
            }
            *mutated = wanted;
        }
        self.exec.run(worker, test, live, until)
    }
}
