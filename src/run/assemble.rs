//! From what a run found to its report: every way out ends here.

use super::clock::{Clock, millis};
use super::historical::Column;
use super::mutants::Judged;
use super::session::Session;
use crate::catalog;
use crate::delta::Delta;
use crate::exec::Cause;
use crate::exit::Exit;
use crate::gate::{self, ratio, zero_survivors};
use crate::ledger::{self, item_hash};
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
    /// What other gates have said already.
    pub gates: Vec<Gate>,
    /// Whether a binary that may hold changed tests could not list them.
    pub unlisted: bool,
    /// The budget, once it is known.
    pub cap: Option<Duration>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// Whether the gate `ratio` is asked.
    pub ratio: bool,
    /// Whether the gate `zero-survivors` is asked.
    pub zero: bool,
    /// Whether excusals that the patch itself adds are honoured.
    pub accept_new_excusals: bool,
    /// The report whose verdicts are kept for all mutants but these.
    pub previous: Option<(Report, BTreeSet<String>)>,
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
        let thawed = |name| format!("`{name}` is frozen no longer: its day has passed");
        notes.extend(session.thawed.iter().map(thawed));
        notes.extend(mostly_arid(session));
        Findings {
            rustc: String::new(),
            nextest: None,
            tests: Vec::new(),
            baseline: Vec::new(),
            test_side_changed: session.scope.test_side_changed,
            gates: Vec::new(),
            unlisted: false,
            cap: None,
            notes,
            ratio: true,
            zero: false,
            accept_new_excusals: false,
            previous: None,
            ended: None,
            delta_known: false,
            mutants: planned(session),
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
            self.notes.push("the patch has doctests, which are no nextest tests and are not counted".into());
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

    /// Whether some of these mutants were not tried on the historical suite.
    pub fn leaves_survivors_unasked(&self, mutants: &[usize]) -> bool {
        mutants.iter().any(|index| self.mutants[*index].historical.verdict == HistoricalVerdict::NotRun)
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

/// The mutants of a session, none of which has a verdict.
pub fn planned(session: &Session) -> Vec<Mutant> {
    session.plan.mutants.iter().map(|mutant| unverified(session, mutant)).collect()
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
        item: file.source.as_ref().map(|source| item_hash(&source.text[planned.item.clone()])).unwrap_or_default(),
        history: Vec::new(),
    }
}

/// Asks the gates and writes the report down.
pub fn assemble(session: &Session, mut findings: Findings, clock: &Clock) -> Report {
    let carried_over = carry_over(&mut findings);
    let accept_new = findings.accept_new_excusals;
    let held = ledger::excuse(&mut findings.mutants, &session.ledger.entries, session.today, accept_new);
    let ranges = session.scope.ranges(&session.workspace);
    let (ran, cut) = coverage(&ranges, &findings.mutants);
    let ended_early = findings.ended.is_some();
    let facts = Facts {
        // A run that ended before the delta was known says nothing about how many tests there are.
        tests: if ended_early && !findings.delta_known { 1 } else { findings.tests.len() },
        deletions_only: session.scope.deletions_only,
        test_side_changed: findings.test_side_changed,
        ended_early,
        policy_changed: session.watched_changes.clone(),
        attributes_changed: session.scope.attributes_changed,
        unlisted: findings.unlisted,
        floors: gate::floors(&session.policy, &findings.mutants),
        new_excusals: held.added.iter().cloned().collect(),
        reverted_survives: session.policy.reverted_survives,
        resumed: false,
        carried_over,
        reused: 0,
        recalled: 0,
    };
    let ledger = LedgerUse {
        path: session.ledger.path.clone(),
        sha256: session.ledger.sha256.clone(),
        excused: held.excused.keys().cloned().collect(),
        problems: held.problems.iter().map(ToString::to_string).collect(),
    };
    let evidence = gate::Evidence {
        mutants: &findings.mutants,
        toothless: &findings.toothless,
        ranges: &ranges,
        unmutated: &session.plan.unmutated,
        baseline: &findings.baseline,
        ran: &ran,
        cut: &cut,
        reverted: &findings.reverted,
        facts: &facts,
        ledger_problems: &ledger.problems,
        mapped: findings.gates.iter().any(|gate| gate.name == gate::kill_map::NAME),
    };
    let mut asked = Vec::new();
    asked.extend(findings.ratio.then_some(ratio::NAME));
    asked.extend(findings.zero.then_some(zero_survivors::NAME));
    let (mut gates, baseline_red) = evidence.judge(&asked);
    gates.extend(findings.gates);
    let decision = gate::overall(&gates, baseline_red);
    let counts = Counts::of(findings.mutants.iter().map(|mutant| mutant.verdict));
    // The plan could not have been made of operators that are unknown.
    let operators = selected(&session.policy).unwrap_or_default();
    let operators = operators.iter().map(|op| op.name.to_owned()).collect();
    let seconds = findings.cap.map(|limit| limit.as_secs_f64());
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
        complete: (counts.unverified == 0 || asked.is_empty()) && !ended_early,
        timings_ms: clock.timings(),
        notes: findings.notes,
        facts,
        ledger,
        withdrawn: Vec::new(),
        shard: None,
    }
}

/// Takes over what an earlier report says of the mutants that were not asked for, and the history of those that were.
/// Says whether a verdict was taken over.
fn carry_over(findings: &mut Findings) -> bool {
    let Some((previous, asked)) = findings.previous.take() else { return false };
    findings.reverted.clone_from(&previous.reverted);
    let delta: BTreeSet<&TestId> = findings.tests.iter().map(|test| &test.id).collect();
    let mut carried = false;
    for mutant in &mut findings.mutants {
        let Some(old) = previous.mutants.iter().find(|old| old.id == mutant.id) else { continue };
        mutant.history.clone_from(&old.history);
        if asked.contains(&mutant.id) {
            let killed_by = old.killed_by.first().map(|killer| killer.id.clone());
            if mutant.historical.verdict == HistoricalVerdict::NotRun {
                mutant.historical.clone_from(&old.historical);
            }
            mutant.history.push(Past { verdict: old.verdict, killed_by });
            continue;
        }
        let (place, item) = (mutant.clone(), mutant.item.clone());
        *mutant = Mutant { history: old.history.clone(), item, ..old.clone() };
        mutant.line = place.line;
        mutant.column = place.column;
        mutant.end_line = place.end_line;
        mutant.end_column = place.end_column;
        mutant.start_byte = place.start_byte;
        mutant.end_byte = place.end_byte;
        mutant.file = place.file;
        mutant.executed_by.retain(|test| delta.contains(test));
        mutant.killed_by.retain(|killer| delta.contains(&killer.id));
        match mutant.verdict {
            Verdict::Killed | Verdict::Timeout if mutant.killed_by.is_empty() => {
                mutant.verdict = Verdict::Unverified;
                mutant.reason = Some("the test that killed it is not in the delta any more".to_owned());
            }
            // The ledger of today has the say.
            Verdict::Excused => (mutant.verdict, mutant.reason) = (Verdict::Survived, None),
            _ => {}
        }
        carried |= mutant.verdict != Verdict::Unverified;
    }
    if carried {
        let n = findings.mutants.len() - findings.mutants.iter().filter(|m| asked.contains(&m.id)).count();
        findings.notes.push(format!("{n} verdicts are taken over from an earlier report: no gate passes on them"));
    }
    carried
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
pub fn coverage(ranges: &[Range], mutants: &[Mutant]) -> (Vec<String>, Vec<String>) {
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
