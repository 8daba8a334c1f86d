//! The gate `freeze`: a patch that loosens the tests themselves is rejected, one that changes its judge is held.

use crate::compare::model::{Decision, Reason};
use crate::freeze::Findings;
use crate::report::model::{Gate, GateDecision};

/// The gate's name.
pub const NAME: &str = "freeze";

/// The decision from what the static checks found.
pub fn judge(findings: &Findings) -> Gate {
    let worst = findings.reasons.iter().map(|reason| reason.rule).max_by_key(|rule| (rule.decision(), *rule));
    let (decision, rule) = match worst {
        Some(rule) if rule.decision() == Decision::Reject => {
            (GateDecision::Reject, format!("the patch loosens the tests: {}", listed(&findings.reasons)))
        }
        Some(_) => (GateDecision::Hold, "the patch changes what it is judged by".to_owned()),
        None if !findings.unread.is_empty() => {
            (GateDecision::Hold, "changed test code cannot be read as Rust".to_owned())
        }
        None if findings.touched => {
            (GateDecision::Pass, "no test of the base is weaker, no data is unexplained".to_owned())
        }
        None => (GateDecision::Vacuous, "the patch touches no test, no fixture and no list of frozen tests".to_owned()),
    };
    let mut reasons: Vec<String> = findings.reasons.iter().map(Reason::to_string).collect();
    reasons.extend(findings.unread.iter().map(|what| format!("not read: {what}")));
    Gate { name: NAME.to_owned(), decision, rule, reasons }
}

/// The rules of some reasons, each once, in order.
pub fn listed(reasons: &[Reason]) -> String {
    let mut rules: Vec<&str> = Vec::new();
    for reason in reasons.iter().filter(|reason| reason.rule.decision() == Decision::Reject) {
        if !rules.contains(&reason.rule.as_str()) {
            rules.push(reason.rule.as_str());
        }
    }
    rules.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::model::Rule;

    fn decision(rules: &[Rule], touched: bool) -> GateDecision {
        let reasons = rules.iter().map(|rule| Reason::new(*rule, "why")).collect();
        judge(&Findings { reasons, touched, ..Findings::default() }).decision
    }

    #[test]
    fn the_worst_reason_decides() {
        assert_eq!(decision(&[], false), GateDecision::Vacuous);
        assert_eq!(decision(&[], true), GateDecision::Pass);
        assert_eq!(decision(&[Rule::PolicyChanged], true), GateDecision::Hold);
        assert_eq!(decision(&[Rule::PolicyChanged, Rule::TestIgnored], true), GateDecision::Reject);
    }

    #[test]
    fn test_code_that_cannot_be_read_is_for_a_person() {
        let findings = Findings { unread: vec!["tests/a.rs".into()], touched: true, ..Findings::default() };
        assert_eq!(judge(&findings).decision, GateDecision::Hold);
    }
}
