//! The evidence of a run: one folder from which a reviewer can recompute every verdict, count and decision, without
//! trusting the report.
//!
//! | file | holds |
//! |---|---|
//! | `report.json` | the report |
//! | `patch.diff` | the patch, as git prints it |
//! | `scope.json` | the changed lines, classed |
//! | `mutants.jsonl` | the plan: one mutant a line, without verdicts |
//! | `tests.jsonl` | one test a line: command, environment changes, baseline, which mutants it executes |
//! | `runs.jsonl` | one test process a line, in the order in which they ended |
//! | `refused.json` | what the compiler said of mutants that it refused |
//! | `policy.toml`, `ledger.toml` | as the merge base has them |
//! | `catalog.json` | the operators |
//! | `run.json` | command line, gates asked, day, versions, digest of `Cargo.lock`, cap |
//! | `manifest.sha256` | SHA-256 of all of these, as `sha256sum -c` reads it |
//!
//! Hashes show that a file was edited; the raw records show that a report was edited together with its hashes. Against
//! somebody who makes up a whole folder only running again helps: `verify --rerun N`.

mod command;
mod log;
mod manifest;
mod recompute;
mod verify;
mod write;

pub use command::run;
pub use log::{Log, REVERTED, Recorder, Suite};
pub use verify::verify;
pub use write::{Surroundings, write};

/// The names of the files, the manifest apart.
const FILES: [&str; 11] = [
    "catalog.json",
    "ledger.toml",
    "mutants.jsonl",
    "patch.diff",
    "policy.toml",
    "refused.json",
    "report.json",
    "run.json",
    "runs.jsonl",
    "scope.json",
    "tests.jsonl",
];
