//! The decision tables: pure functions from counts, scope and policy to a decision with the row that decided.
//!
//! A gate judges alone and always says why. What the run decides is the worst of them all, so that one gate's
//! pass never hides another's block.

pub mod freeze;
pub mod kill_map;
pub mod ratio;
pub mod row;
pub mod zero_survivors;

use crate::policy::{Policy, RevertedSurvives};
use crate::report::model::{
    BaselineOutcome, BaselineTest, Decision, Facts, FileFloor, Gate, GateDecision, Mutant, Range, Report, Reverted,
    RevertedVerdict, Unmutated,
};
use crate::report::text;
use crate::test_id::TestId;
use row::Row;
use std::collections::BTreeSet;

/// All that the gates which judge by mutants look at. Everything of it stands in the report, so that whoever has that
/// can take the decisions again.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// Every mutant in scope.
    pub mutants: &'a [Mutant],
    /// Tests of the delta that can kill no mutant.
    pub toothless: &'a [TestId],
    /// The changed lines of every kind.
    pub ranges: &'a [Range],
    /// Every changed production line without a mutant.
    pub unmutated: &'a [Unmutated],
    /// The delta tests on the unmutated tree.
    pub baseline: &'a [BaselineTest],
    /// Production ranges whose mutants all have a verdict.
    pub ran: &'a [String],
    /// Production ranges with unverified mutants.
    pub cut: &'a [String],
    /// The production side of the patch put back to the base.
    pub reverted: &'a Reverted,
    /// The rest.
    pub facts: &'a Facts,
    /// Ledger entries that do not hold.
    pub ledger_problems: &'a [String],
    /// Whether the gate `kill-map` judges too: it decides about a patch that changes tests alone.
    pub mapped: bool,
}

impl<'a> Evidence<'a> {
    /// What a report says.
    pub fn of(report: &'a Report) -> Evidence<'a> {
        Evidence {
            mutants: &report.mutants,
            toothless: &report.tests.toothless,
            ranges: &report.scope.ranges,
            unmutated: &report.scope.unmutated,
            baseline: &report.tests.baseline,
            ran: &report.cap.ran,
            cut: &report.cap.cut,
            reverted: &report.reverted,
            facts: &report.facts,
            ledger_problems: &report.ledger.problems,
            mapped: report.gates.iter().any(|gate| gate.name == kill_map::NAME),
        }
    }

    /// The decisions of some gates by name (those that do not judge by mutants are left out), and whether a red
    /// baseline kept them from judging.
    pub fn judge(&self, names: &[&str]) -> (Vec<Gate>, bool) {
        let ended_early = self.facts.ended_early;
        let (mut gates, mut any_red) = (Vec::new(), false);
        for name in names {
            let (early, judged) = match *name {
                ratio::NAME => {
                    let floor = |file: &str| self.floor(file);
                    let input = self.ratio(&floor);
                    (ratio::early(&input).is_some(), ratio::judge(&input))
                }
                zero_survivors::NAME => (self.mutants.is_empty(), zero_survivors::judge(&self.zero())),
                _ => continue,
            };
            match baseline_red(name, self.baseline).filter(|_| !early && !ended_early) {
                Some(red) => {
                    any_red = true;
                    gates.push(red);
                }
                None if *name == ratio::NAME => {
                    let mut judged = judged;
                    if self.mapped && judged.rule == Row::TestsOnly.to_string() {
                        judged.decision = GateDecision::Vacuous;
                        judged.reasons.push("the kill map decides".to_owned());
                    }
                    gates.push(reverted(judged, self.reverted, self.facts.reverted_survives));
                }
                None => gates.push(judged),
            }
        }
        if self.facts.carried_over {
            gates.iter_mut().for_each(carried_over);
        }
        (gates, any_red)
    }

    fn ratio<'s>(&'s self, floor: &'s dyn Fn(&str) -> ratio::Floor) -> ratio::RatioInput<'s> {
        ratio::RatioInput {
            tests: self.facts.tests,
            toothless: self.toothless,
            mutants: self.mutants,
            ranges: self.ranges,
            unmutated: self.unmutated,
            deletions_only: self.facts.deletions_only,
            test_side_changed: self.facts.test_side_changed,
            ended_early: self.facts.ended_early,
            policy_changed: &self.facts.policy_changed,
            attributes_changed: self.facts.attributes_changed,
            unlisted: self.facts.unlisted,
            floor,
        }
    }

    fn floor(&self, file: &str) -> ratio::Floor {
        let known = self.facts.floors.iter().find(|floor| floor.file == file);
        // Every file with a mutant has one; a report without is met by nothing.
        known.map_or(ratio::Floor { group: file.to_owned(), percent: 100 }, |floor| ratio::Floor {
            group: floor.group.clone(),
            percent: floor.percent,
        })
    }

    fn zero(&self) -> zero_survivors::Input<'a> {
        zero_survivors::Input {
            mutants: self.mutants,
            ranges: self.ranges,
            unmutated: self.unmutated,
            ended_early: self.facts.ended_early,
            ran: self.ran,
            cut: self.cut,
            policy_changed: &self.facts.policy_changed,
            attributes_changed: self.facts.attributes_changed,
            unlisted: self.facts.unlisted,
            new_excusals: &self.facts.new_excusals,
            ledger_problems: self.ledger_problems,
        }
    }
}

/// The floor that a policy gives to every file that has a mutant.
pub fn floors(policy: &Policy, mutants: &[Mutant]) -> Vec<FileFloor> {
    let files: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.file.as_str()).collect();
    let groups = policy.floor_groups();
    let floor = |file: &str| {
        let group = policy.floor_group(file);
        let label = if group == 0 { String::new() } else { groups[group].label.clone() };
        FileFloor { file: file.to_owned(), group: label, percent: policy.floor_for(file) }
    };
    files.into_iter().map(floor).collect()
}

/// A verdict that was not taken today allows no pass today.
fn carried_over(gate: &mut Gate) {
    if gate.decision == GateDecision::Pass {
        gate.reasons.insert(0, format!("without that: {}", gate.rule));
        gate.rule = "verdicts are taken over from an earlier report: hold until a whole run".to_owned();
        gate.decision = GateDecision::Hold;
    }
}

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
