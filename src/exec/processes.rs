//! Several workers beside each other, and the tests that a campaign names by number.

use super::{Limits, Live, Ran, Recorded, Running, Sandbox, Worker};
use crate::error::Result;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Runs tests by number. The real one is [`Processes`].
pub trait Execute: Sync {
    /// Runs a test with a mutant live, or none, on one of the workers, which no other call uses meanwhile. At
    /// `until`, if it comes before the test's own limit, the test is ended as [`super::End::TimedOut`].
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran;
}

/// Workers, and the locks of nextest's test groups between them.
#[derive(Debug)]
pub struct Pool {
    workers: Vec<Mutex<Worker>>,
    groups: Mutex<BTreeMap<String, Arc<Mutex<()>>>>,
    running: Arc<Running>,
}

impl Pool {
    /// `jobs` workers with their files in `scratch` (short; see [`Worker::new`]), whose tests are confined by `sandbox`.
    ///
    /// # Errors
    /// When the workers' directories cannot be made.
    pub fn new(scratch: &Path, jobs: usize, sandbox: &Sandbox) -> Result<Pool> {
        super::os::kill_abandoned(super::RUN);
        let running = Arc::new(Running::default());
        let worker = |index| Worker::new(scratch, index, running.clone(), sandbox.clone()).map(Mutex::new);
        let workers = (0..jobs.max(1)).map(worker).collect::<Result<_>>()?;
        Ok(Pool { workers, groups: Mutex::default(), running })
    }

    /// How many workers there are.
    pub fn size(&self) -> usize {
        self.workers.len()
    }

    /// A file of a worker that its tests may write to.
    pub fn trace_file(&self, worker: usize) -> std::path::PathBuf {
        locked(&self.workers[worker]).trace_file()
    }

    /// The tests that run at this moment.
    pub fn running(&self) -> Arc<Running> {
        self.running.clone()
    }

    /// Runs a test on a worker. Tests of one group never run at the same time: nextest may allow several, but one
    /// is always among what it allows.
    pub fn run(&self, worker: usize, test: &Recorded, live: Live<'_>, limits: Limits) -> Ran {
        let group = test.group.as_ref().map(|name| locked(&self.groups).entry(name.clone()).or_default().clone());
        let _alone = group.as_ref().map(|group| locked(group));
        locked(&self.workers[worker]).run(test, live, limits)
    }
}

/// A poisoned lock only says that another thread panicked; what these guard is whole at any time.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A test and what its runs may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Its command.
    pub recorded: Recorded,
    /// What one run may use.
    pub limits: Limits,
}

/// Replays recorded tests.
#[derive(Debug)]
pub struct Processes<'p> {
    pool: &'p Pool,
    tests: Vec<Replay>,
}

impl<'p> Processes<'p> {
    /// Test 0 is the first of `tests`.
    pub fn new(pool: &'p Pool, tests: Vec<Replay>) -> Processes<'p> {
        Processes { pool, tests }
    }
}

impl Execute for Processes<'_> {
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran {
        let Replay { recorded, limits } = &self.tests[test];
        let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        self.pool.run(worker, recorded, live, Limits { wall: limits.wall.min(left), ..*limits })
    }
}
