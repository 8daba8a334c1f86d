//! Mutants that no switch can hold: each compiled alone, one after the other, and run at once, because the next build
//! overwrites the programs of this one.

use super::originals::{Exchanging, Originals};
use super::worker::Archived;
use crate::build::{BuildFailure, Builder, Bystanders, Texts, rebuild, rebuild_texts};
use crate::campaign::{self, Job, Options, Outcome, Test};
use crate::error::Result;
use crate::exec::{Cause, Ending, Execute};
use crate::report::model::Verdict;
use cargo_metadata::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The surroundings of all rebuilt mutants.
pub struct Rebuilds<'a> {
    /// Builds.
    pub builder: &'a Builder<'a>,
    /// The executables without a mutant.
    pub originals: &'a Originals,
    /// Runs tests, whose recorded commands name the originals.
    pub exec: &'a dyn Execute,
    /// The tests in use.
    pub tests: &'a [Test],
    /// How.
    pub options: Options,
    /// Whether every test is tried on every mutant, killed or not.
    pub credit: bool,
    /// When to stop.
    pub ending: &'a Ending,
    /// Where they have been compiled already.
    pub archive: Option<Archived<'a>>,
}

impl Rebuilds<'_> {
    /// Judges some mutants, by index, into `outcomes`. `toothless` loses the tests that kill one of them.
    ///
    /// # Errors
    /// When files cannot be written or cargo cannot be started.
    pub fn judge(
        &self,
        mutants: &[usize],
        outcomes: &mut BTreeMap<usize, Outcome>,
        toothless: &mut BTreeSet<usize>,
        progress: &dyn Fn(usize),
    ) -> Result<()> {
        let bystanders = Bystanders::of(self.builder)?;
        for (done, index) in mutants.iter().enumerate() {
            progress(done);
            if self.ending.reached() {
                break;
            }
            match self.one(*index, &bystanders, toothless) {
                // what has a verdict is kept; a build that the end of the run has cut off has none
                Err(_) if self.ending.reached() => break,
                outcome => outcomes.insert(*index, outcome?),
            };
        }
        Ok(())
    }

    /// Judges other texts for some files, as if they were a mutant. `key` is their name in an archive.
    ///
    /// # Errors
    /// As [`Rebuilds::judge`].
    pub fn texts(&self, key: &str, texts: Texts) -> Result<Outcome> {
        let started = Instant::now();
        let refused = match self.archive {
            Some(archive) => archive.lay(key)?,
            None => self.compiling().texts(texts)?,
        };
        refused.map_or_else(|| self.tried(started), Ok)
    }

    fn one(&self, index: usize, bystanders: &Bystanders<'_>, toothless: &mut BTreeSet<usize>) -> Result<Outcome> {
        let started = Instant::now();
        let refused = match self.archive {
            Some(archive) => archive.lay(&index.to_string())?,
            None => self.compiling().mutant(index, bystanders)?,
        };
        let outcome = refused.map_or_else(|| self.tried(started), Ok)?;
        for (killer, _) in &outcome.killed_by {
            toothless.remove(killer);
        }
        Ok(outcome)
    }

    fn compiling(&self) -> Compiling<'_> {
        Compiling { builder: self.builder, originals: self.originals, ending: self.ending }
    }

    /// Runs the tests on what lies in the originals' places.
    fn tried(&self, started: Instant) -> Result<Outcome> {
        let tests = (0..self.tests.len()).collect();
        let jobs = [Job::Rebuilt { binaries: self.originals.rebuilt(), tests }];
        let run = |exec: &dyn Execute, options| match self.credit {
            true => campaign::run(exec, self.tests, &jobs, options, self.ending, &()),
            false => campaign::verdicts(exec, self.tests, &jobs, options, self.ending, &()),
        };
        let campaign = if self.originals.has_programs() {
            self.originals.take_mutated()?;
            let exchanging = Exchanging { originals: self.originals, exec: self.exec, mutated: Mutex::new(true) };
            let campaign = run(&exchanging, Options { jobs: 1, ..self.options });
            self.originals.put_back(true)?;
            campaign
        } else {
            run(self.exec, self.options)
        };
        let outcome = campaign.outcomes.into_iter().next();
        let mut outcome = outcome.unwrap_or_else(|| invalid("it was not run".into(), Duration::ZERO));
        outcome.duration = started.elapsed();
        Ok(outcome)
    }
}

/// Puts the executables of one mutant into the originals' places.
pub struct Compiling<'a> {
    /// Builds.
    pub builder: &'a Builder<'a>,
    /// The executables without a mutant.
    pub originals: &'a Originals,
    /// When to stop.
    pub ending: &'a Ending,
}

impl Compiling<'_> {
    /// Compiles a mutant, by index; its outcome when that leaves nothing to run.
    ///
    /// # Errors
    /// When files cannot be written or cargo cannot be started.
    pub fn mutant(&self, index: usize, bystanders: &Bystanders<'_>) -> Result<Option<Outcome>> {
        let mutant = &self.builder.mutants[index];
        self.compiled(|| rebuild(self.builder, mutant), || bystanders.refuse(mutant))
    }

    /// Compiles other texts for some files.
    ///
    /// # Errors
    /// As [`Compiling::mutant`].
    pub fn texts(&self, texts: Texts) -> Result<Option<Outcome>> {
        self.compiled(|| rebuild_texts(self.builder, texts), || Ok(None))
    }

    /// `elsewhere` says what the rest of the workspace makes of it.
    fn compiled(
        &self,
        build: impl FnOnce() -> Result<std::result::Result<Vec<Message>, BuildFailure>>,
        elsewhere: impl FnOnce() -> Result<Option<BuildFailure>>,
    ) -> Result<Option<Outcome>> {
        let started = Instant::now();
        match build()? {
            Ok(messages) => {
                // cargo chooses the names: should one differ, an old executable would be judged
                if let Some(path) = self.originals.left_out(&messages) {
                    let reason = format!("cargo did not put the rebuilt test executable at `{path}`");
                    return Ok(Some(unverified(reason, started.elapsed())));
                }
            }
            Err(failure) => return Ok(Some(self.failed(&failure, "", started))),
        }
        let failure = elsewhere()?;
        let place = ", in a target of the workspace whose tests are not in use";
        Ok(failure.map(|failure| self.failed(&failure, place, started)))
    }

    /// What a build that failed says of its mutant; `place` is added to the compiler's words.
    fn failed(&self, failure: &BuildFailure, place: &str, started: Instant) -> Outcome {
        let full = |text: &str| text.contains("No space left on device");
        if full(&failure.said) || failure.errors.iter().any(|error| full(&error.rendered)) {
            self.ending.stop(Cause::DiskFull);
        }
        let Some(error) = failure.errors.first().filter(|_| !self.ending.reached()) else {
            // without an error of the compiler it is a fault of the tools (killed, no space …), which proves nothing
            // about the mutant
            let reason = format!("cargo failed without an error of the compiler: {}", failure.said);
            return unverified(reason, started.elapsed());
        };
        let code = error.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
        invalid(format!("{}{code}{place}", error.message), started.elapsed())
    }
}

/// A mutant that could not be judged.
pub(super) fn unverified(reason: String, duration: Duration) -> Outcome {
    Outcome { verdict: Verdict::Unverified, ..invalid(reason, duration) }
}

pub(super) fn invalid(reason: String, duration: Duration) -> Outcome {
    Outcome {
        verdict: Verdict::Invalid,
        killed_by: Vec::new(),
        executed_by: Vec::new(),
        reason: Some(reason),
        duration,
    }
}
