//! `compare.json` (`schema: "hunkmut-compare/1"`): what a patch did to the detection that the base had.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of [`Comparison::schema`].
pub const SCHEMA: &str = "hunkmut-compare/1";

/// The whole document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// What follows from the reasons.
    pub decision: Decision,
    /// Whether everything that was asked has an answer.
    pub complete: bool,
    /// Why; empty when nothing speaks against the patch.
    pub reasons: Vec<Reason>,
    /// Mutants of unchanged code that were killed at the base and live at the head.
    pub resurrected: Vec<String>,
    /// Mutants that are killed at the head and were not at the base.
    pub new_kills: Vec<String>,
    /// The two maps, as files beside this one.
    pub killmaps: MapFiles,
    /// What a reader should know besides. Never a decision.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The names of the map files; `null` where no map was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MapFiles {
    /// The base's.
    pub base: Option<String>,
    /// The head's.
    pub head: Option<String>,
}

/// The decision of a comparison, the better ones first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// No detection was lost: a review may go on.
    AllowReview,
    /// A person has to look.
    Hold,
    /// Mutants are left unverified.
    Incomplete,
    /// Detection was lost, or tests were loosened.
    Reject,
}

/// One reason, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reason {
    /// The rule that it follows from.
    pub rule: Rule,
    /// One sentence.
    pub detail: String,
    /// The file that it is about: path in the repository, of the head where the head has it.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<u32>,
    /// The mutants that it is about.
    pub mutants: Vec<String>,
    /// The tests that it is about, `binary-id name`; the name alone where the binary is not known.
    pub tests: Vec<String>,
}

impl Reason {
    /// A reason about nothing in particular yet.
    pub fn new(rule: Rule, detail: impl Into<String>) -> Reason {
        Reason { rule, detail: detail.into(), file: None, line: None, mutants: Vec::new(), tests: Vec::new() }
    }

    /// The same about a place.
    pub fn at(self, file: impl Into<String>, line: Option<u32>) -> Reason {
        Reason { file: Some(file.into()), line, ..self }
    }

    /// The same about a test.
    pub fn test(mut self, test: impl Into<String>) -> Reason {
        self.tests.push(test.into());
        self
    }
}

/// `src/a.rs:3: detail`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}: {file}:{line}: {}", self.rule, self.detail),
            (Some(file), None) => write!(f, "{}: {file}: {}", self.rule, self.detail),
            (None, _) => write!(f, "{}: {}", self.rule, self.detail),
        }
    }
}

/// The rules, in the order in which reasons are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A mutant of unchanged code was killed at the base and is not at the head.
    Resurrected,
    /// There are new tests, and no new kills.
    NoNewKills,
    /// The bytes of a fixture changed.
    FixtureChanged,
    /// A fixture is gone.
    FixtureRemoved,
    /// A new fixture does not say where it comes from.
    FixtureWithoutProvenance,
    /// A new test rests on made-up data alone.
    FixtureSynthesizedOnly,
    /// One more test is frozen.
    FreezeAdded,
    /// A test is frozen for longer.
    FreezeExtended,
    /// A freeze entry lacks owner, reason or a readable expiry, or the file cannot be read.
    FreezeIncomplete,
    /// A test of the base is ignored now.
    TestIgnored,
    /// A test of the base is compiled under more conditions now.
    TestGated,
    /// A test of the base is gone.
    TestDeleted,
    /// A test of the base asserts less.
    AssertionRemoved,
    /// A test of the base may panic now, or with more messages.
    ShouldPanicWidened,
    /// nextest is told to be more patient, or to run fewer tests.
    NextestLoosened,
    /// The patch changes what it is judged by.
    PolicyChanged,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 16] = [
        Rule::Resurrected,
        Rule::NoNewKills,
        Rule::FixtureChanged,
        Rule::FixtureRemoved,
        Rule::FixtureWithoutProvenance,
        Rule::FixtureSynthesizedOnly,
        Rule::FreezeAdded,
        Rule::FreezeExtended,
        Rule::FreezeIncomplete,
        Rule::TestIgnored,
        Rule::TestGated,
        Rule::TestDeleted,
        Rule::AssertionRemoved,
        Rule::ShouldPanicWidened,
        Rule::NextestLoosened,
        Rule::PolicyChanged,
    ];

    /// The name in `compare.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::Resurrected => "resurrected",
            Rule::NoNewKills => "no-new-kills",
            Rule::FixtureChanged => "fixture-changed",
            Rule::FixtureRemoved => "fixture-removed",
            Rule::FixtureWithoutProvenance => "fixture-without-provenance",
            Rule::FixtureSynthesizedOnly => "fixture-synthesized-only",
            Rule::FreezeAdded => "freeze-added",
            Rule::FreezeExtended => "freeze-extended",
            Rule::FreezeIncomplete => "freeze-incomplete",
            Rule::TestIgnored => "test-ignored",
            Rule::TestGated => "test-gated",
            Rule::TestDeleted => "test-deleted",
            Rule::AssertionRemoved => "assertion-removed",
            Rule::ShouldPanicWidened => "should-panic-widened",
            Rule::NextestLoosened => "nextest-loosened",
            Rule::PolicyChanged => "policy-changed",
        }
    }

    /// What one reason of this rule comes to.
    pub fn decision(self) -> Decision {
        match self {
            Rule::PolicyChanged => Decision::Hold,
            Rule::Resurrected
            | Rule::NoNewKills
            | Rule::FixtureChanged
            | Rule::FixtureRemoved
            | Rule::FixtureWithoutProvenance
            | Rule::FixtureSynthesizedOnly
            | Rule::FreezeAdded
            | Rule::FreezeExtended
            | Rule::FreezeIncomplete
            | Rule::TestIgnored
            | Rule::TestGated
            | Rule::TestDeleted
            | Rule::AssertionRemoved
            | Rule::ShouldPanicWidened
            | Rule::NextestLoosened => Decision::Reject,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Decision::AllowReview => "allow-review",
            Decision::Hold => "hold",
            Decision::Incomplete => "incomplete",
            Decision::Reject => "reject",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_the_same_words_as_the_schema_has() {
        for rule in Rule::ALL {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.as_str());
        }
        for decision in [Decision::AllowReview, Decision::Hold, Decision::Incomplete, Decision::Reject] {
            assert_eq!(serde_json::to_value(decision).unwrap(), decision.to_string());
        }
    }

    #[test]
    fn only_a_changed_judge_is_held_and_all_else_rejected() {
        let held: Vec<Rule> = Rule::ALL.into_iter().filter(|rule| rule.decision() != Decision::Reject).collect();
        assert_eq!(held, [Rule::PolicyChanged]);
    }
}
