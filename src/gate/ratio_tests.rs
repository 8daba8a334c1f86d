//! The `ratio` gate against tables written apart from it.

use super::*;
use crate::report::model::{Engine, Historical, HistoricalVerdict};

fn mutant(file: &str, verdict: Verdict) -> Mutant {
    Mutant {
        id: "m-1".into(),
        operator: "relational".into(),
        file: file.into(),
        function: "f".into(),
        line: 3,
        column: 1,
        end_line: 3,
        end_column: 6,
        start_byte: 0,
        end_byte: 5,
        original: "a < b".into(),
        replacement: "a <= b".into(),
        engine: Engine::Woven,
        verdict,
        killed_by: vec![],
        executed_by: vec![],
        historical: Historical { verdict: HistoricalVerdict::NotRun, killed_by: vec![] },
        reason: None,
        duration_ms: 0.0,
        item: String::new(),
        history: vec![],
    }
}

/// A patch, spelled out by what differs from the usual one.
#[derive(Clone)]
struct Patch {
    tests: usize,
    toothless: Vec<TestId>,
    mutants: Vec<Mutant>,
    ranges: Vec<Range>,
    unmutated: Vec<Unmutated>,
    deletions_only: bool,
    test_side_changed: bool,
    ended_early: bool,
    policy_changed: Vec<String>,
    attributes_changed: bool,
    unlisted: bool,
    floors: Vec<(&'static str, u8)>,
}

fn range(file: &str, kind: RangeKind) -> Range {
    Range { file: file.into(), start: 3, end: 4, kind, package: None }
}

impl Patch {
    /// Two tests and one production hunk of two lines in `src/a.rs`.
    fn usual() -> Patch {
        Patch {
            tests: 2,
            toothless: vec![],
            mutants: vec![],
            ranges: vec![range("src/a.rs", RangeKind::Production)],
            unmutated: vec![],
            deletions_only: false,
            test_side_changed: true,
            ended_early: false,
            policy_changed: vec![],
            attributes_changed: false,
            unlisted: false,
            floors: vec![],
        }
    }

    fn with(verdicts: &[(usize, Verdict)]) -> Patch {
        let mutants = verdicts.iter().flat_map(|&(n, v)| (0..n).map(move |_| mutant("src/a.rs", v))).collect();
        Patch { mutants, ..Patch::usual() }
    }

    /// No test of any kind.
    fn untested(mut self) -> Patch {
        self.tests = 0;
        self.test_side_changed = false;
        self
    }

    fn ranges(mut self, kinds: &[RangeKind]) -> Patch {
        self.ranges = kinds.iter().map(|&k| range("src/a.rs", k)).collect();
        self
    }

    /// The reasons for lines 3 and 4.
    fn unmutated(mut self, reasons: [&str; 2]) -> Patch {
        let entry = |(line, reason): (u32, &str)| Unmutated { file: "src/a.rs".into(), line, reason: reason.into() };
        self.unmutated = [3, 4].into_iter().zip(reasons).map(entry).collect();
        self
    }

    fn judge(&self) -> Gate {
        self.run(judge)
    }

    fn run<T>(&self, f: impl FnOnce(&RatioInput<'_>) -> T) -> T {
        let floor = |file: &str| {
            let own = self.floors.iter().find(|(prefix, _)| file.starts_with(prefix));
            let (group, percent) = own.copied().unwrap_or(("", 20));
            Floor { group: group.to_owned(), percent }
        };
        f(&RatioInput {
            tests: self.tests,
            toothless: &self.toothless,
            mutants: &self.mutants,
            ranges: &self.ranges,
            unmutated: &self.unmutated,
            deletions_only: self.deletions_only,
            test_side_changed: self.test_side_changed,
            ended_early: self.ended_early,
            policy_changed: &self.policy_changed,
            attributes_changed: self.attributes_changed,
            unlisted: self.unlisted,
            floor: &floor,
        })
    }
}

#[track_caller]
fn decided(patch: &Patch, row: Row) -> Gate {
    let gate = patch.judge();
    assert_eq!(gate.rule, row.to_string(), "{gate:?}");
    assert_eq!(gate.decision, row.decision(), "{gate:?}");
    gate
}

#[track_caller]
fn says(gate: &Gate, part: &str) {
    assert!(gate.reasons.iter().any(|r| r.contains(part)), "`{part}` is not in {gate:#?}");
}

/// The action for a number of tests, valid mutants and dead ones, read line by line off the table.
fn table(tests: usize, valid: usize, killed: usize, floor: usize) -> &'static str {
    let rows: [(bool, &str); 8] = [
        (tests == 0, "block"),
        (tests > 0 && valid == 0 && killed == 0, "block"),
        (tests > 0 && (1..=4).contains(&valid) && killed == 0, "block"),
        (tests > 0 && valid >= 5 && killed == 0, "block"),
        (tests > 0 && (1..=4).contains(&valid) && killed > 0 && killed < valid, "hold"),
        (tests > 0 && (1..=4).contains(&valid) && killed == valid, "pass"),
        (tests > 0 && valid >= 5 && killed >= 1 && 100 * killed < floor * valid, "hold"),
        (tests > 0 && valid >= 5 && killed >= 1 && 100 * killed >= floor * valid, "pass"),
    ];
    let mut hits = rows.iter().filter(|(hit, _)| *hit);
    let (_, action) = hits.next().expect("the table covers every case");
    assert!(hits.next().is_none(), "two rows for {tests} {valid} {killed}");
    action
}

#[test]
fn every_small_combination_agrees_with_the_table() {
    for floor in [0u8, 1, 20, 21, 50, 99, 100] {
        for tests in 0..3 {
            for valid in 0..=26 {
                for killed in 0..=valid {
                    // Half of the dead are timeouts, half of the living were never executed.
                    let alive = valid - killed;
                    let verdicts = [
                        (killed - killed / 2, Verdict::Killed),
                        (killed / 2, Verdict::Timeout),
                        (alive - alive / 2, Verdict::Survived),
                        (alive / 2, Verdict::Unexecuted),
                    ];
                    let patch = Patch { tests, floors: vec![("src/", floor)], ..Patch::with(&verdicts) };
                    let want = table(tests, valid, killed, floor.into());
                    let gate = patch.judge();
                    assert_eq!(gate.decision.to_string(), want, "tests {tests}, {killed} of {valid}, floor {floor}");
                }
            }
        }
    }
}

#[test]
fn each_row_of_the_table_is_named() {
    use Verdict::{Killed, Survived};
    decided(&Patch::with(&[(9, Killed)]).untested(), Row::NoOracle);
    decided(&Patch::usual(), Row::NothingUsable);
    decided(&Patch::with(&[(4, Survived)]), Row::FewNoneKilled);
    decided(&Patch::with(&[(5, Survived)]), Row::NoneKilled);
    decided(&Patch::with(&[(1, Survived), (3, Killed)]), Row::FewSomeKilled);
    decided(&Patch::with(&[(1, Killed)]), Row::FewAllKilled);
    decided(&Patch::with(&[(5, Survived), (1, Killed)]), Row::BelowFloor);
    decided(&Patch::with(&[(4, Survived), (1, Killed)]), Row::FloorMet);
}

#[test]
fn invalid_flaky_and_excused_mutants_are_no_pressure() {
    let gate = decided(&Patch::with(&[(9, Verdict::Invalid)]), Row::NothingUsable);
    says(&gate, "9 mutants, none of them valid");
    says(&decided(&Patch::with(&[(6, Verdict::Excused)]), Row::FewNoneKilled), "6 mutants excused");
    decided(&Patch::with(&[(3, Verdict::Excused), (3, Verdict::Killed)]), Row::FewAllKilled);
    decided(&Patch::with(&[(3, Verdict::Excused), (2, Verdict::Survived), (1, Verdict::Killed)]), Row::FewSomeKilled);
}

#[test]
fn every_path_group_must_meet_its_own_floor() {
    let mut patch = Patch::with(&[(20, Verdict::Killed)]);
    patch.mutants.push(mutant("src/money/a.rs", Verdict::Survived));
    patch.mutants.push(mutant("src/money/b.rs", Verdict::Killed));
    decided(&patch, Row::FloorMet);
    patch.floors = vec![("src/money/", 80)];
    let gate = decided(&patch, Row::BelowFloor);
    says(&gate, "kill ratio in `src/money/` 50 % (1 of 2 valid mutants), floor 80 %");
    says(&gate, "kill ratio 100 % (20 of 20 valid mutants), floor 20 %");
    patch.floors = vec![("src/money/", 50)];
    decided(&patch, Row::FloorMet);
}

#[test]
fn two_path_groups_with_the_same_floor_do_not_help_each_other() {
    let mut patch = Patch::with(&[]);
    patch.floors = vec![("src/a", 50), ("src/b", 50)];
    patch.mutants.extend((0..8).map(|_| mutant("src/a.rs", Verdict::Killed)));
    patch.mutants.push(mutant("src/b.rs", Verdict::Survived));
    decided(&patch, Row::BelowFloor);
}

#[test]
fn without_a_production_hunk_it_depends_on_what_else_changed() {
    use RangeKind::{Generated, Other, Test};
    let none = Patch::usual().untested();
    decided(&none.clone().ranges(&[]), Row::NothingToJudge);
    let gate = decided(&none.clone().ranges(&[Other]), Row::NothingToJudge);
    says(&gate, "src/a.rs");
    decided(&none.clone().ranges(&[Generated, Other]), Row::CannotBeJudged);
    decided(&Patch::usual().ranges(&[Test]), Row::TestsOnly);
    decided(&Patch { test_side_changed: true, ..none.clone().ranges(&[]) }, Row::TestsOnly);
    decided(&Patch { deletions_only: true, ..Patch::usual().ranges(&[Test]) }, Row::DeletionsOnly);
}

#[test]
fn a_hunk_of_comments_and_imports_is_nothing_to_judge() {
    let inert = Patch::usual().unmutated(["comment", "import"]);
    says(&decided(&inert, Row::NothingToJudge), "2 tests changed");
    decided(&inert.clone().untested(), Row::NothingToJudge);
    decided(&Patch { test_side_changed: true, ..inert.clone().untested() }, Row::TestsOnly);
    decided(&Patch { deletions_only: true, ..inert.untested() }, Row::DeletionsOnly);
    decided(&Patch::usual().unmutated(["blank", "same-tokens"]).untested(), Row::NothingToJudge);
}

#[test]
fn code_on_which_no_mutant_stands_is_not_taken_for_a_comment() {
    decided(&Patch::usual().unmutated(["comment", "declaration"]), Row::NothingUsable);
    decided(&Patch::usual().unmutated(["comment", "no-operator"]).untested(), Row::NoOracle);
    let mut gap = Patch::usual().unmutated(["comment", "comment"]);
    gap.unmutated.pop();
    decided(&gap, Row::NothingUsable);
    let mut both = Patch::usual().unmutated(["comment", "comment"]);
    both.unmutated.push(Unmutated { file: "src/a.rs".into(), line: 4, reason: "type".into() });
    decided(&both, Row::NothingUsable);
}

#[test]
fn code_beyond_reach_holds_instead_of_blocking_for_want_of_mutants() {
    for reason in ["cfg-off", "macro-definition", "build-script", "outside-workspace"] {
        let gate = decided(&Patch::usual().unmutated([reason, "comment"]), Row::CannotBeJudged);
        says(&gate, &format!("not judged: 1 line {reason} from src/a.rs:3"));
        decided(&Patch::usual().unmutated([reason, "comment"]).untested(), Row::NoOracle);
        decided(&Patch::usual().unmutated([reason, "type"]), Row::NothingUsable);
    }
}

#[test]
fn where_only_some_code_is_beyond_reach_the_rest_decides_and_the_lines_are_named() {
    let patch = Patch { unmutated: Patch::usual().unmutated(["cfg-off", "cfg-off"]).unmutated, ..five_of_five() };
    says(&decided(&patch, Row::FloorMet), "2 lines cfg-off from src/a.rs:3");
}

fn five_of_five() -> Patch {
    Patch::with(&[(5, Verdict::Killed)])
}

#[test]
fn what_weakens_the_judge_allows_nothing_better_than_hold() {
    let ceilings: [(Patch, Row, &str); 5] = [
        (
            Patch { policy_changed: vec![".config/hunkmut.toml".into()], ..five_of_five() },
            Row::PolicyChanged,
            "policy: the patch changes .config/hunkmut.toml",
        ),
        (Patch { attributes_changed: true, ..five_of_five() }, Row::AttributesChanged, ".gitattributes"),
        (Patch { unlisted: true, ..five_of_five() }, Row::Unlisted, "cannot list"),
        (
            Patch { unmutated: Patch::usual().unmutated(["unparsable", "comment"]).unmutated, ..five_of_five() },
            Row::Unparsable,
            "1 line unparsable from src/a.rs:3",
        ),
        (
            Patch::with(&[(5, Verdict::Killed), (1, Verdict::Flaky)]),
            Row::FlakyMutant,
            "1 outcome did not reproduce: src/a.rs:3 relational",
        ),
    ];
    for (patch, row, reason) in ceilings {
        let gate = decided(&patch, row);
        says(&gate, reason);
        says(&gate, &Row::FloorMet.to_string());
        // What is no better than hold anyway keeps its own row.
        let dead = |m: &mut Mutant| m.verdict == Verdict::Killed;
        let mut blocked = patch.clone();
        blocked.mutants.iter_mut().filter_map(|m| dead(m).then_some(m)).for_each(|m| m.verdict = Verdict::Survived);
        says(&decided(&blocked, Row::NoneKilled), reason);
    }
}

#[test]
fn a_vacuous_patch_that_changes_the_policy_is_held() {
    let docs = Patch::usual().untested().ranges(&[RangeKind::Other]);
    decided(&Patch { policy_changed: vec!["x".into()], ..docs.clone() }, Row::PolicyChanged);
    decided(&Patch { attributes_changed: true, ..docs }, Row::AttributesChanged);
}

#[test]
fn one_mutant_without_a_verdict_leaves_the_gate_incomplete() {
    let patch = Patch::with(&[(30, Verdict::Killed), (1, Verdict::Unverified)]);
    says(&decided(&patch, Row::Unverified), "1 of 31 mutants");
    decided(&Patch { ended_early: true, ..five_of_five() }, Row::Unverified);
    decided(&Patch { ended_early: true, ..Patch::usual() }, Row::Unverified);
    // An empty delta is known before anything runs.
    decided(&patch.untested(), Row::NoOracle);
}

#[test]
fn more_than_a_third_invalid_is_a_warning_and_no_decision() {
    let warning = "fix collection before lowering the floor";
    let gate = decided(&Patch::with(&[(5, Verdict::Killed), (3, Verdict::Invalid)]), Row::FloorMet);
    says(&gate, warning);
    let gate = decided(&Patch::with(&[(6, Verdict::Killed), (3, Verdict::Invalid)]), Row::FloorMet);
    assert!(!gate.reasons.iter().any(|r| r.contains(warning)), "exactly a third is not more than a third");
}

#[test]
fn hunks_that_do_not_compile_alone_are_told_apart_among_the_invalid() {
    let mut patch = Patch::with(&[(1, Verdict::Killed), (3, Verdict::Invalid)]);
    assert!(!mostly_invalid(&patch.mutants).unwrap().contains("hunk"));
    patch.mutants[1].operator = "revert_hunk".to_owned();
    assert!(
        mostly_invalid(&patch.mutants)
            .unwrap()
            .ends_with("(1 of them put one hunk of the patch back, which may need others)")
    );
    patch.mutants.iter_mut().for_each(|mutant| mutant.operator = "revert_hunk".to_owned());
    assert!(mostly_invalid(&patch.mutants).unwrap().contains("(all 3 put one hunk"));
}

#[test]
fn survivors_and_toothless_tests_are_named_briefly() {
    let mut patch = Patch::with(&[(1, Verdict::Killed), (3, Verdict::Survived), (3, Verdict::Unexecuted)]);
    patch.toothless = vec![TestId::new("a::it", "looks_away")];
    patch.floors = vec![("src/", 90)];
    let gate = decided(&patch, Row::BelowFloor);
    says(&gate, "6 mutants alive (3 never executed): src/a.rs:3 relational, ");
    says(&gate, "and 3 more");
    says(&gate, "1 test of the patch kills no mutant: `a::it looks_away`");
}

#[test]
fn only_what_no_mutant_can_change_is_decided_early() {
    assert_eq!(five_of_five().run(early), None);
    assert_eq!(Patch::usual().run(early), None);
    let planned = Patch::with(&[(5, Verdict::Unverified)]).untested();
    assert_eq!(planned.run(early), Some(planned.judge()));
    assert!(Patch::usual().ranges(&[]).run(early).is_some());
    assert!(Patch::usual().unmutated(["cfg-off", "cfg-off"]).run(early).is_some());
}
