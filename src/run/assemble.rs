//! From what a run found to its report: every way out ends here.

use super::clock::{Clock, millis};
use super::historical::Column;
use super::mutants::Judged;
use super::session::Session;
use crate::catalog;
use crate::delta::Delta;
use crate::exec::Cause;
use crate::exit::Exit;
use crate::gate::{self, ratio};
use crate::plan::{Planned, selected};
use crate::report::model::*;
use crate::runner::Baseline;
use crate::scope::ScopedFile;
use crate::test_id::TestId;
use std::collections::BTreeSet;
use std::time::Duration;

/// What a run found, filled in as far as it came.
pub struct Findings {
    /// `rustc -V`, once known.
    pub rustc: String,
    /// The nextest that ran the baseline.
    pub nextest: Option<String>,
    /// The test delta.
    pub tests: Vec<DeltaTest>,
    /// The unmutated runs.
    pub baseline: Vec<BaselineTest>,
    /// Whether test code changed, deletions included.
    pub test_side_changed: bool,
    /// Whether a binary that may hold changed tests could not list them.
    pub unlisted: bool,
    /// The budget, once it is known.
    pub cap: Option<Duration>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What ended the run before it was done.
    ended: Option<Cause>,
    /// Whether the test delta is known; an early end may come before.
    delta_known: bool,
    mutants: Vec<Mutant>,
    toothless: Vec<TestId>,
    reverted: Reverted,
}

impl Findings {
    /// Nothing but the plan.
    pub fn new(session: &Session) -> Findings {
        let mut notes = session.comparison.notes.clone();
        notes.extend(session.scope.notes.iter().cloned());
        notes.extend(mostly_arid(session));
        Findings {
            rustc: String::new(),
            nextest: None,
            tests: Vec::new(),
            baseline: Vec::new(),
            test_side_changed: session.scope.test_side_changed,
            unlisted: false,
            cap: None,
            notes,
            ended: None,
            delta_known: false,
            mutants: session.plan.mutants.iter().map(|mutant| unverified(session, mutant)).collect(),
            toothless: Vec::new(),
            reverted: super::reverted::not_run("no test was run"),
        }
    }

    /// The run ends before the mutants; says why of each.
    pub fn end(&mut self, why: &str) {
        self.mutants.iter_mut().for_each(|mutant| mutant.reason = Some(why.to_owned()));
    }

    /// The run ends here, undone: what has no verdict stays without.
    pub fn cut(&mut self, cause: Cause) {
        self.ended = Some(cause);
        self.notes.push(match cause {
            Cause::Cap => "the budget (`--cap`) was spent before everything had run".to_owned(),
            Cause::Interrupted => "the run was interrupted before everything had run".to_owned(),
            Cause::DiskFull => "the disk is full: the run ended before everything had run".to_owned(),
        });
    }

    /// Takes the test delta over.
    pub fn delta(&mut self, delta: &Delta) {
        self.delta_known = true;
        self.tests = delta.tests.iter().map(|entry| entry.test.clone()).collect();
        self.notes.extend(delta.notes.iter().cloned());
        if delta.is_doctests_only() {
            self.notes.push("the patch has doctests only, which are no nextest tests and are not counted".into());
        }
        for entry in &delta.ignored {
            self.notes.push(format!("`{}` is `#[ignore]`d and not counted", entry.test.id));
        }
    }

    /// Takes the unmutated runs over.
    pub fn baseline(&mut self, baseline: &Baseline) {
        self.baseline = baseline
            .tests
            .iter()
            .map(|test| BaselineTest {
                id: test.id.clone(),
                outcome: test.outcome,
                runs: test.runs,
                duration_ms: millis(test.slowest),
            })
            .collect();
        for test in baseline.tests.iter().filter(|test| test.outcome != BaselineOutcome::Pass) {
            let said = String::from_utf8_lossy(&test.output);
            let tail: Vec<&str> = said.lines().rev().take(12).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            self.notes.push(format!("`{}` on the unmutated tree: {}\n{}", test.id, test.outcome, tail.join("\n")));
        }
    }

    /// Takes the historical column over.
    pub fn historical(&mut self, column: Column) {
        for (index, entry) in column {
            self.mutants[index].historical = entry;
        }
    }

    /// Takes the verdicts over.
    pub fn judged(&mut self, judged: Judged, baseline: &Baseline) {
        let id = |test: &usize| baseline.tests[*test].id.clone();
        for (index, outcome) in judged.outcomes {
            let mutant = &mut self.mutants[index];
            mutant.verdict = outcome.verdict;
            mutant.killed_by = outcome.killed_by.iter().map(|(test, how)| Killer { id: id(test), how: *how }).collect();
            mutant.executed_by = outcome.executed_by.iter().map(id).collect();
            // The campaign's order is that of running; a reader wants the same one every time.
            mutant.executed_by.sort();
            mutant.reason = outcome.reason;
            mutant.duration_ms = millis(outcome.duration);
        }
        for index in judged.rebuilt {
            self.mutants[index].engine = Engine::Rebuilt;
        }
        self.toothless = judged.toothless.iter().map(id).collect();
        self.reverted = judged.reverted;
    }
}

/// Says so when named rules silence more than a fifth of the changed production code.
fn mostly_arid(session: &Session) -> Option<String> {
    let production =
        |file: &ScopedFile| file.changed.changed().filter(|line| file.kind_of(*line) == RangeKind::Production).count();
    let all: usize = session.scope.files.iter().map(production).sum();
    let arid: Vec<&str> = session.plan.unmutated.iter().filter_map(|line| line.reason.strip_prefix("arid:")).collect();
    let rules: BTreeSet<&str> = arid.iter().copied().collect();
    (arid.len() * 5 > all).then(|| {
        let rules: Vec<String> = rules.into_iter().map(|rule| format!("`{rule}`")).collect();
        format!("{} of {all} changed production lines are silenced as arid, by {}", arid.len(), rules.join(", "))
    })
}

fn unverified(session: &Session, planned: &Planned) -> Mutant {
    let file = &session.scope.files[planned.file];
    let span = &planned.proposal.span;
    let (mut original, mut start, mut end) = (String::new(), (0, 0), (0, 0));
    if let Some(source) = &file.source {
        original = source.text[span.clone()].to_owned();
        let (from, to) = (source.lines.line_column(span.start), source.lines.line_column(span.end));
        start = (from.line, from.column);
        end = (to.line, to.column);
    }
    Mutant {
        id: planned.id.clone(),
        operator: planned.proposal.operator.name.to_owned(),
        file: file.path.clone(),
        function: planned.function.clone(),
        line: start.0,
        column: start.1,
        end_line: end.0,
        end_column: end.1,
        start_byte: span.start,
        end_byte: span.end,
        original,
        replacement: planned.proposal.replacement.clone(),
        engine: if planned.encodings.is_empty() { Engine::Rebuilt } else { Engine::Woven },
        verdict: Verdict::Unverified,
        killed_by: Vec::new(),
        executed_by: Vec::new(),
        historical: Historical { verdict: HistoricalVerdict::NotRun, killed_by: Vec::new() },
        reason: None,
        duration_ms: 0.0,
    }
}

/// Asks the gates and writes the report down.
pub fn assemble(session: &Session, findings: Findings, clock: &Clock) -> Report {
    let ranges = session.scope.ranges(&session.workspace);
    let floor = |file: &str| {
        let group = session.policy.floor_group(file);
        let label = &session.policy.floor_groups()[group].label;
        let group = if group == 0 { String::new() } else { label.clone() };
        ratio::Floor { group, percent: session.policy.floor_for(file) }
    };
    let ended_early = findings.ended.is_some();
    let input = ratio::RatioInput {
        // A run that ended before the delta was known says nothing about how many tests there are.
        tests: if ended_early && !findings.delta_known { 1 } else { findings.tests.len() },
        toothless: &findings.toothless,
        mutants: &findings.mutants,
        ranges: &ranges,
        unmutated: &session.plan.unmutated,
        deletions_only: session.scope.deletions_only,
        test_side_changed: findings.test_side_changed,
        ended_early,
        policy_changed: &session.watched_changes,
        attributes_changed: session.scope.attributes_changed,
        unlisted: findings.unlisted,
        floor: &floor,
    };
    let red = gate::baseline_red(ratio::NAME, &findings.baseline).filter(|_| ratio::early(&input).is_none());
    let baseline_red = red.is_some() && !ended_early;
    let ratio = match red {
        Some(gate) if baseline_red => gate,
        _ => ratio::judge(&input),
    };
    let gates = vec![gate::reverted(ratio, &findings.reverted, session.policy.reverted_survives)];
    let decision = gate::overall(&gates, baseline_red);
    let counts = Counts::of(findings.mutants.iter().map(|mutant| mutant.verdict));
    // The plan could not have been made of operators that are unknown.
    let operators = selected(&session.policy).unwrap_or_default();
    let operators = operators.iter().map(|op| op.name.to_owned()).collect();
    let seconds = findings.cap.map(|limit| limit.as_secs_f64());
    let (ran, cut) = coverage(&ranges, &findings.mutants);
    let comparison = &session.comparison;
    Report {
        schema: SCHEMA.to_owned(),
        tool: Tool {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: findings.rustc,
            nextest: findings.nextest,
        },
        catalog: Catalog { name: catalog::NAME.to_owned(), sha256: catalog::digest(), operators },
        repo: Repo {
            base: comparison.base.to_string(),
            merge_base: comparison.merge_base.to_string(),
            head: comparison.head.as_ref().map(ToString::to_string),
            dirty: comparison.dirty,
            workspace: session.workspace_path.clone(),
        },
        policy: Policy {
            source: session.policy_source,
            path: session.policy_path.clone(),
            sha256: session.policy.sha256(),
            changed_by_patch: !session.watched_changes.is_empty(),
        },
        scope: Scope { ranges, unmutated: session.plan.unmutated.clone() },
        tests: Tests { delta: findings.tests, baseline: findings.baseline, toothless: findings.toothless },
        mutants: findings.mutants,
        counts,
        kill_ratio: counts.kill_ratio(),
        reverted: findings.reverted,
        gates,
        decision,
        exit_code: Exit::of(decision).code(),
        cap: Cap { seconds, reached: findings.ended == Some(Cause::Cap), ran, cut },
        // Looked at once the run has cleaned up.
        tree: Tree { before: session.tree_before.clone(), after: session.tree_before.clone(), clean: true },
        complete: counts.unverified == 0 && !ended_early,
        timings_ms: clock.timings(),
        notes: findings.notes,
    }
}

/// Completes a report by what became of the user's tree, once the run has cleaned up. A tree that is not as it was: what
/// was judged may not be what was asked for, and a person has to look.
pub fn with_tree(report: &mut Report, after: String, incidents: Vec<String>) {
    report.tree.clean = after == report.tree.before;
    report.tree.after = after;
    if report.tree.clean {
        // restored, or undone by the test itself
        report.notes.extend(incidents);
        return;
    }
    report.gates.push(tree_changed(&incidents));
    report.decision = gate::overall(&report.gates, report.decision == Decision::BaselineRed);
    report.exit_code = Exit::of(report.decision).code();
}

fn tree_changed(incidents: &[String]) -> Gate {
    let unknown =
        || vec!["HEAD, refs, index or files differ from the start of the run; by whom is not known".to_owned()];
    Gate {
        name: "tree".to_owned(),
        decision: GateDecision::Hold,
        rule: "the work tree is not as it was before the run: hold at best".to_owned(),
        reasons: if incidents.is_empty() { unknown() } else { incidents.to_vec() },
    }
}

/// The production ranges whose mutants all have a verdict, and those with one left out.
fn coverage(ranges: &[Range], mutants: &[Mutant]) -> (Vec<String>, Vec<String>) {
    let open: BTreeSet<(&str, u32)> = mutants
        .iter()
        .filter(|mutant| mutant.verdict == Verdict::Unverified)
        .map(|mutant| (mutant.file.as_str(), mutant.line))
        .collect();
    let production = ranges.iter().filter(|range| range.kind == RangeKind::Production);
    let name = |range: &Range| format!("{}:{}-{}", range.file, range.start, range.end);
    let (cut, ran): (Vec<_>, Vec<_>) =
        production.partition(|range| (range.start..=range.end).any(|line| open.contains(&(range.file.as_str(), line))));
    (ran.into_iter().map(name).collect(), cut.into_iter().map(name).collect())
}
