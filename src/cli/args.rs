//! The command line. Options that name the same thing as in cargo, nextest or cargo-mutants are spelled as there.

mod common;
mod detection;
mod survivors;

pub use common::{CargoArgs, ColorWhen, MessageFormat, OutputArgs, PatchArgs};
pub use detection::{CompareArgs, FreezeArgs, KillmapArgs, MapArgs};
pub use survivors::{ExcuseArgs, RerunArgs, TasksArgs, VerifyArgs, VetArgs};

use super::operators::Operators;
use crate::error::Error;
use crate::policy::{Cap, Driver, Equivalence, GateName};
use crate::report::formats::FormatName;
use crate::shard::Share;
use camino::Utf8PathBuf;
use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

const EXIT_CODES: &str = "\
Exit codes:
  0  pass (a vacuous pass is printed and recorded as such)
  1  block
  2  usage, git, build or environment error: no verdict was reached
  3  hold for review
  4  the new tests fail, or are flaky, on the unmutated tree
  5  incomplete: the cap or an interruption left mutants unverified";

const COMPARE_EXIT_CODES: &str = "\
Exit codes:
  0  allow review: no detection was lost
  1  reject
  2  usage, git, build or environment error, or maps that do not belong together
  3  hold for review
  5  incomplete: the cap or an interruption left mutants unverified";

const FREEZE_EXIT_CODES: &str = "\
Exit codes:
  0  no test is weaker
  1  reject
  2  usage, git or environment error
  3  hold for review";

/// Would a patch's own tests notice if the patch were wrong?
///
/// Mutates only the production lines that the patch changed, runs only the tests that it added or changed, and gives a
/// merge decision that a reviewer can recompute. Never touches the work tree.
#[derive(Debug, Parser)]
#[command(name = "cargo hunkmut", bin_name = "cargo hunkmut", version, styles = STYLES, after_help = EXIT_CODES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Cli {
    /// Without a subcommand: `run`.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The options of `run`.
    #[command(flatten)]
    pub run: RunArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge a patch (the default)
    #[command(after_help = EXIT_CODES)]
    Run(RunArgs),
    /// Print the changed line ranges, `path:start-end`; builds nothing
    #[command(after_help = "Exit codes:\n  0  ranges were printed\n  1  the scope is empty\n  2  usage or git error")]
    Scope(ScopeArgs),
    /// Print the tests that the patch added or changed, and why
    Tests(TestsArgs),
    /// Print the mutants of the patch; builds nothing
    List(ListArgs),
    /// Check that the patch does not loosen the tests themselves; builds nothing
    #[command(after_help = FREEZE_EXIT_CODES)]
    Freeze(FreezeArgs),
    /// Map which mutants the tests of one side of the patch notice
    Killmap(KillmapArgs),
    /// Compare what the tests notice before and after the patch
    #[command(after_help = COMPARE_EXIT_CODES)]
    Compare(CompareArgs),
    /// Print what a report leaves to do: every survivor as one job, and the command that proves it done
    #[command(
        after_help = "Exit codes:\n  0  there is no kill-task\n  1  there are kill-tasks\n  2  no report, or an environment error"
    )]
    Tasks(TasksArgs),
    /// Run mutants of the last report again, against today's tests
    #[command(
        after_help = "Exit codes:\n  0  every mutant is red now\n  1  some are still alive\n  2  usage, git, build or environment error\n  3  some are flaky, or do not exist any more\n  4  the tests fail, or are flaky, on the original\n  5  some were not run"
    )]
    Rerun(RerunArgs),
    /// Recompute a folder of evidence from its raw records
    #[command(
        after_help = "Exit codes:\n  0  everything follows from the raw records\n  1  something differs\n  2  no evidence, usage or environment error"
    )]
    Verify(VerifyArgs),
    /// Hold candidate tests against the survivors that are left, and keep those that kill one
    #[command(
        after_help = "Exit codes:\n  0  some are worth having\n  1  none is\n  2  the candidates do not apply or touch more than tests; usage, git or build error"
    )]
    Vet(VetArgs),
    /// Excuse a survivor in writing, or look through the ledger
    #[command(
        after_help = "Exit codes:\n  0  done; with --check: every entry holds\n  1  with --check: some entries do not hold\n  2  usage or environment error"
    )]
    Excuse(ExcuseArgs),
    /// Show a stored report in another format
    Report(ReportArgs),
    /// Build a patch once, for machines that run its mutants without a compiler
    #[command(
        after_help = "Exit codes:\n  0  the archive is written\n  2  usage, git, build or environment error\n  4  the new tests fail, or are flaky, on the unmutated tree: no archive\n  5  interrupted: no archive"
    )]
    Archive(ArchiveArgs),
    /// Make one report of those of all shards of a run, and decide as one run would have
    #[command(after_help = EXIT_CODES)]
    Merge(MergeArgs),
    /// Check that a stored report allows the merge of a patch; fails closed
    #[command(
        after_help = "Exit codes:\n  0  a complete report of this very base and head, and a pass\n  1  anything else that could be read, with the reasons\n  2  missing, cut off or foreign report; usage, git or manifest error"
    )]
    VerifyReport(VerifyReportArgs),
    /// Write a commented policy, and on request templates for CI, task runners and git; overwrites nothing
    Init(InitArgs),
    /// Judge a small bundled example and say where to look
    Demo(DemoArgs),
    /// Describe an operator of the catalog
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// The error of a subcommand that judges nothing, and so has nothing to say as a compiler.
pub fn no_compiler_messages() -> Error {
    Error::new("print compiler messages", "nothing is judged here")
        .hint("`--message-format cargo-json` is for `cargo hunkmut run`")
}

/// Judge a patch.
#[derive(Debug, Clone, Default, Args)]
pub struct RunArgs {
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// Ask this gate (repeatable; replaces the policy's list)
    #[arg(long, value_name = "NAME", help_heading = "Judging")]
    pub gate: Vec<GateName>,
    /// Honour ledger entries that the patch itself adds; every gate then holds at best
    #[arg(long, help_heading = "Judging")]
    pub accept_new_excusals: bool,
    /// Wall-clock budget of the whole run: `10m`, or `8x` the plain build and the new tests
    #[arg(long, value_name = "DURATION|Nx", help_heading = "Judging")]
    pub cap: Option<Cap>,
    /// Tests that run at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N", help_heading = "Judging")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Run every test on every mutant that it executes instead of stopping at the first kill
    #[arg(long, help_heading = "Judging")]
    pub exhaustive: bool,
    /// Also try the other tests of the suite on the survivors; their kills stand in a column of their own
    #[arg(long, help_heading = "Judging")]
    pub historical: bool,
    /// How tests are run on mutants
    #[arg(long, value_name = "DRIVER", help_heading = "Judging", value_parser = driver)]
    pub test_driver: Option<Driver>,
    /// Go on from a run that ended early, if nothing has changed since
    #[arg(long, help_heading = "Judging")]
    pub resume: bool,
    /// Run what `cargo hunkmut archive` has built, on a checkout of the same head; needs no compiler
    #[arg(long, value_name = "FILE", help_heading = "Judging", conflicts_with_all = ARCHIVED)]
    pub archive: Option<Utf8PathBuf>,
    /// Judge only the k-th of n shares of the mutants; `merge` makes the whole of all reports
    #[arg(long, value_name = "K/N", help_heading = "Judging", conflicts_with = "evidence")]
    pub shard: Option<Share>,
    /// Balance the shares by what the mutants of this report took; the same file for all shares
    #[arg(long, value_name = "FILE", help_heading = "Judging", requires = "shard")]
    pub shard_costs: Option<Utf8PathBuf>,
    /// Take over no verdict of an earlier run, even if nothing at all has changed
    #[arg(long, help_heading = "Judging")]
    pub no_cache: bool,
    /// Change files of the work tree back that a test has changed, if they were as in the last commit
    #[arg(long, help_heading = "Judging")]
    pub restore: bool,
    /// Also build and run the new tests without any instrumentation, and compare
    #[arg(long, help_heading = "Judging")]
    pub self_check: bool,
    /// Compare survivors with the original as the optimiser sees both: `auto` for the gate zero-survivors [default: the policy's, `auto`]
    #[arg(long, value_name = "WHEN", value_enum, help_heading = "Judging")]
    pub equivalence: Option<Equivalence>,
    /// How mutants are put into the program: `rebuild` compiles each alone, as a real source change, which is slow and only for doubting a verdict
    #[arg(long, value_name = "NAME", value_enum, default_value_t, help_heading = "Judging")]
    pub engine: EngineChoice,
    /// Say where the time went: phases, steps, slowest mutants and tests
    #[arg(long, help_heading = "Output")]
    pub timings: bool,
    /// Leave the evidence of the run in this folder (with the gate `zero-survivors`: target/hunkmut/evidence)
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub evidence: Option<Utf8PathBuf>,
    /// Where the reports go [default: target/hunkmut/report]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub report_dir: Option<Utf8PathBuf>,
    /// Also write the report in this format there (repeatable; JSON and Markdown are always written)
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Output")]
    pub report_format: Vec<FormatName>,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What an archive has decided already, or what takes a compiler.
const ARCHIVED: [&str; 23] = [
    "base",
    "head",
    "in_diff",
    "operator",
    "without_operator",
    "policy",
    "date",
    "package",
    "workspace",
    "exclude",
    "features",
    "all_features",
    "no_default_features",
    "cargo_profile",
    "release",
    "target",
    "locked",
    "offline",
    "frozen",
    "resume",
    "self_check",
    "engine",
    "evidence",
];

/// Build a patch for machines that have no compiler.
#[derive(Debug, Clone, Args)]
pub struct ArchiveArgs {
    /// Where the archive goes; nextest wants names of archives to end in `.tar.zst`
    #[arg(value_name = "FILE")]
    pub file: Utf8PathBuf,
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// The gates that the archive will be asked (repeatable; replaces the policy's list)
    #[arg(long, value_name = "NAME", help_heading = "Judging")]
    pub gate: Vec<GateName>,
    /// Also build the rest of the suite, for `run --historical`
    #[arg(long, help_heading = "Judging")]
    pub historical: bool,
    /// The budget of the runs, where it is a multiple of the plain build: that is measured now
    #[arg(long, value_name = "DURATION|Nx", help_heading = "Judging")]
    pub cap: Option<Cap>,
    /// Tests that run at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N", help_heading = "Judging")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// How the tests are run without a mutant
    #[arg(long, value_name = "DRIVER", help_heading = "Judging", value_parser = driver)]
    pub test_driver: Option<Driver>,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Make one report of many.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// The reports of all shards, in any order
    #[arg(value_name = "REPORT", required = true)]
    pub reports: Vec<Utf8PathBuf>,
    /// Where the report of the whole goes
    #[arg(long, value_name = "DIR", default_value = "target/hunkmut/report", help_heading = "Output")]
    pub report_dir: Utf8PathBuf,
    /// Also write the report in this format there (repeatable; JSON and Markdown are always written)
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Output")]
    pub report_format: Vec<FormatName>,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How mutants are put into the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// All at once behind switches; those that no switch can hold are compiled alone.
    #[default]
    Auto,
    /// Each compiled alone.
    Rebuild,
}

fn driver(word: &str) -> Result<Driver, String> {
    match word {
        "auto" => Ok(Driver::Auto),
        "direct" => Ok(Driver::Direct),
        "nextest" => Ok(Driver::Nextest),
        _ => Err("expected auto, direct or nextest".to_owned()),
    }
}

/// Print the scope.
#[derive(Debug, Clone, Default, Args)]
pub struct ScopeArgs {
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Print the test delta.
#[derive(Debug, Clone, Default, Args)]
pub struct TestsArgs {
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Print the mutants.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// Also print every changed production line without a mutant, and the reason
    #[arg(long)]
    pub why: bool,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Show a stored report.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// The report
    #[arg(long, value_name = "FILE", default_value = "target/hunkmut/report/report.json")]
    pub from: Utf8PathBuf,
    /// The format to show it in
    #[arg(long, value_name = "NAME", value_enum, default_value = "terminal")]
    pub format: FormatName,
    /// Write it to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<Utf8PathBuf>,
    /// Colour
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, env = "CARGO_TERM_COLOR", hide_env_values = true)]
    pub color: ColorWhen,
    /// Print more: every survivor
    #[arg(short, long)]
    pub verbose: bool,
}

/// Check a stored report.
#[derive(Debug, Clone, Args)]
pub struct VerifyReportArgs {
    /// The report
    #[arg(value_name = "FILE")]
    pub file: Utf8PathBuf,
    /// The base that it has to be of
    #[arg(long, value_name = "REV")]
    pub base: String,
    /// The head that it has to be of
    #[arg(long, value_name = "REV")]
    pub head: String,
    /// cargo's options, the same as in the run
    #[command(flatten)]
    pub cargo: CargoArgs,
}

impl VerifyReportArgs {
    /// The patch that the report has to be of.
    pub fn patch(&self) -> PatchArgs {
        PatchArgs { base: Some(self.base.clone()), head: Some(self.head.clone()), ..PatchArgs::default() }
    }
}

/// Write first files.
#[derive(Debug, Clone, Default, Args)]
pub struct InitArgs {
    /// Also write a pipeline (repeatable)
    #[arg(long, value_name = "NAME", value_enum)]
    pub ci: Vec<Ci>,
    /// Also write recipes for just
    #[arg(long)]
    pub just: bool,
    /// Also write tasks for cargo-make
    #[arg(long)]
    pub cargo_make: bool,
    /// Also write a git hook that judges what is pushed
    #[arg(long)]
    pub hook: bool,
    /// Take the policy over from `.cargo/mutants.toml`, and say what has no counterpart
    #[arg(long)]
    pub from_cargo_mutants: bool,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<Utf8PathBuf>,
}

/// A CI service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    /// A workflow of GitHub Actions.
    Github,
    /// A composite action for workflows of one's own.
    GithubAction,
    /// Jobs of GitLab CI.
    Gitlab,
    /// A workflow of GitHub Actions that divides each patch among several machines.
    GithubMatrix,
    /// The same for GitLab CI.
    GitlabMatrix,
    /// The same for Buildkite.
    Buildkite,
}

/// Judge the bundled example.
#[derive(Debug, Clone, Default, Args)]
pub struct DemoArgs {
    /// Where the example is written [default: a new temporary folder, which is kept]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<Utf8PathBuf>,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Describe an operator.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// Its name; without one all operators are listed
    #[arg(value_parser = Operators::Names, hide_possible_values = true)]
    pub operator: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn run_is_the_default_and_takes_the_same_options() {
        let plain = Cli::parse_from(["cargo hunkmut", "--base", "main", "-j", "3"]);
        assert!(plain.command.is_none());
        assert_eq!(plain.run.patch.base.as_deref(), Some("main"));
        let named = Cli::parse_from(["cargo hunkmut", "run", "--base", "main", "-j", "3"]);
        let Some(Command::Run(run)) = named.command else { panic!("{named:?}") };
        assert_eq!(run.jobs.map(|n| n.get()), Some(3));
    }
}
