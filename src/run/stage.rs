//! What all test runs of a session share: the surroundings, the workers, the limits, and who runs tests.

use super::confine;
use super::judge::Wanted;
use super::progress::Progress;
use super::session::Session;
use super::tools;
use super::worker;
use crate::archive::Unpacked;
use crate::error::Result;
use crate::exec::{Ending, Limits, Pool, Processes, Recorded, Replay, Sandbox};
use crate::policy::Driver as DriverChoice;
use crate::runner::{self, Baseline, BaselineTest, Built, Context, Driver, Listing, Patience, Recording};
use crate::test_id::TestId;
use camino::Utf8PathBuf;
use cargo_metadata::Message;
use std::sync::Arc;
use std::time::Duration;

/// How a test may be stopped while nothing is known of it yet.
const FIRST_RUN_LIMIT: Duration = Duration::from_secs(600);

/// The folder of test runs, and the file in it that describes the workspace to nextest.
fn scratch(session: &Session) -> (Utf8PathBuf, Utf8PathBuf) {
    let scratch = session.hunkmut_dir.join("t");
    let file = scratch.join("metadata.json");
    (scratch, file)
}

/// What all test runs share.
pub struct Stage {
    context: Context,
    pool: Pool,
    patience: Patience,
    sandbox: Sandbox,
}

impl Stage {
    /// Asks cargo and the user's configuration.
    ///
    /// # Errors
    /// When one of them does not answer.
    pub fn prepare(session: &Session, jobs: usize, ending: &Arc<Ending>) -> Result<Stage> {
        let (scratch, file) = scratch(session);
        let metadata = tools::metadata(session, &session.workspace.root, &file)?;
        let root = &session.workspace.root;
        let context = Context::new(root, metadata, file, session.options.target.as_deref(), scratch)?;
        Stage::with(session, jobs, ending, context)
    }

    /// As [`Stage::prepare`], where all that has been asked already.
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn of_archive(session: &Session, jobs: usize, ending: &Arc<Ending>, archive: &Unpacked) -> Result<Stage> {
        let (scratch, file) = scratch(session);
        Stage::with(session, jobs, ending, worker::context(session, archive, scratch, file)?)
    }

    fn with(session: &Session, jobs: usize, ending: &Arc<Ending>, mut context: Context) -> Result<Stage> {
        let scratch = context.scratch.clone();
        context.ending = ending.clone();
        context.env.push(("CARGO_TARGET_DIR".into(), session.hunkmut_dir.join("target").into()));
        let timeouts = &session.policy.timeouts;
        let patience = Patience {
            wall_floor: Duration::from_millis(timeouts.floor_ms),
            wall_factor: timeouts.multiplier.get().ceil() as u32,
            hits_factor: timeouts.hits_multiplier.get(),
            memory: (timeouts.memory_mb > 0).then_some(timeouts.memory_mb << 20),
            ..Patience::default()
        };
        let withhold = &session.policy.sandbox.withhold;
        let names = std::env::vars_os().map(|(name, _)| name);
        context.withheld = names.filter(|name| name.to_str().is_some_and(|name| withhold.matches(name))).collect();
        let sandbox = confine::sandbox(session);
        let pool = Pool::new(scratch.as_std_path(), jobs, &sandbox)?;
        ending.ends(&pool.running());
        Ok(Stage { context, pool, patience, sandbox })
    }

    /// What tests are run with.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The executables that cargo's messages name.
    pub fn built(&self, session: &Session, messages: &[Message]) -> Built {
        let target_dir = session.hunkmut_dir.join("target");
        let build_dir = session.workspace.build_dir.clone().unwrap_or_else(|| target_dir.clone());
        Built::from_messages(messages, &self.context.metadata, &target_dir, &build_dir)
    }

    /// What keeps tests away from the user's files.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Runs the patch's tests without a mutant, as often as the policy wants.
    ///
    /// # Errors
    /// When they cannot be run, or the run ends first.
    #[allow(clippy::too_many_arguments)]
    pub fn baseline(
        &self,
        session: &Session,
        wanted: &Wanted,
        built: &Built,
        listing: &Listing,
        ids: &[TestId],
        ending: &Ending,
        progress: &Progress,
    ) -> Result<(Driver, Baseline)> {
        let runs = session.policy.baseline.repetitions.get();
        if !ids.is_empty() {
            progress.status("Running", &format!("{} changed tests without a mutant, {runs} times", ids.len()));
        }
        let (driver, recordings) = self.record(wanted, built, listing, ids, ending)?;
        Ok((driver, self.repeat(recordings, runs, ending)))
    }

    /// Repeats what has been recorded; see [`runner::repeat`].
    pub fn repeat(&self, recordings: Vec<Recording>, runs: u32, ending: &Ending) -> Baseline {
        let by_nextest = |id: &TestId, recorded: &Recorded| {
            let has_nextest = runner::metadata_file(&self.context).exists();
            has_nextest.then(|| runner::driven(&self.context, id, recorded).ok()).flatten()
        };
        runner::repeat(recordings, runs, &self.patience, &self.pool, ending, &by_nextest)
    }

    /// Runs recorded commands with mutants live; `command` may put another one in a command's place.
    pub fn processes(&self, tests: &Baseline, command: impl Fn(&Recorded) -> Recorded) -> Processes<'_> {
        let replay = |test: &BaselineTest| Replay { recorded: command(&test.recorded), limits: self.limits(test) };
        Processes::new(&self.pool, tests.tests.iter().map(replay).collect())
    }

    /// What a test may use when a mutant is live.
    pub fn limits(&self, test: &BaselineTest) -> Limits {
        self.patience.limits(test)
    }

    /// Who runs tests.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs tests once and records their commands.
    ///
    /// # Errors
    /// When they cannot be run, or the run ends first.
    pub fn record(
        &self,
        wanted: &Wanted,
        built: &Built,
        listing: &Listing,
        ids: &[TestId],
        ending: &Ending,
    ) -> Result<(Driver, Vec<Recording>)> {
        let driver = match wanted.driver {
            DriverChoice::Direct => Driver::Direct,
            DriverChoice::Auto => Driver::choose(&self.context, false)?,
            DriverChoice::Nextest => Driver::choose(&self.context, true)?,
        };
        if ids.is_empty() {
            return Ok((driver, Vec::new()));
        }
        let mut recordings = match &driver {
            Driver::Nextest { .. } => runner::record_with_nextest(&self.context, built, ids)?,
            Driver::Direct => {
                // what an earlier run has told nextest is not what is run now
                let _ = std::fs::remove_file(runner::metadata_file(&self.context));
                runner::record_directly(&self.context, built, listing, ids, &self.pool, FIRST_RUN_LIMIT, ending)?
            }
        };
        if wanted.driver == DriverChoice::Nextest {
            for recording in &mut recordings {
                recording.recorded = runner::driven(&self.context, &recording.id, &recording.recorded)?;
            }
        }
        Ok((driver, recordings))
    }
}
