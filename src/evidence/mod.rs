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
//! | `ledger-head.toml` | the ledger as the patch leaves it |
//! | `findings.json` | what the patch did to the tests; `null` unless the gate `freeze` or `kill-map` was asked |
//! | `killmaps.json` | the kill maps of base and head; `null` unless the gate `kill-map` was asked |
//! | `catalog.json` | the operators |
//! | `run.json` | command line, gates asked, day, versions, digest of `Cargo.lock`, cap |
//! | `manifest.sha256` | SHA-256 of all of these, as `sha256sum -c` reads it |
//!
//! Hashes show that a file was edited; the raw records show that a report was edited together with its hashes; the
//! repository, where it is at hand, shows that the plan, the policy or a ledger was edited everywhere at once. Against
//! somebody who makes up the runs as well only running again helps: `verify --rerun N`.

mod command;
mod decisions;
mod log;
mod manifest;
mod recompute;
mod repository;
mod verdicts;
mod verify;
mod write;

pub use command::run;
pub use log::{Log, REVERTED, Recorder, RevertedBy, Suite};
pub use verify::{runs_of, verify};
pub use write::{Surroundings, claim, write};

/// The names of the files, the manifest apart.
const FILES: [&str; 14] = [
    "catalog.json",
    "findings.json",
    "killmaps.json",
    "ledger-head.toml",
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
