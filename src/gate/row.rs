//! The rows of the `ratio` gate's decision table, as a closed list.
//!
//! A row's text is what the report gives as the `rule`, and a row alone fixes the decision: whoever knows the
//! row can check the decision without the program.

use crate::report::model::GateDecision;
use std::fmt;

/// One row of the decision table, or of the rules around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Row {
    /// Production code changed and no test did.
    NoOracle,
    /// There are tests, and no valid mutant for them.
    NothingUsable,
    /// One to four mutants, none dead.
    FewNoneKilled,
    /// Five or more mutants, none dead.
    NoneKilled,
    /// One to four mutants, some dead.
    FewSomeKilled,
    /// One to four mutants, all dead.
    FewAllKilled,
    /// Five or more mutants, too few dead.
    BelowFloor,
    /// Five or more mutants, enough dead.
    FloorMet,
    /// Nothing that runs was changed.
    NothingToJudge,
    /// Only the test side was changed.
    TestsOnly,
    /// Production code was only taken away.
    DeletionsOnly,
    /// Only production code of a kind on which no mutant can stand was changed.
    CannotBeJudged,
    /// The run ended before every mutant had a verdict.
    Unverified,
    /// The tests are not green without any mutant.
    BaselineRed,
    /// The patch changes what judges it.
    PolicyChanged,
    /// The patch adds to `.gitattributes`, which could hide code as generated.
    AttributesChanged,
    /// A binary that may hold changed tests cannot list them.
    Unlisted,
    /// A changed production file cannot be read as Rust.
    Unparsable,
    /// A mutant's outcome did not reproduce.
    FlakyMutant,
}

impl Row {
    /// Every row.
    pub const ALL: [Row; 19] = [
        Row::NoOracle,
        Row::NothingUsable,
        Row::FewNoneKilled,
        Row::NoneKilled,
        Row::FewSomeKilled,
        Row::FewAllKilled,
        Row::BelowFloor,
        Row::FloorMet,
        Row::NothingToJudge,
        Row::TestsOnly,
        Row::DeletionsOnly,
        Row::CannotBeJudged,
        Row::Unverified,
        Row::BaselineRed,
        Row::PolicyChanged,
        Row::AttributesChanged,
        Row::Unlisted,
        Row::Unparsable,
        Row::FlakyMutant,
    ];

    /// What the row decides.
    pub fn decision(self) -> GateDecision {
        match self {
            Row::NoOracle | Row::NothingUsable | Row::FewNoneKilled | Row::NoneKilled => GateDecision::Block,
            Row::FewAllKilled | Row::FloorMet => GateDecision::Pass,
            Row::NothingToJudge => GateDecision::Vacuous,
            Row::Unverified | Row::BaselineRed => GateDecision::Incomplete,
            Row::FewSomeKilled
            | Row::BelowFloor
            | Row::TestsOnly
            | Row::DeletionsOnly
            | Row::CannotBeJudged
            | Row::PolicyChanged
            | Row::AttributesChanged
            | Row::Unlisted
            | Row::Unparsable
            | Row::FlakyMutant => GateDecision::Hold,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Row::NoOracle => "no test in the delta: block, no new oracle",
            Row::NothingUsable => {
                "no valid mutant: block, the catalog produced nothing usable; widen it or shrink the hunk"
            }
            Row::FewNoneKilled => "1 to 4 valid mutants, none killed: block, too little pressure",
            Row::NoneKilled => "5 or more valid mutants, none killed: block, the tests did not notice the hunk",
            Row::FewSomeKilled => {
                "1 to 4 valid mutants, some but not all killed: hold, too little pressure to pass on its own"
            }
            Row::FewAllKilled => "1 to 4 valid mutants, all killed: pass",
            Row::BelowFloor => "5 or more valid mutants, kill ratio below the floor: hold, see the survivors",
            Row::FloorMet => "5 or more valid mutants, kill ratio at the floor or above: pass this gate only",
            Row::NothingToJudge => {
                "no production hunk (docs, comments, imports or formatting only): vacuous pass, nothing was judged"
            }
            Row::TestsOnly => "no production hunk, tests only: hold, the kill map decides and none was asked for",
            Row::DeletionsOnly => "no production hunk, deletions only: hold, use a reachability check",
            Row::CannotBeJudged => "none of the changed production code is of a kind that can be judged: hold",
            Row::Unverified => "mutants were left unverified: incomplete",
            Row::BaselineRed => "the tests are not green on the unmutated tree: nothing was mutated",
            Row::PolicyChanged => "the patch changes the policy that judges it: hold at best",
            Row::Unlisted => "a test binary that may hold changed tests cannot list them: hold at best",
            Row::AttributesChanged => "the patch adds to .gitattributes: hold at best",
            Row::Unparsable => "a changed production file does not parse: hold at best",
            Row::FlakyMutant => "the outcome of a mutant did not reproduce: hold at best",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_row_has_a_text_of_its_own() {
        let texts: HashSet<String> = Row::ALL.iter().map(Row::to_string).collect();
        assert_eq!(texts.len(), Row::ALL.len());
    }

    #[test]
    fn a_rows_text_names_what_it_decides() {
        for row in Row::ALL {
            let word = match row {
                // Says why there is no decision: the run's own decision is `baseline-red`.
                Row::BaselineRed => "not green".to_owned(),
                row => row.decision().to_string(),
            };
            assert!(row.to_string().contains(&word), "{row}");
        }
    }
}
