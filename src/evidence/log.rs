//! Every test process of a run, written down as it ends.

use crate::exec::how::exceeded;
use crate::exec::{End, Ending, Execute, Live, Ran};
use crate::report::model::BaselineOutcome;
use crate::runner::Baseline;
use crate::test_id::TestId;
use crate::text::sha256;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// One test process with a mutant live, or the confirmation without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The test.
    pub test: TestId,
    /// The suite that the test belongs to here.
    pub suite: Suite,
    /// The live mutant's ID, [`REVERTED`], or `null` for none.
    pub mutant: Option<String>,
    /// Without a mutant: the one whose kill is confirmed.
    pub confirms: Option<String>,
    /// How it ended: `exit 0`, `exit 101`, `signal 6`, `time`, `start: why`.
    pub end: String,
    /// Which limit ended it: `time`, `hits` or `memory`.
    pub limit: Option<String>,
    /// Whether the live mutant was executed.
    pub hit: bool,
    /// Whether the harness announced its test.
    pub began: bool,
    /// Wall clock.
    pub duration_ms: f64,
    /// Hex SHA-256 of its last output; of the empty text when it passed.
    pub output_sha256: String,
}

/// What stands for a mutant when the whole production side is put back to the base.
pub const REVERTED: &str = "reverted";

/// Where the verdict on the reverted patch comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RevertedBy {
    /// All of it was behind one switch.
    Switch,
    /// It was compiled alone.
    Build,
    /// It is the same text as this mutant.
    Mutant(String),
}

/// Which tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suite {
    /// Those of the patch.
    Delta,
    /// All others.
    Historical,
}

/// A test, and how it was run on the original.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRecord {
    /// The test.
    pub test: TestId,
    /// The suite that it belongs to here.
    pub suite: Suite,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Working directory.
    pub cwd: String,
    /// Variables that differ from the caller's environment; `null` for one that is taken away.
    pub environment: BTreeMap<String, Option<String>>,
    /// All baseline runs taken together.
    pub outcome: BaselineOutcome,
    /// How often it ran.
    pub runs: u32,
    /// The woven mutants that it executes, by trace.
    pub executes: Vec<String>,
}

/// What a run leaves behind for its evidence. Filled from any thread.
#[derive(Debug, Default)]
pub struct Log {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    runs: Vec<RunRecord>,
    tests: Vec<TestRecord>,
    refused: BTreeMap<String, String>,
    alone: Option<String>,
    reverted_by: Option<RevertedBy>,
    unbuilt: BTreeSet<String>,
    /// How many historical tests there are, once they were asked.
    historical: Option<usize>,
    /// By worker: the test that failed on a mutant, until that is confirmed or not.
    open: BTreeMap<usize, (TestId, String)>,
}

impl Log {
    /// Takes the unmutated runs over; `mutants` are the IDs and switches of those woven in.
    pub fn tests(&self, suite: Suite, baseline: &Baseline, mutants: &[(String, u64)]) {
        let caller: BTreeMap<String, String> = std::env::vars_os()
            .map(|(key, value)| (key.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .collect();
        let records = baseline.tests.iter().map(|test| {
            let mut environment: BTreeMap<String, Option<String>> = BTreeMap::new();
            let mut kept = BTreeSet::new();
            for (key, value) in &test.recorded.env {
                let (key, value) = (key.to_string_lossy().into_owned(), value.to_string_lossy().into_owned());
                // The program's own variables differ from run to run and say nothing.
                if caller.get(&key) != Some(&value) && !key.starts_with("HUNKMUT_") {
                    environment.insert(key.clone(), Some(value));
                }
                kept.insert(key);
            }
            // By name only: what was kept from a test may be secret.
            environment.extend(caller.keys().filter(|key| !kept.contains(*key)).map(|key| (key.clone(), None)));
            let executes = mutants.iter().filter(|(_, switch)| test.trace.hits(*switch).is_some());
            TestRecord {
                test: test.id.clone(),
                suite,
                argv: test.recorded.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
                cwd: test.recorded.cwd.to_string_lossy().into_owned(),
                environment,
                outcome: test.outcome,
                runs: test.runs,
                executes: executes.map(|(id, _)| id.clone()).collect(),
            }
        });
        let records: Vec<TestRecord> = records.collect();
        let mut state = self.state();
        state.tests.retain(|test| test.suite != suite || !records.iter().any(|record| record.test == test.test));
        state.tests.extend(records);
    }

    /// The compiler refuses a mutant.
    pub fn refused(&self, mutant: &str, said: &str) {
        self.state().refused.insert(mutant.to_owned(), said.to_owned());
    }

    /// The historical tests are asked: so many there are.
    pub fn historical(&self, count: usize) {
        self.state().historical = Some(count);
    }

    /// Where the verdict on the reverted patch comes from.
    pub fn reverted_by(&self, by: RevertedBy) {
        self.state().reverted_by = Some(by);
    }

    /// Takes the records over that an unfinished run has left of some mutants.
    pub fn take_over(&self, runs: Vec<RunRecord>, mutants: &BTreeSet<String>) {
        let is_wanted = |run: &RunRecord| {
            let mutant = run.mutant.as_ref().or(run.confirms.as_ref());
            run.suite == Suite::Delta && mutant.is_some_and(|mutant| mutants.contains(mutant))
        };
        let kept = runs.into_iter().filter(is_wanted);
        self.state().runs.splice(0..0, kept);
    }

    /// This one lies in code that the patch's tests are built without.
    pub fn unbuilt(&self, mutant: &str) {
        self.state().unbuilt.insert(mutant.to_owned());
    }

    /// All of these.
    pub fn all_unbuilt(&self) -> BTreeSet<String> {
        self.state().unbuilt.clone()
    }

    /// From here on, what is compiled alone is this.
    pub fn alone(&self, mutant: &str) {
        self.state().alone = Some(mutant.to_owned());
    }

    /// All runs.
    pub fn runs(&self) -> Vec<RunRecord> {
        self.state().runs.clone()
    }

    /// Whether the clock has ended a process.
    pub fn timed_out(&self) -> bool {
        self.state().runs.iter().any(|run| run.end == "time" || run.limit.as_deref() == Some("time"))
    }

    /// All tests.
    pub fn recorded_tests(&self) -> Vec<TestRecord> {
        self.state().tests.clone()
    }

    /// How many historical tests there are; `None` when they were not asked.
    pub fn historical_tests(&self) -> Option<usize> {
        self.state().historical
    }

    /// Where the verdict on the reverted patch comes from; `None` when it was not tried.
    pub fn reversal(&self) -> Option<RevertedBy> {
        self.state().reverted_by.clone()
    }

    /// What the compiler said of the mutants that it refused.
    pub fn refusals(&self) -> BTreeMap<String, String> {
        self.state().refused.clone()
    }

    fn ran(&self, worker: usize, test: &TestId, suite: Suite, live: Subject, ran: &Ran) {
        let mut state = self.state();
        let mutant = match live {
            Subject::None => None,
            Subject::Mutant(id) => Some(id),
            Subject::Alone => state.alone.clone(),
        };
        let confirms = match &mutant {
            Some(id) => {
                if ran.end.passed() || state.open.get(&worker).is_some_and(|open| open == &(test.clone(), id.clone())) {
                    state.open.remove(&worker);
                } else {
                    state.open.insert(worker, (test.clone(), id.clone()));
                }
                None
            }
            None => state.open.get(&worker).filter(|(open, _)| open == test).map(|(_, id)| id.clone()),
        };
        state.runs.push(RunRecord {
            test: test.clone(),
            suite,
            mutant,
            confirms,
            end: word(&ran.end),
            limit: exceeded(ran).map(|limit| limit.word().to_owned()),
            hit: ran.hit,
            began: ran.began,
            duration_ms: (ran.duration.as_secs_f64() * 1e6).round() / 1e3,
            output_sha256: sha256(&ran.output),
        });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Subject {
    None,
    Mutant(String),
    Alone,
}

fn word(end: &End) -> String {
    match end {
        End::Passed => "exit 0".to_owned(),
        End::Failed { code } => format!("exit {code}"),
        End::Signal { number } => format!("signal {number}"),
        End::TimedOut => "time".to_owned(),
        End::CannotStart(why) => format!("start: {why}"),
    }
}

/// Runs tests and writes each process down.
pub struct Recorder<'a> {
    /// Who runs.
    pub exec: &'a dyn Execute,
    /// Where it is written.
    pub log: &'a Log,
    /// The tests by number.
    pub tests: Vec<TestId>,
    /// The suite that they belong to.
    pub suite: Suite,
    /// The IDs of mutants by switch.
    pub mutants: BTreeMap<u64, String>,
    /// A run that ends with the whole proves nothing.
    pub ending: &'a Ending,
}

impl Execute for Recorder<'_> {
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran {
        let ran = self.exec.run(worker, test, live, until);
        if self.ending.reached() {
            return ran;
        }
        let subject = match live {
            Live::Off | Live::Traced(_) => Subject::None,
            Live::Switch(switch) => Subject::Mutant(self.mutants.get(&switch).cloned().unwrap_or_default()),
            Live::Binaries(_) => Subject::Alone,
        };
        self.log.ran(worker, &self.tests[test], self.suite, subject, &ran);
        ran
    }
}
