//! Arguments that several subcommands have: the patch, what cargo builds, how results are shown.

use crate::cli::operators::Operators;
use crate::freeze::date::Date;
use crate::workspace::CargoOptions;
use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

/// Which patch.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Patch")]
pub struct PatchArgs {
    /// Where the patch starts: the diff goes from the merge base of this and the head [default: the upstream's default branch, else main or master]
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Where the patch ends [default: the work tree, uncommitted changes included]
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// Take the changed lines from this diff (`-` for standard input); it must fit the head
    #[arg(long, value_name = "FILE")]
    pub in_diff: Option<Utf8PathBuf>,
    /// Use these operators, by name, family or glob (repeatable; replaces the policy's list)
    #[arg(long, value_name = "PATTERN", value_parser = Operators::Patterns, hide_possible_values = true)]
    pub operator: Vec<String>,
    /// Leave these operators out (repeatable)
    #[arg(long, value_name = "PATTERN", value_parser = Operators::Patterns, hide_possible_values = true)]
    pub without_operator: Vec<String>,
    /// Judge by this policy file instead of the merge base's `.config/hunkmut.toml`
    #[arg(long, value_name = "FILE")]
    pub policy: Option<Utf8PathBuf>,
    /// The day by which frozen tests and excusals run out [default: that of the head's commit; today for uncommitted changes]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<Date>,
}

/// How cargo is called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default)]
#[command(next_help_heading = "Cargo")]
pub struct CargoArgs {
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<Utf8PathBuf>,
    /// Only mutate and test these packages
    #[arg(short, long = "package", value_name = "SPEC")]
    pub package: Vec<String>,
    /// All packages of the workspace (the default: the patch narrows the work down)
    #[arg(long)]
    pub workspace: bool,
    /// Leave these packages out (with --workspace)
    #[arg(long, value_name = "SPEC")]
    pub exclude: Vec<String>,
    /// Features to activate
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub all_features: bool,
    /// Do not activate the default feature
    #[arg(long)]
    pub no_default_features: bool,
    /// Build with this cargo profile
    #[arg(long, visible_alias = "profile", value_name = "NAME")]
    pub cargo_profile: Option<String>,
    /// Build with the release profile
    #[arg(short, long)]
    pub release: bool,
    /// Build for this target triple
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Require Cargo.lock to be up to date
    #[arg(long)]
    pub locked: bool,
    /// Run without accessing the network
    #[arg(long)]
    pub offline: bool,
    /// Both of the above
    #[arg(long)]
    pub frozen: bool,
}

impl CargoArgs {
    /// The same as the workspace wants them; relative paths are relative to `dir`.
    pub fn options(&self, dir: Utf8PathBuf) -> CargoOptions {
        CargoOptions {
            dir: Some(dir),
            manifest_path: self.manifest_path.clone(),
            packages: self.package.clone(),
            workspace: self.workspace,
            exclude: self.exclude.clone(),
            features: self.features.clone(),
            all_features: self.all_features,
            no_default_features: self.no_default_features,
            profile: self.cargo_profile.clone(),
            release: self.release,
            target: self.target.clone(),
            locked: self.locked,
            offline: self.offline,
            frozen: self.frozen,
        }
    }
}

/// How results are printed.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The form of the result on standard output
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub message_format: MessageFormat,
    /// Colour
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, env = "CARGO_TERM_COLOR", hide_env_values = true)]
    pub color: ColorWhen,
    /// Print no progress, and of the result only the summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Print more: every survivor, every command that is run
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// The form of a result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people.
    #[default]
    Human,
    /// JSON.
    Json,
    /// One line for each thing, for grep.
    Short,
    /// cargo's compiler messages, for editors (only of a judged patch).
    CargoJson,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// When the output is a terminal that wants it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl From<ColorWhen> for anstream::ColorChoice {
    fn from(when: ColorWhen) -> Self {
        match when {
            ColorWhen::Auto => anstream::ColorChoice::Auto,
            ColorWhen::Always => anstream::ColorChoice::Always,
            ColorWhen::Never => anstream::ColorChoice::Never,
        }
    }
}
