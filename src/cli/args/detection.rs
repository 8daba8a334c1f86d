//! Arguments of the subcommands about what tests can detect: kill maps, their comparison, the freeze.

use super::{CargoArgs, OutputArgs, PatchArgs, driver};
use crate::policy::{Cap, Driver};
use camino::Utf8PathBuf;
use clap::Args;

/// How kill maps are made.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Kill maps")]
pub struct MapArgs {
    /// Take all production files of the packages of the patch, not only its own and those that import them
    #[arg(long)]
    pub whole_package: bool,
    /// The most mutants of a map; those nearest to the patch are taken first, always the same ones
    #[arg(long, value_name = "N", default_value = "400")]
    pub max_mutants: std::num::NonZeroUsize,
    /// Name every test that kills a mutant, not only the first
    #[arg(long)]
    pub exhaustive: bool,
    /// Wall-clock budget, like `10m`
    #[arg(long, value_name = "DURATION")]
    pub cap: Option<Cap>,
    /// Tests that run at the same time [default: the number of processors]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// How tests are run on mutants
    #[arg(long, value_name = "DRIVER", value_parser = driver)]
    pub test_driver: Option<Driver>,
    /// Where the maps and the comparison go [default: target/hunkmut/report]
    #[arg(long, value_name = "DIR")]
    pub report_dir: Option<Utf8PathBuf>,
}

/// The documented defaults, for runs that ask the gate `kill-map`.
impl Default for MapArgs {
    fn default() -> Self {
        MapArgs {
            whole_package: false,
            max_mutants: const { std::num::NonZeroUsize::new(400).unwrap() },
            exhaustive: false,
            cap: None,
            jobs: None,
            test_driver: None,
            report_dir: None,
        }
    }
}

/// Map one side of the patch.
#[derive(Debug, Clone, Args)]
pub struct KillmapArgs {
    /// The side to map: the patch's base or its head [default: the head]
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How
    #[command(flatten)]
    pub map: MapArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Compare both sides of the patch.
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// Two kill maps to compare instead of revisions: the base's and the head's
    #[arg(value_name = "MAP", num_args = 2, conflicts_with_all = ["base", "head", "in_diff"])]
    pub maps: Vec<Utf8PathBuf>,
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// How
    #[command(flatten)]
    pub map: MapArgs,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Check what the patch did to the tests.
#[derive(Debug, Clone, Default, Args)]
pub struct FreezeArgs {
    /// The patch
    #[command(flatten)]
    pub patch: PatchArgs,
    /// cargo's options
    #[command(flatten)]
    pub cargo: CargoArgs,
    /// Where `compare.json` goes [default: target/hunkmut/report]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub report_dir: Option<Utf8PathBuf>,
    /// How it is printed
    #[command(flatten)]
    pub output: OutputArgs,
}
