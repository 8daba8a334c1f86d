//! The gate `zero-survivors`: is every mutant on the changed lines that the suite executes dead, or excused in writing?
//!
//! The suite is all tests: what the patch's own tests left alive is tried on the historical ones. Mutants that no test
//! executes are listed as uncovered and decide nothing. What is not known is never taken for dead: as long as the
//! historical tests were not asked about a mutant that the patch's tests do not execute, the gate holds.

use super::brief;
use super::ratio::{BEYOND_REACH, UNPARSABLE};
use crate::report::model::{Gate, GateDecision, HistoricalVerdict, Mutant, Range, RangeKind, Unmutated, Verdict};
use crate::report::text::count;
use std::fmt;

/// The name of the gate in policy and report.
pub const NAME: &str = "zero-survivors";

/// All that the gate looks at.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// Every mutant in scope.
    pub mutants: &'a [Mutant],
    /// The changed lines of every kind.
    pub ranges: &'a [Range],
    /// Every changed production line without a mutant.
    pub unmutated: &'a [Unmutated],
    /// Whether the cap, an interruption or an error came before every mutant had a verdict.
    pub ended_early: bool,
    /// Production ranges whose mutants all have a verdict, `file:start-end`.
    pub ran: &'a [String],
    /// Production ranges with unverified mutants.
    pub cut: &'a [String],
    /// Which of policy, ledger, freeze file and nextest configuration the patch changes, as paths.
    pub policy_changed: &'a [String],
    /// Whether the patch adds to a `.gitattributes`.
    pub attributes_changed: bool,
    /// Whether a test binary that may hold changed tests could not list them.
    pub unlisted: bool,
    /// Mutants excused by entries that the patch itself adds.
    pub new_excusals: &'a [String],
    /// Ledger entries that do not hold, one sentence each.
    pub ledger_problems: &'a [String],
}

/// What the whole suite makes of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A test kills it, or it exceeds a limit.
    Dead,
    /// A survivor that a person has excused.
    Excused,
    /// Tests execute it, and all pass.
    Alive,
    /// No test executes it.
    Uncovered,
    /// The patch's tests do not execute it, and the others were not asked.
    Unknown,
    /// It has no verdict.
    Open,
    /// Its outcome did not reproduce.
    Doubtful,
    /// It does not compile.
    Invalid,
}

impl Standing {
    /// Both columns of the report taken together.
    pub fn of(mutant: &Mutant) -> Standing {
        match (mutant.verdict, mutant.historical.verdict) {
            (Verdict::Killed | Verdict::Timeout, _) => Standing::Dead,
            (Verdict::Invalid, _) => Standing::Invalid,
            (_, HistoricalVerdict::Killed) => Standing::Dead,
            (Verdict::Excused, _) => Standing::Excused,
            (Verdict::Flaky, _) => Standing::Doubtful,
            (Verdict::Unverified, _) => Standing::Open,
            (Verdict::Survived, _) | (Verdict::Unexecuted, HistoricalVerdict::Survived) => Standing::Alive,
            (Verdict::Unexecuted, HistoricalVerdict::Unexecuted) => Standing::Uncovered,
            (Verdict::Unexecuted, HistoricalVerdict::NotRun) => Standing::Unknown,
        }
    }
}

/// One row of the gate's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Row {
    /// The run ended early.
    Unverified,
    /// A covered mutant is alive.
    Alive,
    /// It is not known of some mutants whether the suite covers them.
    NotAsked,
    /// The suite executes no mutant.
    Empty,
    /// Every covered mutant is dead or excused.
    AllDead,
    /// The patch changes what judges it.
    PolicyChanged,
    /// A mutant is excused only by the patch itself.
    NewExcusals,
    /// The patch adds to `.gitattributes`.
    AttributesChanged,
    /// A binary cannot list its tests.
    Unlisted,
    /// A changed production file does not parse.
    Unparsable,
    /// A mutant's outcome did not reproduce.
    FlakyMutant,
}

impl Row {
    /// Every row.
    pub const ALL: [Row; 11] = [
        Row::Unverified,
        Row::Alive,
        Row::NotAsked,
        Row::Empty,
        Row::AllDead,
        Row::PolicyChanged,
        Row::NewExcusals,
        Row::AttributesChanged,
        Row::Unlisted,
        Row::Unparsable,
        Row::FlakyMutant,
    ];

    /// What the row decides.
    pub fn decision(self) -> GateDecision {
        match self {
            Row::Unverified => GateDecision::Incomplete,
            Row::Alive => GateDecision::Block,
            Row::Empty => GateDecision::Vacuous,
            Row::AllDead => GateDecision::Pass,
            Row::NotAsked
            | Row::PolicyChanged
            | Row::NewExcusals
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
            Row::Unverified => "mutants were left unverified: incomplete",
            Row::Alive => "a mutant that the suite executes is alive: block, see the kill-tasks",
            Row::NotAsked => {
                "the historical tests were not asked about mutants that the patch's tests do not execute: hold"
            }
            Row::Empty => "no mutant on changed lines that the suite executes: vacuous pass, nothing was judged",
            Row::AllDead => "every mutant that the suite executes is dead or excused: pass",
            Row::PolicyChanged => "the patch changes the policy that judges it: hold at best",
            Row::NewExcusals => "mutants are excused by entries that the patch itself adds: hold at best",
            Row::AttributesChanged => "the patch adds to .gitattributes: hold at best",
            Row::Unlisted => "a test binary that may hold changed tests cannot list them: hold at best",
            Row::Unparsable => "a changed production file does not parse: hold at best",
            Row::FlakyMutant => "the outcome of a mutant did not reproduce: hold at best",
        })
    }
}

/// The gate's decision.
pub fn judge(input: &Input<'_>) -> Gate {
    let table = row(input);
    let mut reasons = numbers(input);
    let row = match ceiling(input) {
        Some(held) if table.decision() < held.decision() => {
            reasons.insert(0, format!("without that: {table}"));
            held
        }
        _ => table,
    };
    reasons.extend(listed(input, Standing::Alive, "alive"));
    let unasked = input.mutants.iter().filter(|mutant| is_alive_unasked(mutant)).count();
    if table == Row::Alive && unasked > 0 {
        reasons.push(format!(
            "historical tests were not asked about {unasked} of these; what only they kill counts as alive"
        ));
    }
    reasons.extend(listed(input, Standing::Uncovered, "uncovered, executed by no test"));
    reasons.extend(listed(input, Standing::Unknown, "not executed by the patch's tests"));
    reasons.extend(listed(input, Standing::Doubtful, "flaky"));
    if input.ended_early {
        let ranges = |ranges: &[String]| if ranges.is_empty() { "none".to_owned() } else { ranges.join(", ") };
        reasons.push(format!("ranges that ran: {}", ranges(input.ran)));
        reasons.push(format!("ranges that did not: {}", ranges(input.cut)));
    }
    if !input.policy_changed.is_empty() {
        let files = brief(input.policy_changed.iter().cloned());
        reasons.push(format!("policy: the patch changes {files}; it is judged without that change, and held at best"));
    }
    if !input.new_excusals.is_empty() {
        reasons.push(format!("excused by the patch itself: {}", brief(input.new_excusals.iter().cloned())));
    }
    reasons.extend(input.ledger_problems.iter().map(|problem| format!("ledger: {problem}")));
    reasons.extend(beyond_reach(input));
    Gate { name: NAME.to_owned(), decision: row.decision(), rule: row.to_string(), reasons }
}

fn row(input: &Input<'_>) -> Row {
    let has = |standing| input.mutants.iter().any(|mutant| Standing::of(mutant) == standing);
    if input.ended_early {
        Row::Unverified
    } else if has(Standing::Alive) {
        Row::Alive
    } else if has(Standing::Unknown) || has(Standing::Open) {
        // Without an early end, a mutant is open only where no test was run at all.
        Row::NotAsked
    } else if has(Standing::Dead) || has(Standing::Excused) {
        Row::AllDead
    } else {
        Row::Empty
    }
}

fn ceiling(input: &Input<'_>) -> Option<Row> {
    if !input.policy_changed.is_empty() {
        Some(Row::PolicyChanged)
    } else if !input.new_excusals.is_empty() {
        Some(Row::NewExcusals)
    } else if input.attributes_changed {
        Some(Row::AttributesChanged)
    } else if input.unlisted {
        Some(Row::Unlisted)
    } else if input.unmutated.iter().any(|u| u.reason == UNPARSABLE) {
        Some(Row::Unparsable)
    } else if input.mutants.iter().any(|mutant| Standing::of(mutant) == Standing::Doubtful) {
        Some(Row::FlakyMutant)
    } else {
        None
    }
}

fn numbers(input: &Input<'_>) -> Vec<String> {
    let of = |standing| input.mutants.iter().filter(|mutant| Standing::of(mutant) == standing).count();
    let (dead, excused, alive) = (of(Standing::Dead), of(Standing::Excused), of(Standing::Alive));
    if dead + excused + alive == 0 {
        let production = input.ranges.iter().any(|range| range.kind == RangeKind::Production);
        return match (production, input.mutants.len()) {
            (false, _) => vec!["the patch changes no production code".to_owned()],
            (true, 0) => vec!["there is no mutant for the changed lines".to_owned()],
            (true, n) => vec![format!("{}, none of them known to be executed by a test", count(n, "mutant"))],
        };
    }
    let excused = if excused == 0 { String::new() } else { format!(", {excused} excused") };
    let old = input.mutants.iter().filter(|m| m.verdict != Verdict::Killed && m.verdict != Verdict::Timeout);
    let old = old.filter(|m| Standing::of(m) == Standing::Dead).count();
    let old = if old == 0 { String::new() } else { format!(" ({old} only by historical tests)") };
    vec![format!(
        "{} covered: {dead} dead{old}{excused}, {alive} alive",
        count(dead + of(Standing::Excused) + alive, "mutant")
    )]
}

fn listed(input: &Input<'_>, standing: Standing, what: &str) -> Option<String> {
    let found: Vec<&Mutant> = input.mutants.iter().filter(|mutant| Standing::of(mutant) == standing).collect();
    let places = brief(found.iter().map(|m| format!("{}:{} {}", m.file, m.line, m.operator)));
    (!found.is_empty()).then(|| format!("{} {what}: {places}", count(found.len(), "mutant")))
}

fn is_alive_unasked(mutant: &Mutant) -> bool {
    Standing::of(mutant) == Standing::Alive && mutant.historical.verdict == HistoricalVerdict::NotRun
}

fn beyond_reach(input: &Input<'_>) -> Option<String> {
    let lines: Vec<&Unmutated> = input
        .unmutated
        .iter()
        .filter(|u| BEYOND_REACH.contains(&u.reason.as_str()) || u.reason == UNPARSABLE)
        .collect();
    let places = brief(lines.iter().map(|u| format!("{}:{} {}", u.file, u.line, u.reason)));
    (!lines.is_empty()).then(|| format!("changed production code not judged: {places}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::Historical;
    use crate::report::sample;
    use std::collections::HashSet;

    fn mutant(verdict: Verdict, historical: HistoricalVerdict) -> Mutant {
        let mut mutant = sample::mutant("src/wide.rs", "off_by_one", "12", 0, "13", verdict);
        mutant.historical = Historical { verdict: historical, killed_by: vec![] };
        mutant
    }

    fn input<'a>(mutants: &'a [Mutant]) -> Input<'a> {
        Input {
            mutants,
            ranges: &[],
            unmutated: &[],
            ended_early: false,
            ran: &[],
            cut: &[],
            policy_changed: &[],
            attributes_changed: false,
            unlisted: false,
            new_excusals: &[],
            ledger_problems: &[],
        }
    }

    fn decision(mutants: &[Mutant]) -> GateDecision {
        judge(&input(mutants)).decision
    }

    use HistoricalVerdict as H;
    use Verdict as V;

    #[test]
    fn one_covered_survivor_blocks_and_no_survivor_passes() {
        let dead = mutant(V::Killed, H::NotRun);
        assert_eq!(decision(std::slice::from_ref(&dead)), GateDecision::Pass);
        assert_eq!(decision(&[dead.clone(), mutant(V::Timeout, H::NotRun)]), GateDecision::Pass);
        assert_eq!(decision(&[dead.clone(), mutant(V::Excused, H::Survived)]), GateDecision::Pass);
        assert_eq!(decision(&[dead.clone(), mutant(V::Survived, H::Survived)]), GateDecision::Block);
        assert_eq!(decision(&[dead, mutant(V::Unexecuted, H::Survived)]), GateDecision::Block);
    }

    #[test]
    fn the_historical_tests_count_here() {
        assert_eq!(decision(&[mutant(V::Survived, H::Killed)]), GateDecision::Pass);
        assert_eq!(decision(&[mutant(V::Unexecuted, H::Killed)]), GateDecision::Pass);
    }

    #[test]
    fn what_nobody_was_asked_about_is_not_dead() {
        assert_eq!(decision(&[mutant(V::Killed, H::NotRun), mutant(V::Unexecuted, H::NotRun)]), GateDecision::Hold);
        assert_eq!(decision(&[mutant(V::Unverified, H::NotRun)]), GateDecision::Hold);
        let gate = judge(&input(&[mutant(V::Survived, H::NotRun)]));
        assert!(gate.reasons.iter().any(|r| r.contains("historical tests were not asked about 1")), "{gate:?}");
    }

    #[test]
    fn uncovered_mutants_are_listed_and_decide_nothing() {
        let all = [mutant(V::Killed, H::NotRun), mutant(V::Unexecuted, H::Unexecuted)];
        let gate = judge(&input(&all));
        assert_eq!(gate.decision, GateDecision::Pass);
        assert!(gate.reasons.iter().any(|r| r.contains("1 mutant uncovered")), "{gate:?}");
        assert_eq!(decision(&all[1..]), GateDecision::Vacuous);
    }

    #[test]
    fn an_empty_scope_is_a_recorded_vacuous_pass() {
        assert_eq!(decision(&[]), GateDecision::Vacuous);
        assert_eq!(decision(&[mutant(V::Invalid, H::NotRun)]), GateDecision::Vacuous);
    }

    #[test]
    fn under_the_cap_it_is_incomplete_and_names_the_ranges() {
        let (ran, cut) = (["src/a.rs:1-2".to_owned()], ["src/a.rs:5-9".to_owned()]);
        let mutants = [mutant(V::Killed, H::NotRun), mutant(V::Survived, H::NotRun)];
        let gate = judge(&Input { ended_early: true, ran: &ran, cut: &cut, ..input(&mutants) });
        assert_eq!(gate.decision, GateDecision::Incomplete);
        let said = gate.reasons.join("\n");
        assert!(said.contains("ran: src/a.rs:1-2") && said.contains("did not: src/a.rs:5-9"), "{said}");
    }

    #[test]
    fn nothing_better_than_hold_when_the_patch_has_a_say_in_its_own_judgement() {
        let mutants = [mutant(V::Killed, H::NotRun), mutant(V::Excused, H::Survived)];
        let new = ["m-1".to_owned()];
        let unparsable = [Unmutated { file: "a.rs".into(), line: 1, reason: "unparsable".into() }];
        for held in [
            Input { new_excusals: &new, ..input(&mutants) },
            Input { policy_changed: &new, ..input(&mutants) },
            Input { attributes_changed: true, ..input(&mutants) },
            Input { unlisted: true, ..input(&mutants) },
            Input { unmutated: &unparsable, ..input(&mutants) },
        ] {
            assert_eq!(judge(&held).decision, GateDecision::Hold);
        }
        assert_eq!(decision(&[mutant(V::Killed, H::NotRun), mutant(V::Flaky, H::NotRun)]), GateDecision::Hold);
    }

    #[test]
    fn a_hold_never_softens_a_block() {
        let mutants = [mutant(V::Survived, H::Survived)];
        assert_eq!(judge(&Input { unlisted: true, ..input(&mutants) }).decision, GateDecision::Block);
    }

    #[test]
    fn every_row_has_a_text_of_its_own_that_names_what_it_decides() {
        let texts: HashSet<String> = Row::ALL.iter().map(Row::to_string).collect();
        assert_eq!(texts.len(), Row::ALL.len());
        for row in Row::ALL {
            assert!(row.to_string().contains(&row.decision().to_string()), "{row}");
        }
    }
}
