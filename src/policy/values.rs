//! The values that a policy may hold, each checked when it is read.

use crate::test_id::TestId;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A gate by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GateName {
    /// Do the new tests kill mutants of the new lines?
    Ratio,
    /// Does the patch loosen the tests themselves?
    Freeze,
    /// Did the patch lose any detection that the base had?
    KillMap,
    /// Is every covered mutant on the diff dead?
    ZeroSurvivors,
}

impl GateName {
    /// All gates, in the order of the documentation.
    pub const ALL: [GateName; 4] = [GateName::Ratio, GateName::Freeze, GateName::KillMap, GateName::ZeroSurvivors];

    /// The name as it is written in policies, options and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            GateName::Ratio => "ratio",
            GateName::Freeze => "freeze",
            GateName::KillMap => "kill-map",
            GateName::ZeroSurvivors => "zero-survivors",
        }
    }
}

impl fmt::Display for GateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for GateName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        GateName::ALL.into_iter().find(|gate| gate.as_str() == text).ok_or_else(|| {
            format!("unknown gate `{text}`, expected one of {}", GateName::ALL.map(|g| format!("`{g}`")).join(", "))
        })
    }
}

/// A whole percentage, 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "i64")]
pub struct Percent(u8);

impl Percent {
    /// The number; panics at compile time, or at once, above 100.
    pub const fn new(percent: u8) -> Percent {
        assert!(percent <= 100);
        Percent(percent)
    }

    /// The number, 0 to 100.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for Percent {
    type Error = String;

    fn try_from(percent: i64) -> Result<Self, String> {
        match u8::try_from(percent) {
            Ok(percent @ 0..=100) => Ok(Percent(percent)),
            _ => Err(format!("`{percent}` is not a whole percentage from 0 to 100")),
        }
    }
}

/// A finite factor, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Multiplier(f64);

impl Multiplier {
    /// The default.
    pub const FIVE: Multiplier = Multiplier(5.0);

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Multiplier {
    type Error = String;

    fn try_from(factor: f64) -> Result<Self, String> {
        let good = factor.is_finite() && factor >= 1.0;
        good.then_some(Multiplier(factor)).ok_or_else(|| format!("`{factor}` is not a factor of at least 1"))
    }
}

/// A wall-clock budget.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum Cap {
    /// `30m`, `1h 30m`.
    Duration(Duration),
    /// `8x`: so many times the plain build plus one run of the new tests.
    Times(f64),
}

impl Cap {
    /// The budget, given how long the plain build and one run of the new tests take together.
    pub fn limit(self, plain: Duration) -> Duration {
        match self {
            Cap::Duration(limit) => limit,
            Cap::Times(times) => Duration::try_from_secs_f64(plain.as_secs_f64() * times).unwrap_or(Duration::MAX),
        }
    }
}

impl FromStr for Cap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is neither a duration like `30m` nor a multiple like `8x`");
        if let Some(times) = text.trim().strip_suffix(['x', 'X']) {
            let times: f64 = times.trim().parse().map_err(|_| bad())?;
            return if times.is_finite() && times > 0.0 { Ok(Cap::Times(times)) } else { Err(bad()) };
        }
        match humantime::parse_duration(text.trim()) {
            Ok(limit) if !limit.is_zero() => Ok(Cap::Duration(limit)),
            _ => Err(bad()),
        }
    }
}

impl TryFrom<String> for Cap {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Path globs. `*` stays within a folder; a pattern that ends with `/` holds all below that folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct Globs {
    patterns: Vec<String>,
    set: GlobSet,
}

impl Globs {
    /// Whether a path (from the repository's root, `/`) matches any pattern.
    pub fn matches(&self, path: &str) -> bool {
        self.set.is_match(path)
    }

    /// The patterns as written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Patterns known to be good.
    pub(super) fn known(patterns: &[&str]) -> Globs {
        let patterns: Vec<String> = patterns.iter().map(|p| (*p).to_owned()).collect();
        Globs::try_from(patterns).expect("the program's own patterns are valid globs")
    }
}

impl PartialEq for Globs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl TryFrom<Vec<String>> for Globs {
    type Error = String;

    fn try_from(patterns: Vec<String>) -> Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for pattern in &patterns {
            set.add(glob(pattern)?);
        }
        let set = set.build().map_err(|why| why.to_string())?;
        Ok(Globs { patterns, set })
    }
}

fn glob(pattern: &str) -> Result<Glob, String> {
    let rooted = pattern.trim_start_matches("./").trim_start_matches('/');
    if rooted.is_empty() {
        return Err(format!("`{pattern}` matches no path"));
    }
    let whole = if rooted.ends_with('/') { format!("{rooted}**") } else { rooted.to_owned() };
    let built = GlobBuilder::new(&whole).literal_separator(true).build();
    built.map_err(|why| format!("`{pattern}` is not a glob: {}", why.kind()))
}

/// A test named in the policy, written `binary-id test-name`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ManifestEntry(pub TestId);

impl TryFrom<String> for ManifestEntry {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.trim().split_once(' ') {
            Some((binary, name)) => Ok(ManifestEntry(TestId::new(binary, name.trim()))),
            None => Err(format!("`{text}` is not a test: write `binary-id test-name`, as `cargo nextest list` does")),
        }
    }
}

/// How a test is run on a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Driver {
    /// Direct where the command can be replayed, nextest elsewhere.
    Auto,
    /// Replay the recorded command.
    Direct,
    /// Drive cargo-nextest.
    Nextest,
}

/// How strictly test processes are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// Where the system can; a test that needs more room gets it, by name.
    Auto,
    /// Nothing.
    Off,
    /// Every test, or the run ends.
    Required,
}

/// What to do with a patch without production code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EmptyProduction {
    /// Pass, and say that nothing was judged.
    Vacuous,
    /// A person has to look.
    Hold,
    /// Not good.
    Block,
}

/// What to do with a patch without new or changed tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EmptyTests {
    /// Not good.
    Block,
    /// A person has to look.
    Hold,
}

/// What to do when the new tests pass without the patch's production side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RevertedSurvives {
    /// Say so in the report.
    #[default]
    Note,
    /// A person has to look.
    Hold,
    /// Not good.
    Block,
}

/// Whether survivors are compared with the original as the optimiser sees both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Equivalence {
    /// For the gate `zero-survivors`, by which each survivor has to be dealt with.
    #[default]
    Auto,
    /// However long it takes, inside the cap.
    Always,
    /// Not at all.
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_is_a_duration_or_a_multiple() {
        assert_eq!("30m".parse(), Ok(Cap::Duration(Duration::from_secs(1800))));
        assert_eq!("1h 30m".parse(), Ok(Cap::Duration(Duration::from_secs(5400))));
        assert_eq!("1.5x".parse(), Ok(Cap::Times(1.5)));
        for bad in ["", "x", "-2x", "0x", "0s", "soon", "30", "infx"] {
            assert!(bad.parse::<Cap>().is_err(), "{bad}");
        }
        assert_eq!(Cap::Times(8.0).limit(Duration::from_secs(2)), Duration::from_secs(16));
    }

    #[test]
    fn a_star_stays_within_a_folder_and_a_slash_at_the_end_means_all_below() {
        let globs = Globs::known(&["src/*.rs", "**/fixtures/", "./gen/**"]);
        assert!(globs.matches("src/a.rs") && !globs.matches("src/b/a.rs"));
        assert!(globs.matches("x/fixtures/deep/a.txt") && globs.matches("fixtures/a") && globs.matches("gen/a"));
        assert!(Globs::try_from(vec!["src/[".to_owned()]).unwrap_err().contains("src/["));
        assert!(Globs::try_from(vec![String::new()]).is_err());
    }

    #[test]
    fn every_gate_is_written_as_it_is_read() {
        for gate in GateName::ALL {
            assert_eq!(gate.to_string().parse(), Ok(gate));
        }
        assert!("ration".parse::<GateName>().unwrap_err().contains("zero-survivors"));
    }
}
