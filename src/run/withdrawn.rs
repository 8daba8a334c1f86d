//! Survivors of the report before this one that nothing is said about any more, each with the reason.
//!
//! A survivor goes away because a test kills it or a person excuses it. It can also go away because somebody narrowed
//! the scope, switched an operator off, or weakened the test that executed it: then it is named, never silently gone.

use crate::gate::zero_survivors::Standing;
use crate::report::model::{Mutant, RangeKind, Report, Verdict, Withdrawn};
use crate::report::text::count;
use std::collections::{HashMap, HashSet};

/// What the earlier report still lacked and the later one does not speak of, and a note when the two cannot be compared.
pub fn withdrawn(before: &Report, now: &Report) -> (Vec<Withdrawn>, Option<String>) {
    let survivors = before.mutants.iter().filter(|mutant| Standing::of(mutant) == Standing::Alive);
    if before.repo.merge_base != now.repo.merge_base {
        let n = survivors.count();
        let base: String = before.repo.merge_base.chars().take(12).collect();
        let note =
            format!("the report before this one starts at {base}: its {} are not compared", count(n, "survivor"));
        return (Vec::new(), (n > 0).then_some(note));
    }
    let today: HashMap<&str, &Mutant> = now.mutants.iter().map(|mutant| (mutant.id.as_str(), mutant)).collect();
    let mut found: Vec<Withdrawn> = survivors
        .filter_map(|old| {
            let why = match today.get(old.id.as_str()) {
                Some(mutant) => weakened(old, mutant)?,
                None => gone(old, now),
            };
            let Mutant { id, file, line, operator, .. } = old;
            Some(Withdrawn { mutant: id.clone(), file: file.clone(), line: *line, operator: operator.clone(), why })
        })
        .collect();
    // What was withdrawn before stays so until it is judged again.
    let known: HashSet<String> = found.iter().map(|entry| entry.mutant.clone()).collect();
    let still = |entry: &&Withdrawn| {
        let open = today.get(entry.mutant.as_str()).is_none_or(|m| Standing::of(m) == Standing::Unknown);
        open && !known.contains(&entry.mutant)
    };
    found.extend(before.withdrawn.iter().filter(still).cloned());
    (found, None)
}

/// Why a survivor that is still there is none any more, when that is nobody's merit.
fn weakened(old: &Mutant, now: &Mutant) -> Option<String> {
    let tests = || {
        let names: Vec<String> = old.executed_by.iter().map(|test| format!("`{test}`")).collect();
        crate::report::text::list(&names, 3)
    };
    match now.verdict {
        Verdict::Unexecuted if !old.executed_by.is_empty() => {
            Some(format!("no test of the patch executes it any more; {} did", tests()))
        }
        Verdict::Invalid => Some("it does not compile any more".to_owned()),
        Verdict::Unexecuted
        | Verdict::Killed
        | Verdict::Timeout
        | Verdict::Survived
        | Verdict::Excused
        | Verdict::Flaky
        | Verdict::Unverified => None,
    }
}

/// Why a mutant is not there any more.
pub fn gone(old: &Mutant, now: &Report) -> String {
    if !now.catalog.operators.contains(&old.operator) {
        return format!("the operator `{}` is switched off", old.operator);
    }
    let mut ranges = now.scope.ranges.iter().filter(|range| range.file == old.file).peekable();
    if ranges.peek().is_none() {
        return format!("`{}` is not in scope any more", old.file);
    }
    let on_line: Vec<_> = ranges.filter(|range| (range.start..=range.end).contains(&old.line)).collect();
    if on_line.iter().any(|range| range.kind == RangeKind::Test) {
        return "its line counts as test code".to_owned();
    }
    if on_line.iter().any(|range| range.kind == RangeKind::Generated) {
        return "its line counts as generated".to_owned();
    }
    let left_out = now.scope.unmutated.iter().find(|u| u.file == old.file && u.line == old.line);
    match left_out {
        Some(unmutated) => format!("its line has no mutant any more: {}", unmutated.reason),
        None => "the code has changed: there is no such mutant any more".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::Unmutated;
    use crate::report::sample;

    /// The sample's first survivor, and what is said of it after a change.
    fn said(change: impl Fn(&mut Report, &str)) -> Option<String> {
        let before = sample::report();
        let id = before.mutants[1].id.clone();
        let mut now = before.clone();
        change(&mut now, &id);
        let (found, _) = withdrawn(&before, &now);
        found.into_iter().find(|entry| entry.mutant == id).map(|entry| entry.why)
    }

    fn mutant<'r>(report: &'r mut Report, id: &str) -> &'r mut Mutant {
        report.mutants.iter_mut().find(|mutant| mutant.id == id).unwrap()
    }

    #[test]
    fn killed_excused_or_still_alive_is_not_withdrawn() {
        assert_eq!(said(|_, _| {}), None);
        for verdict in [Verdict::Killed, Verdict::Timeout, Verdict::Excused] {
            assert_eq!(said(|report, id| mutant(report, id).verdict = verdict), None);
        }
    }

    #[test]
    fn each_way_to_make_a_survivor_disappear_is_named() {
        let drop = |report: &mut Report, id: &str| report.mutants.retain(|mutant| mutant.id != id);
        let why = said(|report, id| {
            drop(report, id);
            report.catalog.operators.clear();
        });
        assert_eq!(why.unwrap(), "the operator `relational` is switched off");
        let why = said(|report, id| {
            drop(report, id);
            report.scope.ranges.retain(|range| range.file != "src/pricing.rs");
        });
        assert_eq!(why.unwrap(), "`src/pricing.rs` is not in scope any more");
        let why = said(|report, id| {
            drop(report, id);
            report.scope.ranges[0].kind = RangeKind::Test;
        });
        assert_eq!(why.unwrap(), "its line counts as test code");
        let why = said(|report, id| {
            drop(report, id);
            report.scope.unmutated.push(Unmutated {
                file: "src/pricing.rs".into(),
                line: 5,
                reason: "arid:log".into(),
            });
        });
        assert_eq!(why.unwrap(), "its line has no mutant any more: arid:log");
        assert!(said(drop).unwrap().contains("code has changed"));
        let why = said(|report, id| mutant(report, id).verdict = Verdict::Unexecuted);
        assert!(why.unwrap().contains("no test of the patch executes it any more"));
    }

    #[test]
    fn what_was_withdrawn_stays_listed_until_it_is_judged_again() {
        let mut first = sample::report();
        first.catalog.operators.push("logical".into());
        let mut second = first.clone();
        let id = second.mutants.remove(1).id;
        second.withdrawn = withdrawn(&first, &second).0;
        assert_eq!(second.withdrawn.len(), 1);
        let mut third = second.clone();
        third.withdrawn.clear();
        assert_eq!(withdrawn(&second, &third).0[0].mutant, id);
        assert!(withdrawn(&second, &first).0.is_empty());
    }

    #[test]
    fn reports_of_different_bases_are_not_compared_and_say_so() {
        let before = sample::report();
        let mut now = before.clone();
        now.repo.merge_base = "4".repeat(40);
        now.mutants.clear();
        let (found, note) = withdrawn(&before, &now);
        assert!(found.is_empty() && note.unwrap().contains("5 survivors are not compared"));
    }
}
