//! The gate `kill-map`: a patch that lost any detection that the base had is rejected.

use super::freeze::listed;
use crate::compare::model::{Comparison, Decision, Reason};
use crate::report::model::{Gate, GateDecision};

/// The gate's name.
pub const NAME: &str = "kill-map";

/// The decision of a comparison as a gate's. `judged` says whether there was anything to compare.
pub fn judge(comparison: &Comparison, judged: bool) -> Gate {
    let (decision, rule) = match comparison.decision {
        Decision::Reject => {
            (GateDecision::Reject, format!("the patch loses detection: {}", listed(&comparison.reasons)))
        }
        Decision::Incomplete => (GateDecision::Incomplete, "mutants are left without a verdict".to_owned()),
        Decision::Hold => (GateDecision::Hold, "the maps cannot tell everything, or the judge was changed".to_owned()),
        Decision::AllowReview if judged => {
            (GateDecision::Pass, "nothing that the base detected is lost: a review may go on".to_owned())
        }
        Decision::AllowReview => (GateDecision::Vacuous, "there is no code and no test to compare".to_owned()),
    };
    let mut reasons: Vec<String> = comparison.reasons.iter().map(Reason::to_string).collect();
    if comparison.decision != Decision::Reject {
        reasons.extend(comparison.notes.iter().cloned());
    }
    if !comparison.new_kills.is_empty() {
        reasons.push(format!("{} mutants are killed that were not before", comparison.new_kills.len()));
    }
    Gate { name: NAME.to_owned(), decision, rule, reasons }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::model::Rule;

    #[test]
    fn every_decision_has_its_row() {
        let of = |decision, judged| {
            let comparison = Comparison { decision, ..Comparison::of_reasons(Vec::new(), Vec::new()) };
            judge(&comparison, judged).decision
        };
        assert_eq!(of(Decision::AllowReview, true), GateDecision::Pass);
        assert_eq!(of(Decision::AllowReview, false), GateDecision::Vacuous);
        assert_eq!(of(Decision::Hold, true), GateDecision::Hold);
        assert_eq!(of(Decision::Incomplete, true), GateDecision::Incomplete);
        assert_eq!(of(Decision::Reject, false), GateDecision::Reject);
    }

    #[test]
    fn a_rejection_names_its_rules() {
        let reasons = vec![Reason::new(Rule::Resurrected, "x"), Reason::new(Rule::PolicyChanged, "y")];
        let gate = judge(&Comparison::of_reasons(reasons, Vec::new()), true);
        assert!(gate.rule.ends_with(": resurrected"), "{}", gate.rule);
    }
}
