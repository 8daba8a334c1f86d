//! Would a patch's own tests notice if the patch were wrong?
//!
//! `cargo hunkmut` maps a git diff onto syntax, mutates only the production lines that the diff changed,
//! runs only the tests that the diff added or changed, and turns the result into a merge decision that a
//! reviewer can recompute. `docs/design.md` has the pipeline and one paragraph a module.

#![deny(missing_docs)]

pub mod archive;
pub mod build;
pub mod campaign;
pub mod catalog;
pub mod cli;
pub mod compare;
pub mod delta;
pub mod demo;
pub mod diff;
pub mod error;
pub mod evidence;
pub mod exec;
pub mod exit;
pub mod freeze;
pub mod gate;
pub mod git;
pub mod init;
pub mod killmap;
pub mod ledger;
pub mod plan;
pub mod policy;
pub mod process;
#[cfg(test)]
pub mod published;
pub mod report;
pub mod run;
pub mod runner;
pub mod scope;
pub mod shard;
pub mod source;
pub mod stored;
pub mod tasks;
pub mod test_id;
pub mod text;
pub mod weave;
pub mod workspace;
pub mod wrapper;

use std::ffi::OsString;
use std::process::ExitCode;

/// The whole program: the cargo subcommand, the rustc workspace wrapper, or the test-runner shim.
pub fn main() -> ExitCode {
    let mut args: Vec<OsString> = std::env::args_os().collect();
    let first = args.get(1).cloned().unwrap_or_default();
    if first == runner::SHIM {
        return runner::shim::shim_main(args.drain(2..));
    }
    // cargo calls the wrapper with the compiler's path first.
    if std::env::var_os(wrapper::MANIFEST_VARIABLE).is_some() && first != "hunkmut" && !first.is_empty() {
        args.remove(0);
        return wrapper::main(args);
    }
    // As a cargo subcommand the program gets its own name as the first argument.
    if first == "hunkmut" {
        args.remove(1);
    }
    cli::main(args).into()
}
