//! The decision tables: pure functions from counts, scope and policy to a decision with the row that decided.
//!
//! A gate judges alone and always says why. What the run decides is the worst of them all, so that one gate's
//! pass never hides another's block.

pub mod freeze;
pub mod kill_map;
pub mod ratio;
pub mod row;

use crate::policy::RevertedSurvives;
use crate::report::model::{BaselineOutcome, BaselineTest, Decision, Gate, GateDecision, Reverted, RevertedVerdict};
use crate::report::text;
use row::Row;

/// The worst decision wins: block and reject, then incomplete, hold, pass, vacuous.
///
/// Without any gate nothing was judged, and that is for a person to know: hold.
pub fn worst(gates: &[Gate]) -> Decision {
    match gates.iter().map(|g| g.decision).max() {
        None | Some(GateDecision::Hold) => Decision::Hold,
        Some(GateDecision::Block | GateDecision::Reject) => Decision::Block,
        Some(GateDecision::Incomplete) => Decision::Incomplete,
        Some(GateDecision::Pass) => Decision::Pass,
        Some(GateDecision::Vacuous) => Decision::Vacuous,
    }
}

/// The decision of a run whose baseline may be red.
///
/// What needs no build is judged before the baseline, so a block or reject that the gates reached without it
/// stands; otherwise a red baseline ends the run with its own decision.
pub fn overall(gates: &[Gate], baseline_red: bool) -> Decision {
    match worst(gates) {
        Decision::Block => Decision::Block,
        _ if baseline_red => Decision::BaselineRed,
        decision => decision,
    }
}

/// The delta tests that are not green without any mutant.
pub fn red(baseline: &[BaselineTest]) -> Vec<&BaselineTest> {
    baseline.iter().filter(|t| t.outcome != BaselineOutcome::Pass).collect()
}

/// The entry of a gate that could not judge because the baseline is red; `None` when it is green.
///
/// The gate itself has left every mutant unverified; [`overall`] turns that into `baseline-red`.
pub fn baseline_red(name: &str, baseline: &[BaselineTest]) -> Option<Gate> {
    let red = red(baseline);
    (!red.is_empty()).then(|| Gate {
        name: name.to_owned(),
        decision: GateDecision::Incomplete,
        rule: Row::BaselineRed.to_string(),
        reasons: red.iter().map(|t| format!("`{}`: {} on the unmutated tree", t.id, word(t.outcome))).collect(),
    })
}

fn word(outcome: BaselineOutcome) -> &'static str {
    match outcome {
        BaselineOutcome::Pass => "passes",
        BaselineOutcome::Fail => "fails",
        BaselineOutcome::Flaky => "passes and fails by turns",
        BaselineOutcome::Timeout => "does not end in time",
    }
}

/// Up to three things by name, then how many more there are.
fn brief(names: impl IntoIterator<Item = String>) -> String {
    text::list(&names.into_iter().collect::<Vec<_>>(), 3)
}

/// What the policy makes of a patch whose tests pass without it.
pub fn reverted(mut gate: Gate, reverted: &Reverted, policy: RevertedSurvives) -> Gate {
    if reverted.verdict != RevertedVerdict::Survived {
        return gate;
    }
    gate.reasons.push("all of the patch's tests pass without the patch's production code".to_owned());
    let at_least = match policy {
        RevertedSurvives::Note => return gate,
        RevertedSurvives::Hold => GateDecision::Hold,
        RevertedSurvives::Block => GateDecision::Block,
    };
    if gate.decision < at_least {
        gate.decision = at_least;
        gate.rule =
            format!("the patch's tests pass without the patch: {at_least}, by the policy's `reverted-survives`");
    }
    gate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_id::TestId;

    fn gate(decision: GateDecision) -> Gate {
        Gate { name: "g".into(), decision, rule: String::new(), reasons: vec![] }
    }

    #[test]
    fn the_worst_gate_decides_in_the_documented_order() {
        use GateDecision as G;
        let order = [
            (G::Vacuous, Decision::Vacuous),
            (G::Pass, Decision::Pass),
            (G::Hold, Decision::Hold),
            (G::Incomplete, Decision::Incomplete),
            (G::Block, Decision::Block),
        ];
        for (i, (a, _)) in order.iter().enumerate() {
            for (j, (b, _)) in order.iter().enumerate() {
                assert_eq!(worst(&[gate(*a), gate(*b)]), order[i.max(j)].1, "{a} with {b}");
            }
        }
        assert_eq!(worst(&[gate(G::Pass), gate(G::Reject)]), Decision::Block);
    }

    #[test]
    fn a_run_without_gates_does_not_pass() {
        assert_eq!(worst(&[]), Decision::Hold);
    }

    #[test]
    fn a_red_baseline_decides_unless_something_was_blocked_before_it() {
        let tests = [BaselineOutcome::Pass, BaselineOutcome::Flaky].map(|outcome| BaselineTest {
            id: TestId::new("a::it", format!("{outcome}")),
            outcome,
            runs: 3,
            duration_ms: 1.0,
        });
        let ratio = baseline_red("ratio", &tests).unwrap();
        assert_eq!(ratio.reasons, ["`a::it flaky`: passes and fails by turns on the unmutated tree"]);
        assert_eq!(overall(std::slice::from_ref(&ratio), true), Decision::BaselineRed);
        assert_eq!(overall(&[ratio, gate(GateDecision::Reject)], true), Decision::Block);
        assert_eq!(baseline_red("ratio", &tests[..1]), None);
        assert_eq!(overall(&[gate(GateDecision::Pass)], false), Decision::Pass);
    }

    #[test]
    fn the_policy_decides_what_tests_that_pass_without_the_patch_mean() {
        let gate =
            || Gate { name: "ratio".into(), decision: GateDecision::Pass, rule: "r".into(), reasons: Vec::new() };
        let of = |verdict, policy| {
            let reverted = Reverted { verdict, killed_by: Vec::new(), reason: None };
            super::reverted(gate(), &reverted, policy).decision
        };
        assert_eq!(of(RevertedVerdict::Survived, RevertedSurvives::Note), GateDecision::Pass);
        assert_eq!(of(RevertedVerdict::Survived, RevertedSurvives::Hold), GateDecision::Hold);
        assert_eq!(of(RevertedVerdict::Survived, RevertedSurvives::Block), GateDecision::Block);
        assert_eq!(of(RevertedVerdict::Killed, RevertedSurvives::Block), GateDecision::Pass);
        assert_eq!(of(RevertedVerdict::Invalid, RevertedSurvives::Block), GateDecision::Pass);
    }
}
