//! From two maps, and what syntax tells of the tests, to reasons and a decision. Pure.

use super::model::{Comparison, Decision, MapFiles, Reason, Rule, SCHEMA};
use crate::freeze::{Findings, TestName};
use crate::killmap::model::{KillMap, MapMutant};
use crate::report::text;
use std::collections::{BTreeMap, BTreeSet};

/// What is compared.
pub struct Input<'a> {
    /// The base's map; or why there is none.
    pub base: Result<&'a KillMap, String>,
    /// The head's map; or why there is none.
    pub head: Result<&'a KillMap, String>,
    /// What syntax tells of both sides; `None` when only the maps are known.
    pub findings: Option<&'a Findings>,
}

/// Compares.
pub fn judge(input: &Input<'_>) -> Comparison {
    let mut comparison = Comparison {
        schema: SCHEMA.to_owned(),
        decision: Decision::AllowReview,
        complete: true,
        reasons: input.findings.map(|findings| findings.reasons.clone()).unwrap_or_default(),
        resurrected: Vec::new(),
        new_kills: Vec::new(),
        killmaps: MapFiles::default(),
        notes: Vec::new(),
    };
    let mut least = Decision::AllowReview;
    comparison.notes.extend(input.findings.iter().flat_map(|findings| findings.advice.iter().cloned()));
    if let Some(findings) = input.findings
        && !findings.unread.is_empty()
    {
        comparison.notes.extend(findings.unread.iter().map(|what| format!("not read: {what}")));
        least = Decision::Hold;
    }
    for fault in [input.base.as_ref().err(), input.head.as_ref().err()].into_iter().flatten() {
        comparison.notes.push(fault.clone());
        least = Decision::Hold;
    }
    if let (Ok(base), Ok(head)) = (&input.base, &input.head) {
        let maps = Maps { base, head, findings: input.findings };
        maps.name_mutants(&mut comparison.reasons);
        comparison.reasons.extend(maps.lost_tests(&comparison.reasons));
        comparison.resurrected = base.dead().filter(|id| head.is_alive(id)).cloned().collect();
        comparison.new_kills = head.dead().filter(|id| !base.is_dead(id)).cloned().collect();
        comparison.reasons.extend(maps.resurrected(&comparison.resurrected, &comparison.reasons));
        comparison.complete = base.complete && head.complete;
        if comparison.new_kills.is_empty() {
            comparison.reasons.extend(maps.no_new_kills());
        }
        least = least.max(maps.doubts(&mut comparison.notes));
        if !comparison.complete {
            comparison.notes.push("mutants are left without a verdict".to_owned());
            least = least.max(Decision::Incomplete);
        }
    }
    comparison.reasons.sort();
    comparison.reasons.dedup();
    let said = comparison.reasons.iter().map(|reason| reason.rule.decision()).max();
    comparison.decision = said.unwrap_or(Decision::AllowReview).max(least);
    comparison
}

struct Maps<'a> {
    base: &'a KillMap,
    head: &'a KillMap,
    findings: Option<&'a Findings>,
}

/// Whether a listed test is a function's: it, or one of its cases.
fn is_of(listed: &str, function: &str) -> bool {
    listed.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

impl Maps<'_> {
    /// Adds to reasons about tests the mutants that these used to kill.
    fn name_mutants(&self, reasons: &mut [Reason]) {
        for reason in reasons.iter_mut().filter(|reason| reason.mutants.is_empty()) {
            let tests = &reason.tests;
            let used_to =
                |mutant: &MapMutant| mutant.killed_by.iter().any(|by| tests.iter().any(|test| is_of(by, test)));
            let killed = self.base.mutants.iter().filter(|(_, mutant)| used_to(mutant));
            reason.mutants = killed.map(|(id, _)| id.clone()).collect();
        }
    }

    /// Tests that the base used and the head does not have, of which syntax said nothing: made by macros or from files.
    /// An interrupted map lists no tests, and tells nothing. Where syntax is known, only binaries that the head lists are
    /// looked at: of a target that is gone as a whole its file or the manifest tells.
    fn lost_tests(&self, known: &[Reason]) -> Vec<Reason> {
        let told: BTreeSet<&String> = known.iter().flat_map(|reason| &reason.tests).collect();
        let last = |test: &str| test.rsplit([' ', ':']).next().unwrap_or_default().to_owned();
        let added: Vec<&String> = self.head.tests.iter().filter(|test| !self.base.tests.contains(*test)).collect();
        let mut spare: BTreeMap<String, usize> = BTreeMap::new();
        added.iter().for_each(|test| *spare.entry(last(test)).or_default() += 1);
        let mut lost = Vec::new();
        for test in self.base.tests.iter().filter(|test| !self.head.tests.contains(*test)) {
            let binary = test.split(' ').next();
            let mut listed = self.head.tests.iter().chain(self.head.unused.keys());
            let same = |other: &String| self.findings.is_none() || other.split(' ').next() == binary;
            if !listed.any(same) || told.iter().any(|known| is_of(test, known)) {
                continue;
            }
            let unused = self.head.unused.get(test).map(String::as_str);
            if unused == Some("ignored") {
                let detail = format!("`{test}` is ignored now");
                lost.push(Reason::new(Rule::TestIgnored, detail).test(test.as_str()));
                continue;
            }
            if unused.is_some() || self.kept(test) {
                continue;
            }
            if let Some(count) = spare.get_mut(&last(test)).filter(|count| **count > 0) {
                *count -= 1;
                continue;
            }
            let detail = format!("`{test}` is not among the head's tests any more");
            lost.push(Reason::new(Rule::TestDeleted, detail).test(test.as_str()));
        }
        // Without syntax, as many new names as lost ones may be the same tests renamed.
        let gone = lost.iter().filter(|reason| reason.rule == Rule::TestDeleted).count();
        if self.findings.is_none() && gone > 0 && gone <= added.len() {
            lost.retain(|reason| reason.rule != Rule::TestDeleted);
        }
        self.name_mutants(&mut lost);
        lost
    }

    /// Whether syntax found the test again under another name.
    fn kept(&self, test: &str) -> bool {
        let named = |name: &TestName| name.id.as_ref().is_some_and(|id| is_of(test, &id.to_string()));
        let kept = self.findings.iter().flat_map(|findings| &findings.kept_tests);
        kept.into_iter().filter(|(old, _)| named(old)).any(|(old, new)| {
            let label = new.label();
            let elsewhere = old.label() != label;
            elsewhere && (new.id.is_none() || self.head.tests.iter().any(|listed| is_of(listed, &label)))
        })
    }

    /// One reason for each item with resurrected mutants.
    fn resurrected(&self, ids: &[String], known: &[Reason]) -> Vec<Reason> {
        let mut items: BTreeMap<(&str, &str), Vec<&String>> = BTreeMap::new();
        for id in ids {
            let Some(mutant) = self.head.mutants.get(id) else { continue };
            items.entry((&mutant.file, &mutant.function)).or_default().push(id);
        }
        let mut reasons = Vec::new();
        for ((file, function), mut ids) in items {
            ids.sort_by_key(|id| (self.head.mutants[*id].line, *id));
            let first = &self.head.mutants[ids[0]];
            let mut tests: Vec<String> = Vec::new();
            for test in ids.iter().filter_map(|id| self.base.mutants.get(*id)).flat_map(|mutant| &mutant.killed_by) {
                if !tests.contains(test) {
                    tests.push(test.clone());
                }
            }
            let one = text::line(&format!(
                "{} -> {}",
                first.original,
                if first.replacement.is_empty() { "(nothing)" } else { &first.replacement }
            ));
            let many = match ids.len() {
                1 => format!("the mutant `{one}` of `{function}` was killed and lives again"),
                n => format!("{n} mutants of `{function}` were killed and live again, `{one}` among them"),
            };
            let fates: Vec<String> =
                tests.iter().take(3).map(|test| format!("`{test}` {}", self.fate(test, known))).collect();
            let detail = match fates.is_empty() {
                true => many,
                false => format!("{many}; killed at the base by {}", fates.join(", ")),
            };
            reasons.push(Reason {
                rule: Rule::Resurrected,
                detail,
                file: Some(file.to_owned()),
                line: Some(first.line),
                mutants: ids.into_iter().cloned().collect(),
                tests,
            });
        }
        reasons
    }

    /// What the patch did to a test.
    fn fate(&self, test: &str, known: &[Reason]) -> String {
        let rules: BTreeSet<&str> = known
            .iter()
            .filter(|reason| reason.tests.iter().any(|name| is_of(test, name)))
            .map(|reason| reason.rule.as_str())
            .collect();
        let touched = self.findings.iter().flat_map(|findings| &findings.touched_tests);
        let changed = touched.into_iter().any(|name| is_of(test, &name.label()));
        match (rules.is_empty(), self.head.unused.get(test)) {
            (false, _) => format!("({})", rules.into_iter().collect::<Vec<_>>().join(", ")),
            (true, Some(why)) => format!("(at the head it is not used: {why})"),
            (true, None) if changed => "(changed by the patch)".to_owned(),
            (true, None) if !self.head.tests.contains(test) => "(not at the head)".to_owned(),
            (true, None) => "(unchanged)".to_owned(),
        }
    }

    /// New tests have to notice something that nobody noticed before.
    fn no_new_kills(&self) -> Option<Reason> {
        if !self.head.complete || self.head.valid() == 0 {
            return None;
        }
        let new: Vec<String> = match self.findings {
            Some(findings) => {
                let labels = findings.new_tests.iter().map(TestName::label);
                labels.filter(|label| self.head.tests.iter().any(|test| is_of(test, label))).collect()
            }
            None => {
                let (gone, added) = (
                    self.base.tests.difference(&self.head.tests).count(),
                    self.head.tests.difference(&self.base.tests).collect::<Vec<_>>(),
                );
                // As many may be old ones renamed.
                if added.len() > gone { added.into_iter().cloned().collect() } else { Vec::new() }
            }
        };
        let detail = match new.len() {
            0 => return None,
            1 => format!("the new test `{}` kills nothing that was not killed before", new[0]),
            n => format!("{n} new tests kill nothing that was not killed before"),
        };
        Some(Reason { tests: new, ..Reason::new(Rule::NoNewKills, detail) })
    }

    /// What keeps the maps from telling everything, and what else a reader should know.
    fn doubts(&self, notes: &mut Vec<String>) -> Decision {
        let mut least = Decision::AllowReview;
        let flaky: Vec<&String> = self.base.dead().filter(|id| self.head.flaky.contains(*id)).collect();
        if !flaky.is_empty() {
            notes.push(format!("killed at the base and not reproducible at the head: {}", names(&flaky)));
            least = Decision::Hold;
        }
        let broken: Vec<String> = (self.head.unused.iter())
            .filter(|(test, why)| self.base.tests.contains(*test) && !matches!(why.as_str(), "ignored" | "frozen"))
            .map(|(test, why)| format!("`{test}` {why}"))
            .collect();
        if !broken.is_empty() {
            notes.push(format!("green at the base and not at the head: {}", broken.join(", ")));
            least = Decision::Hold;
        }
        let invalid: Vec<&String> = self.base.dead().filter(|id| self.head.invalid.contains(*id)).collect();
        if !invalid.is_empty() {
            notes.push(format!("killed at the base and no longer compiling at the head: {}", names(&invalid)));
        }
        for (name, map) in [("base", self.base), ("head", self.head)] {
            if map.left_out > 0 {
                notes.push(format!("{}: the cap on mutants left {} out", name, map.left_out));
            }
            notes.extend(map.notes.iter().map(|note| format!("{name}: {note}")));
        }
        let surviving = self.head.survived.len() + self.head.unexecuted.len();
        if surviving > 0 {
            notes.push(format!("{surviving} of {} mutants live at the head", self.head.valid()));
        }
        let changed = |findings: &Findings| !findings.touched_tests.is_empty() || !findings.new_tests.is_empty();
        let tests = self.findings.is_some_and(changed);
        let nothing = self.head.valid() == 0 && self.base.valid() == 0 && self.head.complete;
        if nothing && tests {
            notes.push("tests changed, and there is no mutant to tell by".to_owned());
            least = Decision::Hold;
        }
        least
    }
}

fn names(ids: &[&String]) -> String {
    text::list(&ids.iter().map(|id| (*id).clone()).collect::<Vec<_>>(), 5)
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
