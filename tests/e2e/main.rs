//! The whole program from outside: real repositories, the real binary, its exit code and its report.
//!
//! `testdata/cases/<name>/` holds a repository as it was (`base/`), the files that a patch gives it (`head/`) and, in
//! `case.toml`, what the program has to say about that patch. Every case has a target folder of its own: the crates
//! have no dependencies, so sharing one would save nothing and hide what a run leaves behind.

mod archives;
mod bad_input;
mod book;
mod cases;
mod compare;
mod demo;
mod engines;
mod freshness;
mod growth;
mod harness;
mod init;
mod interruption;
mod lockfile;
mod readme;
mod recheck;
mod reports;
mod reuse;
mod revisions;
mod runners;
mod shards;
mod subcommands;
mod tampering;
mod trust;
mod zero_survivors;
