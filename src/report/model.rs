//! The report as it is written to `report.json` (`schema: "hunkmut-report/1"`).
//!
//! Paths are relative to the root of the repository with `/`. Lines and columns are 1-based, columns count
//! characters, ends of columns and bytes are exclusive, byte offsets go into the head version of the file,
//! durations are milliseconds. Replacing `start_byte..end_byte` of the head file by `replacement` *is* the mutant.

use crate::policy::RevertedSurvives;
use crate::test_id::TestId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of [`Report::schema`].
pub const SCHEMA: &str = "hunkmut-report/1";

/// Everything a reviewer needs to recompute the decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The program and the tools it ran with.
    pub tool: Tool,
    /// The catalog in use.
    pub catalog: Catalog,
    /// The revisions that were compared.
    pub repo: Repo,
    /// Where the policy came from.
    pub policy: Policy,
    /// The changed lines and what became of them.
    pub scope: Scope,
    /// Test delta, baseline and tests without teeth.
    pub tests: Tests,
    /// Every mutant, in file and position order.
    pub mutants: Vec<Mutant>,
    /// The mutants counted by verdict.
    pub counts: Counts,
    /// (killed + timeout) / (valid - excused); `null` when no mutant is valid.
    pub kill_ratio: Option<f64>,
    /// The production side of the patch put back to the base as a whole.
    pub reverted: Reverted,
    /// One entry for each gate asked for.
    pub gates: Vec<Gate>,
    /// The worst decision of all gates.
    pub decision: Decision,
    /// The exit code that belongs to the decision.
    pub exit_code: u8,
    /// The wall-clock budget.
    pub cap: Cap,
    /// The user's work tree before and after.
    pub tree: Tree,
    /// Whether every mutant in scope has a final verdict.
    pub complete: bool,
    /// Where the time went.
    pub timings_ms: Timings,
    /// What a reader should know besides: skipped files, loosened limits, advice. Never a decision.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What the gates looked at besides scope, tests and mutants: with it every decision can be taken again.
    #[serde(default)]
    pub facts: Facts,
    /// Which excusals were there, and what is wrong with some.
    #[serde(default)]
    pub ledger: LedgerUse,
    /// Survivors of the report before this one that are not judged any more, each with the reason.
    #[serde(default)]
    pub withdrawn: Vec<Withdrawn>,
    /// The share that this report is of a whole (`--shard`); `null` for a whole one. A share decides nothing.
    #[serde(default)]
    pub shard: Option<Shard>,
}

/// One share of a run that is divided among machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Shard {
    /// Which share, from 1.
    pub index: u32,
    /// How many there are.
    pub count: u32,
    /// Hex SHA-256 over which mutant belongs to which share: the same for all shares of one run.
    pub split: String,
    /// The mutants of this share.
    pub mutants: Vec<String>,
    /// The gates that the whole is judged by.
    pub gates: Vec<String>,
}

/// The inputs of the gates that stand nowhere else in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Facts {
    /// How many tests the delta has; 1 when the run ended before that was known.
    pub tests: usize,
    /// Whether the production side only takes lines away.
    pub deletions_only: bool,
    /// Whether test code changed, deletions included.
    pub test_side_changed: bool,
    /// Whether the run ended before everything had a verdict.
    pub ended_early: bool,
    /// Which of policy, ledger, freeze file and nextest configuration the patch changes.
    pub policy_changed: Vec<String>,
    /// Whether the patch adds to a `.gitattributes`.
    pub attributes_changed: bool,
    /// Whether a test binary that may hold changed tests could not list them.
    pub unlisted: bool,
    /// The floor of every file that has a mutant.
    pub floors: Vec<FileFloor>,
    /// Mutants excused by entries that the patch itself adds (`--accept-new-excusals`).
    pub new_excusals: Vec<String>,
    /// What the policy wants when the new tests pass without the patch's production side.
    pub reverted_survives: RevertedSurvives,
    /// Whether finished verdicts of a run that ended early were taken over (`--resume`).
    #[serde(default)]
    pub resumed: bool,
    /// Whether verdicts of an earlier report were taken over (`rerun`).
    pub carried_over: bool,
    /// How many verdicts are those of an earlier run on the very same programs, tests and surroundings.
    #[serde(default)]
    pub reused: usize,
    /// How many times an earlier run has seen a test on a mutant, in the same executable and the same surroundings, so
    /// that it was not run again.
    #[serde(default)]
    pub recalled: usize,
}

/// The least share of mutants to kill that holds for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileFloor {
    /// Path in the repository.
    pub file: String,
    /// The path rule that it comes from; `""` for the general floor.
    pub group: String,
    /// Whole percent.
    pub percent: u8,
}

/// The ledger as the run used it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LedgerUse {
    /// Its path in the repository; `null` when there is none.
    pub path: Option<String>,
    /// Hex SHA-256 of its text at the merge base (of the empty text when there is none).
    pub sha256: String,
    /// The mutants that it excuses in this run.
    pub excused: Vec<String>,
    /// Entries that do not hold, one sentence each.
    pub problems: Vec<String>,
}

/// An earlier survivor that nothing is said about any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Withdrawn {
    /// The mutant's ID.
    pub mutant: String,
    /// Path in the repository, as in the earlier report.
    pub file: String,
    /// Its line there.
    pub line: u32,
    /// Its operator.
    pub operator: String,
    /// Why it is gone.
    pub why: String,
}

/// An earlier verdict of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Past {
    /// The verdict.
    pub verdict: Verdict,
    /// The first test that killed it then, if any.
    pub killed_by: Option<TestId>,
}

/// Versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tool {
    /// `cargo-hunkmut`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The first line of `rustc -V`.
    pub rustc: String,
    /// The version of cargo-nextest; `null` when the built-in runner was used.
    pub nextest: Option<String>,
}

/// The operators in use, by name, with a digest of the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Catalog {
    /// `mutants-v1`.
    pub name: String,
    /// Hex SHA-256 of the registry.
    pub sha256: String,
    /// Operator names in catalog order.
    pub operators: Vec<String>,
}

/// Revisions as full commit IDs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Repo {
    /// What `--base` resolved to.
    pub base: String,
    /// The merge base of base and head: where the diff starts.
    pub merge_base: String,
    /// What `--head` resolved to; `null` for a working tree with uncommitted changes or an in-diff.
    pub head: Option<String>,
    /// Whether uncommitted changes are part of the patch.
    pub dirty: bool,
    /// The cargo workspace's path in the repository, `""` when the same.
    pub workspace: String,
}

/// Which policy judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Policy {
    /// `merge-base`, `file` (`--policy`) or `default`.
    pub source: PolicySource,
    /// The policy file's path, when there is one.
    pub path: Option<String>,
    /// Hex SHA-256 of the policy's text (of the empty text for the default).
    pub sha256: String,
    /// Whether the patch changes the policy, the ledger, the freeze file or the nextest configuration.
    pub changed_by_patch: bool,
}

/// Where a policy was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PolicySource {
    /// The merge base's own file.
    MergeBase,
    /// `--policy FILE`.
    File,
    /// No file: the documented defaults.
    Default,
}

/// The changed lines of the head side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Scope {
    /// Line ranges of the diff, each of one kind.
    pub ranges: Vec<Range>,
    /// Changed production lines without mutants, each with the reason.
    pub unmutated: Vec<Unmutated>,
}

/// A run of changed lines of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Range {
    /// Path in the repository.
    pub file: String,
    /// First line.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
    /// What the lines are.
    pub kind: RangeKind,
    /// The workspace package that the file belongs to.
    pub package: Option<String>,
}

/// What a changed line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RangeKind {
    /// Code that ships: mutated.
    Production,
    /// Test code, by path rule or by syntax: never mutated.
    Test,
    /// Generated code: never mutated, listed.
    Generated,
    /// Not Rust code of the workspace.
    Other,
}

/// A changed production line on which no mutant stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unmutated {
    /// Path in the repository.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Why: `comment`, `import`, `declaration`, `cfg-off`, `arid:<rule>`, `no-operator` …
    pub reason: String,
}

/// The tests in use.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tests {
    /// The tests that the diff added or changed.
    pub delta: Vec<DeltaTest>,
    /// How they fared on the unmutated tree.
    pub baseline: Vec<BaselineTest>,
    /// Tests of the delta that can kill no mutant.
    pub toothless: Vec<TestId>,
}

/// A test of the delta and why it is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DeltaTest {
    /// Its identity.
    #[serde(flatten)]
    pub id: TestId,
    /// What the diff did to it.
    pub change: TestChange,
    /// Where it is written, when known.
    pub file: Option<String>,
    /// First line of the test there; `null` when unknown.
    pub line: Option<u32>,
}

/// What the diff did to a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TestChange {
    /// The base does not have it.
    Added,
    /// Its function, attributes or macro invocation differ from the base's.
    Modified,
    /// It reaches a helper in test code that the diff changed.
    ModifiedHelper,
}

/// A delta test on the unmutated tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BaselineTest {
    /// Its identity.
    #[serde(flatten)]
    pub id: TestId,
    /// All runs taken together.
    pub outcome: BaselineOutcome,
    /// How often it ran.
    pub runs: u32,
    /// The slowest run.
    pub duration_ms: f64,
}

/// All baseline runs of one test taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BaselineOutcome {
    /// Every run passed.
    Pass,
    /// Every run failed.
    Fail,
    /// Some runs passed and some failed.
    Flaky,
    /// A run did not end in time.
    Timeout,
}

/// One small syntactic change to one place, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mutant {
    /// `m-` and hex digits; stable under edits elsewhere.
    pub id: String,
    /// The operator's name in the catalog.
    pub operator: String,
    /// Path in the repository.
    pub file: String,
    /// The enclosing item, e.g. `pricing::bulk_price`.
    pub function: String,
    /// First line of the replaced text.
    pub line: u32,
    /// First column of the replaced text.
    pub column: u32,
    /// Line of the replaced text's end.
    pub end_line: u32,
    /// Column after the replaced text.
    pub end_column: u32,
    /// First byte of the replaced text.
    pub start_byte: usize,
    /// Byte after the replaced text.
    pub end_byte: usize,
    /// The replaced text.
    pub original: String,
    /// What stands there instead.
    pub replacement: String,
    /// How it was put into the program.
    pub engine: Engine,
    /// What became of it.
    pub verdict: Verdict,
    /// Delta tests that failed on it, the first killer first.
    pub killed_by: Vec<Killer>,
    /// Delta tests that execute it.
    pub executed_by: Vec<TestId>,
    /// What the rest of the suite makes of it.
    pub historical: Historical,
    /// Why the verdict, where it needs saying.
    pub reason: Option<String>,
    /// Time spent on it.
    pub duration_ms: f64,
    /// Hex SHA-256 of the enclosing item's tokens: an excusal holds for just this item.
    #[serde(default)]
    pub item: String,
    /// Earlier verdicts, the first one first; written by `rerun`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Past>,
}

/// How a mutant was put into the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Compiled with all others behind a run-time switch.
    Woven,
    /// Compiled alone, as a real source change.
    Rebuilt,
}

/// What became of a mutant: exactly one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// At least one test in use failed on it, reproducibly, after passing without it.
    Killed,
    /// A test exceeded a limit reproducibly.
    Timeout,
    /// It was executed and every test in use passed.
    Survived,
    /// Every test in use passed and none of them executed it.
    Unexecuted,
    /// A survivor with a valid entry in the ledger.
    Excused,
    /// It does not compile, or the test process died before the test began.
    Invalid,
    /// The outcome did not reproduce.
    Flaky,
    /// The cap, an interruption or an early end came before it ran.
    Unverified,
}

/// A test that failed on a mutant, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Killer {
    /// Its identity.
    #[serde(flatten)]
    pub id: TestId,
    /// How the test failed.
    pub how: How,
}

/// How a test failed on a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// An assertion of the test.
    Assertion,
    /// A panic elsewhere.
    Panic,
    /// A signal or abort after the test began.
    Abort,
    /// A limit.
    Timeout,
}

/// The historical suite's column for one mutant; never enters the ratio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Historical {
    /// What the historical tests make of it.
    pub verdict: HistoricalVerdict,
    /// The historical tests that failed on it.
    pub killed_by: Vec<Killer>,
}

/// What the historical tests make of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HistoricalVerdict {
    /// One of them failed on it.
    Killed,
    /// One of them executes it, all passed.
    Survived,
    /// None executes it.
    Unexecuted,
    /// They were not asked.
    NotRun,
}

impl fmt::Display for HistoricalVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            HistoricalVerdict::Killed => "killed",
            HistoricalVerdict::Survived => "survived",
            HistoricalVerdict::Unexecuted => "unexecuted",
            HistoricalVerdict::NotRun => "not-run",
        })
    }
}

/// The mutants counted by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counts {
    /// All of them.
    pub total: u32,
    /// killed + timeout + survived + unexecuted + excused.
    pub valid: u32,
    /// [`Verdict::Killed`].
    pub killed: u32,
    /// [`Verdict::Timeout`].
    pub timeout: u32,
    /// [`Verdict::Survived`].
    pub survived: u32,
    /// [`Verdict::Unexecuted`].
    pub unexecuted: u32,
    /// [`Verdict::Excused`].
    pub excused: u32,
    /// [`Verdict::Invalid`].
    pub invalid: u32,
    /// [`Verdict::Flaky`].
    pub flaky: u32,
    /// [`Verdict::Unverified`].
    pub unverified: u32,
}

impl Counts {
    /// Counts verdicts.
    pub fn of(verdicts: impl IntoIterator<Item = Verdict>) -> Counts {
        let mut c = Counts::default();
        for verdict in verdicts {
            c.total += 1;
            let (slot, valid) = match verdict {
                Verdict::Killed => (&mut c.killed, true),
                Verdict::Timeout => (&mut c.timeout, true),
                Verdict::Survived => (&mut c.survived, true),
                Verdict::Unexecuted => (&mut c.unexecuted, true),
                Verdict::Excused => (&mut c.excused, true),
                Verdict::Invalid => (&mut c.invalid, false),
                Verdict::Flaky => (&mut c.flaky, false),
                Verdict::Unverified => (&mut c.unverified, false),
            };
            *slot += 1;
            c.valid += u32::from(valid);
        }
        c
    }

    /// Killed and timed-out mutants.
    pub fn dead(&self) -> u32 {
        self.killed + self.timeout
    }

    /// Valid mutants that are not excused: the ratio's denominator.
    pub fn judged(&self) -> u32 {
        self.valid - self.excused
    }

    /// The kill ratio for people, rounded down to a tenth so that a ratio below a floor never reads as the floor:
    /// `12.5 %`.
    pub fn percent(&self) -> Option<String> {
        let judged = u64::from(self.judged());
        let tenths = (u64::from(self.dead()) * 1000).checked_div(judged)?;
        Some(match tenths % 10 {
            0 => format!("{} %", tenths / 10),
            tenth => format!("{}.{tenth} %", tenths / 10),
        })
    }

    /// (killed + timeout) / (valid - excused); `None` without a denominator.
    pub fn kill_ratio(&self) -> Option<f64> {
        (self.judged() > 0).then(|| f64::from(self.dead()) / f64::from(self.judged()))
    }
}

/// The whole production side of the patch put back to the base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reverted {
    /// What the delta tests made of it.
    pub verdict: RevertedVerdict,
    /// Delta tests that failed without the patch.
    pub killed_by: Vec<Killer>,
    /// Why, where it needs saying.
    pub reason: Option<String>,
}

impl Reverted {
    /// The answer to a reviewer's first question, as one sentence without a full stop.
    pub fn sentence(&self) -> String {
        match (self.verdict, self.killed_by.first()) {
            (RevertedVerdict::Killed, Some(killer)) => {
                format!("without the patch its tests fail, first `{}`", killer.id)
            }
            (RevertedVerdict::Killed, None) => "without the patch its tests fail".to_owned(),
            (RevertedVerdict::Survived, _) => "without the patch its tests pass all the same".to_owned(),
            (RevertedVerdict::Invalid, _) => "without the patch its tests do not compile".to_owned(),
            (RevertedVerdict::NotRun, _) => match &self.reason {
                Some(reason) => format!("not tried: {reason}"),
                None => "not tried".to_owned(),
            },
        }
    }
}

/// What the delta tests made of the reverted patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RevertedVerdict {
    /// A delta test fails without the patch.
    Killed,
    /// Every delta test passes without the patch.
    Survived,
    /// It does not compile.
    Invalid,
    /// It was not tried.
    NotRun,
}

/// What one gate says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Gate {
    /// `ratio`, `kill-map`, `zero-survivors` or `freeze`.
    pub name: String,
    /// Its decision.
    pub decision: GateDecision,
    /// The row of the table that decided.
    pub rule: String,
    /// One sentence each.
    pub reasons: Vec<String>,
}

/// The decision of one gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateDecision {
    /// Nothing to judge; recorded, not hidden.
    Vacuous,
    /// Good.
    Pass,
    /// A person has to look.
    Hold,
    /// Mutants are left unverified.
    Incomplete,
    /// Not good.
    Block,
    /// Detection was lost, or tests were loosened; counts as block.
    Reject,
}

/// The decision of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Good.
    Pass,
    /// Nothing to judge; recorded, not hidden.
    Vacuous,
    /// Not good.
    Block,
    /// A person has to look.
    Hold,
    /// The new tests fail, or are flaky, without any mutant.
    BaselineRed,
    /// Mutants are left unverified.
    Incomplete,
}

/// The wall-clock budget of the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cap {
    /// The budget; `null` without one.
    pub seconds: Option<f64>,
    /// Whether it ran out.
    pub reached: bool,
    /// Production ranges whose mutants all have a verdict, `file:start-end`.
    pub ran: Vec<String>,
    /// Production ranges with unverified mutants.
    pub cut: Vec<String>,
}

/// Digests of the user's work tree (status and HEAD) before and after the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tree {
    /// Hex SHA-256 at the start.
    pub before: String,
    /// Hex SHA-256 at the end.
    pub after: String,
    /// Whether the two agree.
    pub clean: bool,
}

/// Milliseconds by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Timings {
    /// git, policy, metadata, classification.
    pub scope: f64,
    /// Mutants and static test delta.
    pub plan: f64,
    /// Weaving and compiling.
    pub build: f64,
    /// Listing and the unmutated runs.
    pub baseline: f64,
    /// All runs with a mutant.
    pub mutants: f64,
    /// Rendering.
    pub report: f64,
    /// Wall clock from start to end.
    pub total: f64,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Killed => "killed",
            Verdict::Timeout => "timeout",
            Verdict::Survived => "survived",
            Verdict::Unexecuted => "unexecuted",
            Verdict::Excused => "excused",
            Verdict::Invalid => "invalid",
            Verdict::Flaky => "flaky",
            Verdict::Unverified => "unverified",
        })
    }
}

impl fmt::Display for TestChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TestChange::Added => "added",
            TestChange::Modified => "modified",
            TestChange::ModifiedHelper => "modified-helper",
        })
    }
}

impl fmt::Display for BaselineOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BaselineOutcome::Pass => "pass",
            BaselineOutcome::Fail => "fail",
            BaselineOutcome::Flaky => "flaky",
            BaselineOutcome::Timeout => "timeout",
        })
    }
}

impl fmt::Display for GateDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GateDecision::Vacuous => "vacuous",
            GateDecision::Pass => "pass",
            GateDecision::Hold => "hold",
            GateDecision::Incomplete => "incomplete",
            GateDecision::Block => "block",
            GateDecision::Reject => "reject",
        })
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Decision::Pass => "pass",
            Decision::Vacuous => "vacuous",
            Decision::Block => "block",
            Decision::Hold => "hold",
            Decision::BaselineRed => "baseline-red",
            Decision::Incomplete => "incomplete",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_counts_timeouts_as_kills_and_leaves_out_the_excused() {
        let c = Counts::of([
            Verdict::Killed,
            Verdict::Timeout,
            Verdict::Survived,
            Verdict::Unexecuted,
            Verdict::Excused,
            Verdict::Invalid,
        ]);
        assert_eq!((c.total, c.valid, c.dead(), c.judged()), (6, 5, 2, 4));
        assert_eq!(c.kill_ratio(), Some(0.5));
    }

    #[test]
    fn without_valid_mutants_there_is_no_ratio() {
        assert_eq!(Counts::of([Verdict::Invalid, Verdict::Flaky, Verdict::Unverified]).kill_ratio(), None);
        assert_eq!(Counts::of([Verdict::Excused]).kill_ratio(), None);
    }

    #[test]
    fn a_ratio_just_below_a_floor_does_not_read_as_the_floor() {
        let counts = |dead, judged| Counts { killed: dead, valid: judged, ..Counts::default() };
        assert_eq!(counts(1999, 10_000).percent().as_deref(), Some("19.9 %"));
        assert_eq!(counts(1, 5).percent().as_deref(), Some("20 %"));
        assert_eq!(counts(1, 30).percent().as_deref(), Some("3.3 %"));
        assert_eq!(counts(0, 0).percent(), None);
    }

    #[test]
    fn people_read_the_same_words_as_the_schema_has() {
        fn agree<T: Serialize + fmt::Display>(values: &[T]) {
            for v in values {
                assert_eq!(serde_json::to_value(v).unwrap(), v.to_string());
            }
        }
        use {BaselineOutcome as B, Decision as D, GateDecision as G, TestChange as T, Verdict as V};
        agree(&[V::Killed, V::Timeout, V::Survived, V::Unexecuted, V::Excused, V::Invalid, V::Flaky, V::Unverified]);
        agree(&[D::Pass, D::Vacuous, D::Block, D::Hold, D::BaselineRed, D::Incomplete]);
        agree(&[G::Vacuous, G::Pass, G::Hold, G::Incomplete, G::Block, G::Reject]);
        agree(&[T::Added, T::Modified, T::ModifiedHelper]);
        agree(&[B::Pass, B::Fail, B::Flaky, B::Timeout]);
    }

    #[test]
    fn words_are_written_as_the_schema_has_them() {
        assert_eq!(serde_json::to_value(RangeKind::Production).unwrap(), "production");
        assert_eq!(serde_json::to_value(TestChange::ModifiedHelper).unwrap(), "modified-helper");
        assert_eq!(serde_json::to_value(Decision::BaselineRed).unwrap(), "baseline-red");
        assert_eq!(serde_json::to_value(PolicySource::MergeBase).unwrap(), "merge-base");
        assert_eq!(serde_json::to_value(HistoricalVerdict::NotRun).unwrap(), "not-run");
    }
}
