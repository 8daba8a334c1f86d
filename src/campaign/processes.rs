//! The real tests behind [`Execute`]: recorded commands, replayed with limits.

use super::Execute;
use crate::error::Result;
use crate::exec::{Limits, Live, Ran, Recorded, Running, Worker};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A test and what its runs may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Its command.
    pub recorded: Recorded,
    /// Wall clock of one run.
    pub wall: Duration,
    /// Site evaluations of one process while a mutant is live.
    pub hits: u64,
}

/// Runs recorded tests.
pub struct Processes {
    tests: Vec<Replay>,
    workers: Vec<Mutex<Worker>>,
    memory: Option<u64>,
    groups: BTreeMap<String, Mutex<()>>,
    running: Arc<Running>,
}

impl Processes {
    /// `jobs` workers with their files in `scratch` (short; see [`Worker::new`]); `memory` is the limit of address
    /// space in bytes for each test process.
    ///
    /// # Errors
    /// When the workers' directories cannot be made.
    pub fn new(tests: Vec<Replay>, scratch: &Path, jobs: usize, memory: Option<u64>) -> Result<Processes> {
        let running = Arc::new(Running::default());
        let worker = |index| Worker::new(scratch, index, running.clone()).map(Mutex::new);
        let workers = (0..jobs.max(1)).map(worker).collect::<Result<_>>()?;
        let groups = tests.iter().filter_map(|test| test.recorded.group.clone()).map(|name| (name, Mutex::default()));
        Ok(Processes { groups: groups.collect(), workers, memory, running, tests })
    }

    /// The tests that run at this moment.
    pub fn running(&self) -> Arc<Running> {
        self.running.clone()
    }
}

impl Execute for Processes {
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran {
        let replay = &self.tests[test];
        let group = replay.recorded.group.as_ref().and_then(|name| self.groups.get(name));
        // a poisoned lock only says that another worker panicked; the lock guards no data
        let _alone = group.map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner));
        let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        let limits = Limits { wall: replay.wall.min(left), hits: Some(replay.hits), memory: self.memory };
        let mut worker = self.workers[worker].lock().unwrap_or_else(PoisonError::into_inner);
        worker.run(&replay.recorded, live, limits)
    }
}
