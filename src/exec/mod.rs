//! One test process: started exactly as it was recorded, with at most one mutant live, and always ended.
//!
//! A mutated test may hang, eat memory, fork, or leave children behind. Everything here serves one promise: after
//! [`Worker::run`] returns, nothing of that test runs any more, and [`Ran`] says truthfully how it ended.

pub mod channel;
mod command;
pub mod end_file;
mod ending;
pub mod how;
pub mod notes;
mod os;
mod parallel;
mod processes;
mod recorded;
mod running;
mod sandbox;
mod worker;

#[cfg(all(test, target_os = "linux"))]
pub(crate) mod tests;

pub use command::output;
pub use ending::{Cause, Ending};
pub use parallel::each;
pub use processes::{Execute, Pool, Processes, Replay};
pub use recorded::{Live, Recorded, neutral_env};
pub use running::Running;
pub use sandbox::{Confinement, Enforced, Sandbox};
pub use worker::{Limits, Worker};

use std::time::Duration;

/// Environment variable of a test process: the live mutant's switch value, decimal; 0 when none is live.
pub const ACTIVE: &str = "HUNKMUT_ACTIVE";
/// Environment variable of a test process: the file that trace records are appended to (see [`notes::Trace`]).
pub const TRACE: &str = "HUNKMUT_TRACE";
/// Environment variable of a test process: the file for `hit` and `limit` lines (see [`notes::Notes`]).
pub const NOTES: &str = "HUNKMUT_NOTES";
/// Environment variable of a test process: the most site evaluations a process may make while a mutant is live.
pub const LIMIT: &str = "HUNKMUT_LIMIT";
/// Environment variable of nextest and the shim: the folder that records of tests go to.
pub const RECORD_DIR: &str = "HUNKMUT_RECORD_DIR";
/// Environment variable of nextest and the shim: the folder of the channel (see [`channel`]).
pub const CHANNEL: &str = "HUNKMUT_CHANNEL";
/// Environment variable that marks every process of one run, so that those that left its group can be found.
pub const RUN: &str = "HUNKMUT_RUN";

/// How a test process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It exited with 0.
    Passed,
    /// It exited with another code.
    Failed {
        /// The exit code.
        code: i32,
    },
    /// A signal ended it that this program did not send.
    Signal {
        /// The signal's number.
        number: i32,
    },
    /// It was still running at its wall-clock limit and was killed.
    TimedOut,
    /// The operating system could not start it; the reason.
    CannotStart(String),
}

impl End {
    /// Whether the test passed.
    pub fn passed(&self) -> bool {
        *self == End::Passed
    }
}

/// What one run of a test left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// Wall clock from start to end.
    pub duration: Duration,
    /// Whether any of its processes evaluated the live mutant.
    pub hit: bool,
    /// Whether any of its processes ended itself at the hits limit.
    pub limit: bool,
    /// Whether the harness announced its test (`running 1 test`). Harnesses other than libtest need not.
    pub began: bool,
    /// Whether it failed and the disk was nearly full at its end: perhaps for that, and perhaps through others.
    pub starved: bool,
    /// Whether the disk is full even without what it wrote.
    pub disk_full: bool,
    /// The last 64 KiB of its standard output and standard error as they came; empty when it passed.
    pub output: Vec<u8>,
}

impl Ran {
    /// A run that never began, and why.
    pub fn cannot_start(why: String) -> Ran {
        let end = End::CannotStart(why);
        let duration = Duration::ZERO;
        Ran {
            end,
            duration,
            hit: false,
            limit: false,
            began: false,
            starved: false,
            disk_full: false,
            output: Vec::new(),
        }
    }

    /// The output as text, broken bytes replaced.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.output)
    }
}
