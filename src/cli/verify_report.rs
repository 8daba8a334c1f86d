//! `cargo hunkmut verify-report`: whether a stored report allows a merge. Fails closed.
//!
//! A merge job has a file that another job left. Before it is believed, everything in it that can be recomputed without
//! a build is recomputed from the repository: the changed lines, the mutants that the plan makes of them, the policy
//! of the merge base, the counts, the ratio, and the row of the gate's table. What is not the same blocks.

use super::args::VerifyReportArgs;
use crate::error::Result;
use crate::exit::Exit;
use crate::gate::{self, ratio};
use crate::report::model::{BaselineOutcome, Counts, Decision, Gate, GateDecision, Report, Verdict};
use crate::report::{json, stdout, text};
use crate::run::session::Session;
use std::collections::{BTreeMap, BTreeSet};

/// Prints whether the report allows the merge, and if not, why.
///
/// # Errors
/// When the report cannot be read (missing, cut off, foreign), or the revisions not be resolved: no merge either.
pub fn run(args: &VerifyReportArgs) -> Result<Exit> {
    let report = json::read(&args.file)?;
    let session = Session::open(&args.patch(), &args.cargo)?;
    let objections = objections(&report, &session);
    if objections.is_empty() {
        let ratio = report.counts.percent().map(|p| format!(", kill ratio {p}")).unwrap_or_default();
        stdout::print(&format!("verified: {} of this very patch{ratio}\n", report.decision), false)?;
        return Ok(Exit::Pass);
    }
    let lines: String = objections.iter().map(|why| format!("not verified: {}\n", text::line(why))).collect();
    stdout::print(&lines, false)?;
    Ok(Exit::Block)
}

/// Why a report does not allow the merge of a patch, one sentence each; empty when it does.
///
/// `session` is the patch as the repository has it.
fn objections(report: &Report, session: &Session) -> Vec<String> {
    let mut found = Objections::default();
    revisions(report, session, &mut found);
    if !found.0.is_empty() {
        // A report of another patch differs in everything; one reason is enough.
        return found.0;
    }
    own_words(report, &mut found);
    same_patch(report, session, &mut found);
    if found.0.is_empty() {
        gates(report, session, &mut found);
    }
    found.0
}

#[derive(Default)]
struct Objections(Vec<String>);

impl Objections {
    fn unless(&mut self, holds: bool, objection: impl FnOnce() -> String) {
        if !holds {
            self.0.push(objection());
        }
    }
}

fn revisions(report: &Report, session: &Session, found: &mut Objections) {
    let comparison = &session.comparison;
    let short = |id: &str| id.chars().take(12).collect::<String>();
    let same = |name: &str, reported: &str, wanted: &str, found: &mut Objections| {
        found.unless(reported == wanted, || {
            format!("the report's {name} is {}, and not {}", short(reported), short(wanted))
        });
    };
    found.unless(!report.repo.dirty, || "the report is of uncommitted changes".to_owned());
    same("base", &report.repo.base, comparison.base.as_str(), found);
    same("merge base", &report.repo.merge_base, comparison.merge_base.as_str(), found);
    match (&report.repo.head, &comparison.head) {
        (Some(reported), Some(wanted)) => same("head", reported, wanted.as_str(), found),
        (None, _) => found.0.push("the report's head is a work tree, and no commit".to_owned()),
        (Some(_), None) => found.0.push("the head is a work tree, and no commit".to_owned()),
    }
    found.unless(report.repo.workspace == session.workspace_path, || {
        format!("the report is of the workspace `{}`, and not `{}`", report.repo.workspace, session.workspace_path)
    });
}

/// What the report says of itself.
fn own_words(report: &Report, found: &mut Objections) {
    let passes = matches!(report.decision, Decision::Pass | Decision::Vacuous);
    found.unless(passes, || format!("the decision is {}", report.decision));
    found.unless(report.exit_code == 0, || format!("the exit code is {}", report.exit_code));
    if let Some(shard) = &report.shard {
        found.0.push(format!("it is shard {} of {} of a run, and not a whole one", shard.index, shard.count));
    }
    found.unless(report.complete && !report.cap.reached, || "the report is not complete".to_owned());
    found.unless(report.tree.clean, || "the work tree changed while the tests ran".to_owned());
    let counts = Counts::of(report.mutants.iter().map(|m| m.verdict));
    found.unless(counts == report.counts, || "the counts are not those of the mutants".to_owned());
    found.unless(counts.kill_ratio() == report.kill_ratio, || {
        format!("the kill ratio is {:?}, and the counts give {:?}", report.kill_ratio, counts.kill_ratio())
    });
    let delta: BTreeSet<_> = report.tests.delta.iter().map(|t| &t.id).collect();
    for m in &report.mutants {
        let dead = matches!(m.verdict, Verdict::Killed | Verdict::Timeout);
        found.unless(dead != m.killed_by.is_empty(), || {
            format!("mutant {} is {} by {} tests", m.id, m.verdict, m.killed_by.len())
        });
        let foreign = m.killed_by.iter().find(|killer| !delta.contains(&killer.id));
        found.unless(foreign.is_none(), || format!("mutant {} has a killer that is no test of the patch", m.id));
    }
    let red = report.tests.baseline.iter().filter(|t| t.outcome != BaselineOutcome::Pass).count();
    found.unless(red == 0, || format!("{red} tests were not green without any mutant"));
}

/// Whether ranges, mutants, policy and catalog are those that the repository gives today.
fn same_patch(report: &Report, session: &Session, found: &mut Objections) {
    let ranges = session.scope.ranges(&session.workspace);
    found.unless(report.scope.ranges == ranges, || "its changed lines are not those of the patch".to_owned());
    found.unless(report.scope.unmutated == session.plan.unmutated, || {
        "its lines without a mutant are not those of the patch".to_owned()
    });
    found.unless(report.catalog.sha256 == crate::catalog::digest(), || {
        "it was made with another catalog of operators".to_owned()
    });
    found.unless(
        report.policy.source == session.policy_source && report.policy.sha256 == session.policy.sha256(),
        || "it was judged by another policy than the merge base's".to_owned(),
    );
    let planned: BTreeMap<&str, (&str, &str)> = session
        .plan
        .mutants
        .iter()
        .map(|m| (m.id.as_str(), (session.scope.files[m.file].path.as_str(), m.proposal.replacement.as_str())))
        .collect();
    let reported: BTreeMap<&str, (&str, &str)> =
        report.mutants.iter().map(|m| (m.id.as_str(), (m.file.as_str(), m.replacement.as_str()))).collect();
    found.unless(planned == reported && reported.len() == report.mutants.len(), || {
        "its mutants are not those that the patch gives (were cargo's options the same?)".to_owned()
    });
}

fn gates(report: &Report, session: &Session, found: &mut Objections) {
    for wanted in &session.policy.gates {
        found.unless(report.gates.iter().any(|gate| gate.name == wanted.to_string()), || {
            format!("the policy asks for the gate `{wanted}`, and the report does not have it")
        });
    }
    for gate in &report.gates {
        found.unless(matches!(gate.decision, GateDecision::Pass | GateDecision::Vacuous), || {
            format!("the gate `{}` says {}", gate.name, gate.decision)
        });
    }
    let overall = gate::overall(&report.gates, false);
    found.unless(overall == report.decision, || {
        format!("its gates give {overall}, and the decision is {}", report.decision)
    });
    let Some(reported) = report.gates.iter().find(|gate| gate.name == ratio::NAME) else { return };
    let recomputed = ratio_of(report, session);
    found.unless(recomputed.decision == reported.decision && recomputed.rule == reported.rule, || {
        format!("the gate `{}` recomputed: {}; the report has: {}", ratio::NAME, recomputed.rule, reported.rule)
    });
}

/// The gate `ratio` from the report's verdicts and the repository's own facts.
fn ratio_of(report: &Report, session: &Session) -> Gate {
    let ranges = session.scope.ranges(&session.workspace);
    let floor = |file: &str| {
        let group = session.policy.floor_group(file);
        let label = if group == 0 { String::new() } else { session.policy.floor_groups()[group].label.clone() };
        ratio::Floor { group: label, percent: session.policy.floor_for(file) }
    };
    let gate = ratio::judge(&ratio::RatioInput {
        tests: report.tests.delta.len(),
        toothless: &report.tests.toothless,
        mutants: &report.mutants,
        ranges: &ranges,
        unmutated: &session.plan.unmutated,
        deletions_only: session.scope.deletions_only,
        test_side_changed: session.scope.test_side_changed || !report.tests.delta.is_empty(),
        ended_early: !report.complete,
        policy_changed: &session.watched_changes,
        attributes_changed: session.scope.attributes_changed,
        // Known to the run alone, which holds for it; a report that passes says that it was not so.
        unlisted: false,
        floor: &floor,
    });
    gate::reverted(gate, &report.reverted, session.policy.reverted_survives)
}
