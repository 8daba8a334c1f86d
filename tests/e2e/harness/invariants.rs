//! What holds for every report, whatever the patch: it can be recomputed from its own records and the head's files.

use super::Problems;
use cargo_hunkmut::report::model::{
    BaselineOutcome, Decision, GateDecision, Mutant, RangeKind, Report, SCHEMA, Verdict,
};
use cargo_hunkmut::test_id::TestId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Checks a report against the head's files below `head`.
pub fn check(report: &Report, head: &Path, problems: &mut Problems) {
    problems.same("schema", report.schema.as_str(), SCHEMA);
    counts(report, problems);
    decision(report, problems);
    tests(report, problems);
    places(report, head, problems);
    mutants(report, problems);
    for id in [Some(&report.repo.base), Some(&report.repo.merge_base), report.repo.head.as_ref()].into_iter().flatten()
    {
        let full = id.len() == 40 && id.bytes().all(|b| b.is_ascii_hexdigit());
        problems.expect(full, || format!("`{id}` is no full commit ID"));
    }
    problems.expect(report.tree.clean && report.tree.before == report.tree.after, || {
        format!("the report says that the work tree changed: {:?}", report.tree)
    });
}

/// Counted again, without the program's own counting.
fn counts(report: &Report, problems: &mut Problems) {
    let mut by_verdict: BTreeMap<String, u32> = BTreeMap::new();
    for mutant in &report.mutants {
        *by_verdict.entry(word(mutant.verdict)).or_default() += 1;
    }
    let counts = serde_json::to_value(report.counts).unwrap();
    let count = |name: &str| counts[name].as_u64().unwrap() as u32;
    for name in ["killed", "timeout", "survived", "unexecuted", "excused", "invalid", "flaky", "unverified"] {
        problems.same(&format!("counts.{name}"), count(name), by_verdict.get(name).copied().unwrap_or(0));
    }
    problems.same("counts.total", count("total"), report.mutants.len() as u32);
    let valid: u32 = ["killed", "timeout", "survived", "unexecuted", "excused"].iter().map(|n| count(n)).sum();
    problems.same("counts.valid", count("valid"), valid);
    let (dead, judged) = (count("killed") + count("timeout"), valid - count("excused"));
    match report.kill_ratio {
        None => problems.expect(judged == 0, || "kill_ratio is null though mutants are valid".into()),
        Some(ratio) => {
            let wanted = f64::from(dead) / f64::from(judged);
            problems.expect((ratio - wanted).abs() < 1e-9, || format!("kill_ratio {ratio} instead of {wanted}"));
        }
    }
}

fn decision(report: &Report, problems: &mut Problems) {
    let code = match report.decision {
        Decision::Pass | Decision::Vacuous => 0,
        Decision::Block => 1,
        Decision::Hold => 3,
        Decision::BaselineRed => 4,
        Decision::Incomplete => 5,
    };
    problems.same("exit_code of the decision", report.exit_code, code);
    problems.expect(!report.gates.is_empty(), || "no gate is in the report".into());
    for gate in &report.gates {
        problems.expect(!gate.rule.trim().is_empty(), || format!("gate {} names no rule", gate.name));
    }
    if matches!(report.decision, Decision::Pass | Decision::Vacuous) {
        problems.expect(report.complete, || "an incomplete report says pass".into());
        let better = |d: GateDecision| matches!(d, GateDecision::Pass | GateDecision::Vacuous);
        problems.expect(report.gates.iter().all(|g| better(g.decision)), || "a gate does not pass".into());
    }
    let unverified = report.mutants.iter().any(|m| m.verdict == Verdict::Unverified);
    problems.expect(!(report.complete && unverified), || "complete, with mutants unverified".into());
}

fn tests(report: &Report, problems: &mut Problems) {
    let delta: BTreeSet<&TestId> = report.tests.delta.iter().map(|t| &t.id).collect();
    problems.same("number of different delta tests", delta.len(), report.tests.delta.len());
    for test in &report.tests.baseline {
        problems.expect(delta.contains(&test.id), || format!("baseline of {}, which is not in the delta", test.id));
    }
    let green: BTreeSet<&TestId> =
        report.tests.baseline.iter().filter(|t| t.outcome == BaselineOutcome::Pass).map(|t| &t.id).collect();
    let mut credited = BTreeSet::new();
    for mutant in &report.mutants {
        let executed: BTreeSet<&TestId> = mutant.executed_by.iter().collect();
        problems.expect(executed.is_subset(&delta), || format!("{}: executed_by is not of the delta", mutant.id));
        for killer in &mutant.killed_by {
            let sound = delta.contains(&killer.id) && green.contains(&killer.id);
            problems.expect(sound, || format!("{}: killer {} is not a green delta test", mutant.id, killer.id));
            credited.insert(&killer.id);
        }
        let dead = matches!(mutant.verdict, Verdict::Killed | Verdict::Timeout);
        problems.expect(dead != mutant.killed_by.is_empty(), || {
            format!("{}: {} with killed_by {:?}", mutant.id, word(mutant.verdict), mutant.killed_by)
        });
    }
    for test in &report.tests.toothless {
        problems.expect(delta.contains(test), || format!("toothless {test} is not in the delta"));
        problems.expect(!credited.contains(test), || format!("toothless {test} killed a mutant"));
    }
}

/// Lines, columns and bytes agree with the head's files.
fn places(report: &Report, head: &Path, problems: &mut Problems) {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for mutant in &report.mutants {
        let text = texts.entry(&mutant.file).or_insert_with(|| {
            std::fs::read_to_string(head.join(&mutant.file)).unwrap_or_else(|why| panic!("{}: {why}", mutant.file))
        });
        let Some(original) = text.get(mutant.start_byte..mutant.end_byte) else {
            problems.add(format!("{}: bytes {}..{}", mutant.id, mutant.start_byte, mutant.end_byte));
            continue;
        };
        problems.same(&format!("{}: original", mutant.id), mutant.original.as_str(), original);
        problems.expect(mutant.replacement != original, || format!("{}: changes nothing", mutant.id));
        let at = |byte: usize| {
            let before = &text[..byte];
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            (before.matches('\n').count() as u32 + 1, before[start..].chars().count() as u32 + 1)
        };
        problems.same(&format!("{}: start", mutant.id), (mutant.line, mutant.column), at(mutant.start_byte));
        problems.same(&format!("{}: end", mutant.id), (mutant.end_line, mutant.end_column), at(mutant.end_byte));
        let in_scope = report.scope.ranges.iter().any(|range| {
            range.kind == RangeKind::Production
                && range.file == mutant.file
                && range.start <= mutant.end_line
                && mutant.line <= range.end
        });
        problems.expect(in_scope, || format!("{}: not on a changed production line", describe(mutant)));
    }
}

fn mutants(report: &Report, problems: &mut Problems) {
    let ids: BTreeSet<&str> = report.mutants.iter().map(|m| m.id.as_str()).collect();
    problems.same("number of different mutant IDs", ids.len(), report.mutants.len());
    let mut changes = BTreeMap::new();
    for m in &report.mutants {
        let shape = m.id.strip_prefix("m-").is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        problems.expect(shape, || format!("`{}` is no mutant ID", m.id));
        if let Some(twin) = changes.insert((&m.file, m.start_byte, m.end_byte, &m.replacement), &m.id) {
            problems.add(format!("{} and {twin} are the same change", m.id));
        }
        problems.expect(report.catalog.operators.contains(&m.operator), || {
            format!("operator `{}` is not in the catalog", m.operator)
        });
        if m.verdict == Verdict::Unexecuted {
            problems.expect(m.executed_by.is_empty(), || format!("{}: unexecuted, yet executed", m.id));
        }
    }
    // A hunk put back says nothing of its single lines.
    let of_lines = report.mutants.iter().filter(|m| m.operator != "revert_hunk");
    let with: BTreeSet<_> = of_lines.map(|m| (&m.file, m.line)).collect();
    for line in &report.scope.unmutated {
        problems.expect(!with.contains(&(&line.file, line.line)), || {
            format!("{}:{} is unmutated ({}) and has a mutant", line.file, line.line, line.reason)
        });
    }
    // Every changed production line is accounted for, unless it holds no token.
    let mutated = |file: &str, line: u32| {
        report.mutants.iter().any(|m| m.file == file && (m.line..=m.end_line).contains(&line))
            || report.scope.unmutated.iter().any(|u| u.file == file && u.line == line)
    };
    for range in report.scope.ranges.iter().filter(|r| r.kind == RangeKind::Production) {
        for line in range.start..=range.end {
            problems.expect(mutated(&range.file, line), || {
                format!("{}:{line} has neither a mutant nor a reason", range.file)
            });
        }
    }
}

pub fn word(verdict: Verdict) -> String {
    serde_json::to_value(verdict).unwrap().as_str().unwrap().to_owned()
}

pub fn describe(m: &Mutant) -> String {
    format!("{} {}:{}:{} `{}` -> `{}`", m.id, m.file, m.line, m.column, m.original, m.replacement)
}
