//! Every mutant against the tests that execute it: the order, the stop at the first kill, the confirmation of each
//! kill, and afterwards the tests that have killed nothing yet.
//!
//! All decisions are taken here; processes stand behind [`Execute`].

mod judge;
mod memory;
mod order;
mod shot;
mod steady;
mod toothless;
mod turns;

#[cfg(test)]
mod fake;
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub use memory::Memory;
pub use shot::Shot;
pub use steady::unsteady;
use turns::Turns;

use crate::exec::{Ending, Execute, Live};
use crate::report::model::{How, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A test in use, which passed in every baseline run. Tests are named by their index from here on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Its path inside its binary: tells its own panic from others'.
    pub name: String,
    /// Its slowest baseline run.
    pub duration: Duration,
}

/// A mutant to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Compiled with all others behind a switch.
    Woven {
        /// Its switch value; not 0.
        switch: u64,
        /// The tests that execute it, by trace.
        executed_by: Vec<usize>,
        /// Mutants of one function have the same number: who kills one of them is likely to kill the others.
        place: usize,
    },
    /// Compiled alone. Which tests execute it cannot be known.
    Rebuilt {
        /// For each binary of the unmutated build that holds tests in use, the one that holds the mutant.
        binaries: BTreeMap<PathBuf, PathBuf>,
        /// The tests in these binaries.
        tests: Vec<usize>,
    },
}

impl Job {
    /// The tests that can tell the mutant from the original.
    pub fn tests(&self) -> &[usize] {
        match self {
            Job::Woven { executed_by, .. } => executed_by,
            Job::Rebuilt { tests, .. } => tests,
        }
    }

    fn place(&self) -> usize {
        match self {
            Job::Woven { place, .. } => *place,
            Job::Rebuilt { .. } => 0,
        }
    }

    fn live(&self) -> Live<'_> {
        match self {
            Job::Woven { switch, .. } => Live::Switch(*switch),
            Job::Rebuilt { binaries, .. } => Live::Binaries(binaries),
        }
    }

    /// Whether its runs tell if it was executed.
    fn is_traced(&self) -> bool {
        matches!(self, Job::Woven { .. })
    }
}

/// Hears how the campaign goes on, from any thread.
pub trait Progress: Sync {
    /// `done` mutants have their verdict, of which `killed` are dead and `survived` are survivors.
    fn done(&self, done: usize, killed: usize, survived: usize);
}

/// Nobody listens.
impl Progress for () {
    fn done(&self, _done: usize, _killed: usize, _survived: usize) {}
}

/// How a campaign is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Workers; at least 1.
    pub jobs: usize,
    /// Runs all tests on every mutant instead of stopping at the first kill.
    pub exhaustive: bool,
}

/// What became of one mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Never `Excused`: that is for the ledger to say.
    pub verdict: Verdict,
    /// Tests that failed on it, the first killer first, and how.
    pub killed_by: Vec<(usize, How)>,
    /// Tests that execute it: by trace, for a rebuilt mutant its killers.
    pub executed_by: Vec<usize>,
    /// Why, where it needs saying.
    pub reason: Option<String>,
    /// Time spent on it.
    pub duration: Duration,
}

/// What became of all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// One for each job, in their order.
    pub outcomes: Vec<Outcome>,
    /// Tests that can kill no mutant: tried on every one that they execute.
    pub toothless: Vec<usize>,
    /// Tests without a kill that could not be tried on all mutants, because the campaign ended early.
    pub untried: Vec<usize>,
    /// Tests that failed and passed by turns with no mutant live.
    pub varying: Vec<usize>,
}

/// The fixed surroundings of a campaign.
#[derive(Clone, Copy)]
struct Setting<'a> {
    exec: &'a dyn Execute,
    tests: &'a [Test],
    jobs: &'a [Job],
    options: Options,
    ending: &'a Ending,
    /// Tests that failed and passed by turns with no mutant live.
    varying: &'a Mutex<BTreeSet<usize>>,
    /// Who may run beside whom.
    turns: &'a Turns,
    /// What earlier runs have found out.
    known: Known<'a>,
}

/// What earlier runs have found out.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Verdicts, by job; these mutants are run only on tests whose teeth are not known.
    pub outcomes: &'a BTreeMap<usize, Outcome>,
    /// What single tests make of single mutants.
    pub shots: &'a dyn Memory,
}

/// Nothing.
const NOTHING: Known<'static> = Known { outcomes: &BTreeMap::new(), shots: &() };

/// Judges every mutant; which tests have teeth is not asked. Otherwise as [`run`] without known verdicts.
pub fn verdicts(
    exec: &dyn Execute,
    tests: &[Test],
    jobs: &[Job],
    options: Options,
    ending: &Ending,
    progress: &dyn Progress,
) -> Campaign {
    let (varying, turns) = (Mutex::default(), Turns::new(tests.len()));
    let setting = Setting { exec, tests, jobs, options, ending, varying: &varying, turns: &turns, known: NOTHING };
    let outcomes = judge::all(setting, progress).into_iter().map(|judged| judged.outcome).collect();
    let varying = varying.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
    Campaign { outcomes, toothless: Vec::new(), untried: Vec::new(), varying }
}

/// Judges every mutant, then tries the tests without a kill. When `ending` comes early, what is not done stays
/// `unverified`; what is done keeps its verdict.
pub fn run(
    exec: &dyn Execute,
    tests: &[Test],
    jobs: &[Job],
    options: Options,
    ending: &Ending,
    progress: &dyn Progress,
) -> Campaign {
    resume(exec, tests, jobs, NOTHING, options, ending, progress)
}

/// As [`run`], but some of it is known from earlier runs.
pub fn resume(
    exec: &dyn Execute,
    tests: &[Test],
    jobs: &[Job],
    known: Known<'_>,
    options: Options,
    ending: &Ending,
    progress: &dyn Progress,
) -> Campaign {
    let (varying, turns) = (Mutex::default(), Turns::new(tests.len()));
    let setting = Setting { exec, tests, jobs, options, ending, varying: &varying, turns: &turns, known };
    let mut judged = judge::all(setting, progress);
    let (toothless, untried) = toothless::credit(setting, &mut judged);
    let outcomes = judged.into_iter().map(|judged| judged.outcome).collect();
    let varying = varying.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
    Campaign { outcomes, toothless, untried, varying }
}
