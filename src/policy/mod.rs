//! `.config/hunkmut.toml`: what decides whether a patch may be merged.
//!
//! Read from the merge base, so that a patch cannot edit its own judge; strict, so that a misspelt key is an error and
//! not a default. `default.toml` is the documented form of [`Policy::default`].

mod error;
mod values;

pub use values::{
    Cap, Driver, EmptyProduction, EmptyTests, Equivalence, GateName, Globs, ManifestEntry, Multiplier, Percent,
    RevertedSurvives, SandboxMode,
};

use crate::error::{Context, Result};
use crate::git::{CommitId, Repo};
use crate::report::model::PolicySource;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Where the policy lies, from the workspace's root.
pub const FILE: &str = ".config/hunkmut.toml";

/// A whole policy. Paths are matched from the repository's root.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Policy {
    /// The gates that are asked when the command line names none.
    pub gates: Vec<GateName>,
    /// The least share of valid mutants to kill.
    pub floor: Percent,
    /// Other floors for some paths; the last one that matches wins.
    #[serde(alias = "floor_override", alias = "floor-overrides")]
    pub floor_override: Vec<FloorOverride>,
    /// Path rules.
    pub paths: Paths,
    /// Which operators are used.
    pub operators: Operators,
    /// Rules about code not worth mutating.
    pub arid: Arid,
    /// Which tests count, and how they run.
    pub tests: Tests,
    /// The runs on the unmutated tree.
    pub baseline: Baseline,
    /// When a test on a mutant has run too long or grown too big.
    pub timeouts: Timeouts,
    /// What test processes may touch.
    pub sandbox: Sandbox,
    /// The wall-clock budget; none by default.
    pub cap: Option<Cap>,
    /// The seed of everything drawn at random.
    pub seed: u64,
    /// Test data.
    pub fixtures: Fixtures,
    /// The list of tests frozen as flaky.
    pub freeze: Freeze,
    /// The list of excused survivors.
    pub ledger: Ledger,
    /// What to do when a side of the patch is empty.
    pub empty: Empty,
    /// What to do when the new tests pass without the patch's production side.
    #[serde(alias = "reverted_survives")]
    pub reverted_survives: RevertedSurvives,
    /// Whether survivors are compared with the original as the optimiser sees both.
    pub equivalence: Equivalence,
    /// The text this was read from.
    #[serde(skip)]
    text: String,
}

/// Another floor for some paths.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FloorOverride {
    /// The files it holds for.
    pub paths: Globs,
    /// Their floor.
    pub floor: Percent,
}

/// Path rules; what none of them matches is classed by its syntax.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Paths {
    /// Test code.
    pub test: Globs,
    /// Generated code.
    pub generated: Globs,
    /// Never mutated for another reason.
    pub exclude: Globs,
}

/// Operators by name, family or glob.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Operators {
    /// The operators in use; empty for those that are on by default.
    pub enable: Vec<String>,
    /// Taken away from those.
    pub disable: Vec<String>,
    /// Whether code inside `unsafe` is mutated.
    pub r#unsafe: bool,
}

/// Rules about code not worth mutating.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Arid {
    /// The rules switched off, by name.
    pub disable: Vec<AridRule>,
}

/// A kind of code whose mutants would tell nobody anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AridRule {
    /// Sizes of allocations.
    Capacity,
    /// Arguments of `debug_assert!` and its like.
    DebugAssert,
    /// Implementations of `Debug`.
    DebugImpl,
    /// How long something waits.
    Duration,
    /// What is printed or logged.
    Logging,
    /// What a panic says.
    PanicMessage,
}

impl AridRule {
    /// As reasons spell it after `arid:`.
    pub fn name(self) -> &'static str {
        match self {
            AridRule::Capacity => "capacity",
            AridRule::DebugAssert => "debug-assert",
            AridRule::DebugImpl => "debug-impl",
            AridRule::Duration => "duration",
            AridRule::Logging => "logging",
            AridRule::PanicMessage => "panic-message",
        }
    }
}

/// Which tests count, and how they run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Tests {
    /// Tests to count as new that no source line shows.
    pub manifest: Vec<ManifestEntry>,
    /// Whether `#[ignore]`d tests are run and counted.
    pub ignored: bool,
    /// How a test is run on a mutant.
    pub driver: Driver,
}

/// The runs on the unmutated tree.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Baseline {
    /// How often the new tests run; at least once.
    pub repetitions: std::num::NonZeroU32,
}

/// Limits of a test on a mutant.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Timeouts {
    /// Milliseconds that a test always has.
    #[serde(alias = "floor_ms")]
    pub floor_ms: u64,
    /// Times the test's own time on the unmutated tree.
    pub multiplier: Multiplier,
    /// Times the mutant's executions on the unmutated tree.
    #[serde(alias = "hits_multiplier")]
    pub hits_multiplier: std::num::NonZeroU64,
    /// MiB of memory for one test process; 0 for no limit.
    #[serde(alias = "memory_mb")]
    pub memory_mb: u64,
}

/// What test processes may touch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Sandbox {
    /// Whether writes are confined.
    pub mode: SandboxMode,
    /// What all tests may write to besides their own folders: from the repository's root or absolute.
    pub writable: Vec<String>,
    /// Whether tests may use TCP.
    pub tcp: bool,
    /// Environment variables kept from tests.
    pub withhold: Globs,
}

/// Test data.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Fixtures {
    /// Its folders.
    pub dirs: Globs,
}

/// The list of tests frozen as flaky.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Freeze {
    /// Its path, from the workspace's root.
    pub file: String,
}

/// The list of excused survivors.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Ledger {
    /// Its path, from the workspace's root.
    pub file: String,
}

/// What to do when a side of the patch is empty.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Empty {
    /// No production code: documentation, comments, imports, formatting.
    pub production: EmptyProduction,
    /// Production code without a new or changed test.
    pub tests: EmptyTests,
}

/// What a path rule makes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathRule {
    /// Test code.
    Test,
    /// Generated code.
    Generated,
    /// Excluded by name.
    Excluded,
}

/// Files that share a floor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloorGroup {
    /// The patterns as written, joined by `, `; `everything else` for the first group.
    pub label: String,
    /// The floor in whole percent.
    pub floor: u8,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            gates: vec![GateName::Ratio, GateName::Freeze],
            floor: Percent::new(20),
            floor_override: Vec::new(),
            paths: Paths::default(),
            operators: Operators::default(),
            arid: Arid::default(),
            tests: Tests::default(),
            baseline: Baseline::default(),
            timeouts: Timeouts::default(),
            sandbox: Sandbox::default(),
            cap: None,
            seed: 0,
            fixtures: Fixtures::default(),
            freeze: Freeze::default(),
            ledger: Ledger::default(),
            empty: Empty::default(),
            reverted_survives: RevertedSurvives::Note,
            equivalence: Equivalence::Auto,
            text: String::new(),
        }
    }
}

impl Default for Paths {
    fn default() -> Self {
        let test = Globs::known(&[
            "tests/**",
            "**/tests/**",
            "benches/**",
            "**/benches/**",
            "examples/**",
            "**/examples/**",
            "**/tests.rs",
            "**/test_*.rs",
            "**/*_test.rs",
            "**/*_tests.rs",
        ]);
        Paths { test, generated: Globs::known(&[]), exclude: Globs::known(&[]) }
    }
}

impl Default for Tests {
    fn default() -> Self {
        Tests { manifest: Vec::new(), ignored: false, driver: Driver::Auto }
    }
}

impl Default for Baseline {
    fn default() -> Self {
        Baseline { repetitions: const { std::num::NonZeroU32::new(3).unwrap() } }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            floor_ms: 3000,
            multiplier: Multiplier::FIVE,
            hits_multiplier: const { std::num::NonZeroU64::new(100).unwrap() },
            memory_mb: 4096,
        }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox { mode: SandboxMode::Auto, writable: Vec::new(), tcp: true, withhold: Globs::known(&[]) }
    }
}

impl Default for Fixtures {
    fn default() -> Self {
        Fixtures { dirs: Globs::known(&["**/tests/fixtures/"]) }
    }
}

impl Default for Freeze {
    fn default() -> Self {
        Freeze { file: "tests/flake_freeze.toml".into() }
    }
}

impl Default for Ledger {
    fn default() -> Self {
        Ledger { file: ".config/hunkmut-ledger.toml".into() }
    }
}

impl Default for Empty {
    fn default() -> Self {
        Empty { production: EmptyProduction::Vacuous, tests: EmptyTests::Block }
    }
}

impl Policy {
    /// Reads a policy; `origin` names it in errors, e.g. `.config/hunkmut.toml at 0123456789ab`.
    ///
    /// # Errors
    /// Broken TOML, an unknown key or value (the nearest known one is suggested), a value out of range; each with its
    /// line.
    pub fn parse(text: &str, origin: &str) -> Result<Policy> {
        let policy: Policy = toml::from_str(text).map_err(|why| error::explain(&why, text, origin))?;
        Ok(Policy { text: text.to_owned(), ..policy })
    }

    /// The policy as a commit has it at a path in the repository; the default when it has none.
    ///
    /// # Errors
    /// As [`Policy::parse`]; bytes that are not UTF-8; git's own failures.
    pub fn at_commit(repo: &Repo, commit: &CommitId, path: &str) -> Result<(Policy, PolicySource)> {
        let origin = format!("{path} at {}", commit.short());
        match repo.blob(commit, path)? {
            Some(bytes) => {
                let text = String::from_utf8(bytes).doing(|| format!("read policy `{origin}`"))?;
                Ok((Policy::parse(&text, &origin)?, PolicySource::MergeBase))
            }
            None => Ok((Policy::default(), PolicySource::Default)),
        }
    }

    /// The commented file that says the same as [`Policy::default`].
    pub fn default_toml() -> &'static str {
        include_str!("default.toml")
    }

    /// Hex SHA-256 of the text this was read from, of the empty text for the default.
    pub fn sha256(&self) -> String {
        Sha256::digest(self.text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The text this was read from; empty for the default.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The files that share a floor: everything without an override first, then the overrides in order.
    pub fn floor_groups(&self) -> Vec<FloorGroup> {
        let rest = FloorGroup { label: "everything else".into(), floor: self.floor.get() };
        let overrides = self.floor_override.iter();
        let named = overrides.map(|o| FloorGroup { label: o.paths.patterns().join(", "), floor: o.floor.get() });
        std::iter::once(rest).chain(named).collect()
    }

    /// Which of [`Policy::floor_groups`] a file belongs to.
    pub fn floor_group(&self, path: &str) -> usize {
        self.floor_override.iter().rposition(|o| o.paths.matches(path)).map_or(0, |at| at + 1)
    }

    /// The floor that holds for a file, in whole percent.
    pub fn floor_for(&self, path: &str) -> u8 {
        match self.floor_group(path).checked_sub(1) {
            Some(at) => self.floor_override[at].floor.get(),
            None => self.floor.get(),
        }
    }

    /// What the path rules make of a file. Exclusion goes before test, test before generated.
    pub fn kind_by_path(&self, path: &str) -> Option<PathRule> {
        let rules = [
            (&self.paths.exclude, PathRule::Excluded),
            (&self.paths.test, PathRule::Test),
            (&self.paths.generated, PathRule::Generated),
        ];
        rules.into_iter().find(|(globs, _)| globs.matches(path)).map(|(_, rule)| rule)
    }
}

/// The files that a patch must not edit for its own good: the policy, the ledger, the freeze file, and nextest's
/// configuration. `policy_path` is the policy's place in the repository, `[<workspace>/].config/hunkmut.toml`.
pub fn watched_paths(policy: &Policy, policy_path: &str) -> Vec<String> {
    let workspace = policy_path.strip_suffix(FILE).unwrap_or_default();
    let files = [policy.ledger.file.as_str(), policy.freeze.file.as_str(), ".config/nextest.toml"];
    let mut watched = vec![policy_path.to_owned()];
    watched.extend(files.iter().map(|file| format!("{workspace}{file}")));
    watched
}

#[cfg(test)]
mod tests;
