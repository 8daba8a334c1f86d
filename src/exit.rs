//! The documented exit codes, and the one place that picks them.

use crate::report::model::Decision;

/// How the program ends (CONTRACT of the command line; also printed by `--help`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Pass; a vacuous pass is printed and recorded as such.
    Pass = 0,
    /// Block or reject.
    Block = 1,
    /// Usage, git, build or environment error: no verdict was reached.
    Error = 2,
    /// Hold for review.
    Hold = 3,
    /// The new tests fail, or are flaky, on the unmutated tree.
    BaselineRed = 4,
    /// The cap or an interruption left mutants unverified.
    Incomplete = 5,
}

impl Exit {
    /// The number given to the operating system.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The exit that belongs to a decision.
    pub fn of(decision: Decision) -> Exit {
        match decision {
            Decision::Pass | Decision::Vacuous => Exit::Pass,
            Decision::Block => Exit::Block,
            Decision::Hold => Exit::Hold,
            Decision::BaselineRed => Exit::BaselineRed,
            Decision::Incomplete => Exit::Incomplete,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_has_its_documented_code() {
        let codes = [
            (Decision::Pass, 0),
            (Decision::Vacuous, 0),
            (Decision::Block, 1),
            (Decision::Hold, 3),
            (Decision::BaselineRed, 4),
            (Decision::Incomplete, 5),
        ];
        for (decision, code) in codes {
            assert_eq!(Exit::of(decision).code(), code, "{decision:?}");
        }
    }
}
