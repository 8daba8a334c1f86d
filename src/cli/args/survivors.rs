//! Arguments of the subcommands that go on from the survivors of a report.

use super::{CargoArgs, OutputArgs};
use crate::freeze::date::Date;
use crate::ledger::Proof;
use camino::Utf8PathBuf;
use clap::Args;

/// Print the kill-tasks.
#[derive(Debug, Clone, Default, Args)]
pub struct TasksArgs {
    /// The report [default: that of the last run]
    #[arg(long, value_name = "FILE")]
    pub from: Option<Utf8PathBuf>,
    /// Print a Markdown check list
    #[arg(long)]
    pub markdown: bool,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Run mutants again.
#[derive(Debug, Clone, Default, Args)]
pub struct RerunArgs {
    /// The mutants, by ID or the beginning of one [default: all survivors of the report]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// The report [default: that of the last run]; it is updated
    #[arg(long, value_name = "FILE")]
    pub from: Option<Utf8PathBuf>,
    /// Where today's tests are [default: the work tree, uncommitted changes included]
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// Tests that run at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Say where the time went
    #[arg(long)]
    pub timings: bool,
    /// cargo's options, the same as in the run
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Verify evidence.
#[derive(Debug, Clone, Args)]
pub struct VerifyArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = "target/hunkmut/evidence")]
    pub dir: Utf8PathBuf,
    /// Also run so many mutants again, drawn at random
    #[arg(long, value_name = "N")]
    pub rerun: Option<usize>,
    /// cargo's options, the same as in the run
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Vet candidate tests.
#[derive(Debug, Clone, Args)]
pub struct VetArgs {
    /// A patch that adds tests, or a folder of files that is laid over the repository
    #[arg(value_name = "PATCH|DIR")]
    pub candidates: Utf8PathBuf,
    /// The report that names the survivors [default: that of the last run]
    #[arg(long, value_name = "FILE")]
    pub from: Option<Utf8PathBuf>,
    /// cargo's options, the same as in the run
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Excuse survivors.
#[derive(Debug, Clone, Default, Args)]
pub struct ExcuseArgs {
    /// The mutants to excuse, by ID or the beginning of one
    #[arg(value_name = "ID", required_unless_present_any = ["list", "check", "prune"])]
    pub ids: Vec<String>,
    /// Who answers for it
    #[arg(long, value_name = "NAME", required_unless_present_any = ["list", "check", "prune"])]
    pub owner: Option<String>,
    /// Why no test can or need kill it (at least 20 characters)
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["list", "check", "prune"])]
    pub because: Option<String>,
    /// The last day on which it holds
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub expires: Option<Date>,
    /// What proves it
    #[arg(long, value_name = "PROOF", value_enum)]
    pub proof: Option<Proof>,
    /// Print the entries
    #[arg(long, group = "look", conflicts_with = "ids")]
    pub list: bool,
    /// Print the entries that do not hold: stale, expired, unknown, duplicate or malformed
    #[arg(long, group = "look", conflicts_with = "ids")]
    pub check: bool,
    /// Take the entries away that do not hold
    #[arg(long, group = "look", conflicts_with = "ids")]
    pub prune: bool,
    /// The report that names the survivors [default: that of the last run]
    #[arg(long, value_name = "FILE")]
    pub from: Option<Utf8PathBuf>,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}
