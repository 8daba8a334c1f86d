//! The second step: exact test IDs, from the head's list and where needed the base's.

use super::candidates::{Candidates, TargetView};
use super::compare::State;
use super::graph::Node;
use super::opaque::Scope;
use super::origin::Origin;
use super::units::UnitKind;
use super::{Delta, DeltaEntry, ListedTest, NeedsBaseList, entry};
use crate::report::model::TestChange;
use crate::test_id::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of one test.
enum Finding {
    /// It is in the delta.
    Touched(TestChange, Option<(String, u32)>, String),
    /// It is in the delta if the base does not have it; else the second reason says why nobody can tell.
    IfNew { why: String, unsure: Option<String>, at: Option<(String, u32)> },
    /// It is not in the delta.
    Untouched,
}

impl Candidates {
    /// Finds the tests of the delta.
    ///
    /// `head` is the list of every candidate target (tests of other targets are passed over); `base` the base's list
    /// of at least the targets that an earlier call asked for. With `ignored`, `#[ignore]`d tests count like others.
    ///
    /// # Errors
    /// [`NeedsBaseList`] when only the base's list can tell; never with `base`.
    pub fn resolve(&self, head: &[ListedTest], base: Option<&[TestId]>, ignored: bool) -> Result<Delta, NeedsBaseList> {
        let known: Option<BTreeSet<&TestId>> = base.map(|ids| ids.iter().collect());
        let (doctests, notes) = (self.doctests.clone(), self.notes.clone());
        let mut delta = Delta { doctests, notes, ..Delta::default() };
        let mut needs = NeedsBaseList { targets: Vec::new(), why: Vec::new() };
        let mut found: BTreeMap<&TestId, (bool, DeltaEntry)> = BTreeMap::new();
        for (target, view) in &self.targets {
            let tests: Vec<&ListedTest> = head.iter().filter(|t| t.id.binary_id == view.binary_id).collect();
            let mut seen = BTreeSet::new();
            let mut findings = Vec::new();
            for test in &tests {
                let origin = view.origin(test);
                if let Origin::Node(node) = origin {
                    seen.insert((&view.nodes[node].file, view.nodes[node].index));
                }
                findings.push((test, view.judge(test, &origin, &tests)));
            }
            // The base's list may be that of the targets asked for alone: it says nothing of the others.
            let asks = findings.iter().any(|(_, finding)| matches!(finding, Finding::IfNew { .. }));
            let known = known.as_ref().filter(|_| asks);
            for (test, finding) in findings {
                let (change, at, why) = match (finding, known.map(|ids| ids.contains(&test.id))) {
                    (Finding::Untouched, _) => continue,
                    (Finding::Touched(change, at, why), in_base) => (refined(change, in_base), at, why),
                    (Finding::IfNew { why, at, .. }, Some(false)) => (TestChange::Added, at, why),
                    (Finding::IfNew { unsure, .. }, Some(true)) => {
                        delta.notes.extend(unsure.map(|why| format!("`{}` is left out: {why}", test.id)));
                        continue;
                    }
                    (Finding::IfNew { why, .. }, None) => {
                        if !needs.targets.contains(target) {
                            needs.targets.push(*target);
                        }
                        if !needs.why.contains(&why) {
                            needs.why.push(why);
                        }
                        continue;
                    }
                };
                found.insert(&test.id, (test.ignored, entry(&test.id, change, at, why)));
            }
            delta.notes.extend(view.unlisted(&seen));
        }
        if !needs.targets.is_empty() {
            return Err(needs);
        }
        for test in head.iter().filter(|t| self.manifest.contains(&t.id)) {
            let why = "named by `[tests] manifest` of the policy".to_owned();
            found
                .entry(&test.id)
                .or_insert_with(|| (test.ignored, entry(&test.id, TestChange::Added, test.source.clone(), why)));
        }
        for (is_ignored, entry) in found.into_values() {
            if is_ignored && !ignored { delta.ignored.push(entry) } else { delta.tests.push(entry) }
        }
        delta.notes.sort();
        delta.notes.dedup();
        Ok(delta)
    }
}

/// What the base's list, where known, says about added or modified.
fn refined(change: TestChange, in_base: Option<bool>) -> TestChange {
    match (change, in_base) {
        (TestChange::Added, Some(true)) => TestChange::Modified,
        (TestChange::Modified | TestChange::ModifiedHelper, Some(false)) => TestChange::Added,
        (change, _) => change,
    }
}

impl TargetView {
    fn judge(&self, test: &ListedTest, origin: &Origin, all: &[&ListedTest]) -> Finding {
        if let Some((file, line)) = &test.source
            && let Some(changed) = self.unparsed.get(file)
        {
            return unparsed(file, *line, changed, all);
        }
        match origin {
            Origin::Node(node) => match self.touch(*node) {
                Some(finding) => finding,
                None if self.nodes[*node].state == State::Moved => Finding::Untouched,
                None => self.unseen(test, origin),
            },
            Origin::Made { within, through } => self.made(test, origin, *within, through),
            Origin::Elsewhere => self.unseen(test, origin),
            Origin::Unknown { perhaps } => self.unknown(test, origin, perhaps),
        }
    }

    /// What the patch did to a node, itself or through a helper.
    fn touch(&self, node: usize) -> Option<Finding> {
        let (n, at) = (&self.nodes[node], Some(self.nodes[node].place()));
        let made = n.unit().kind == UnitKind::Invocation;
        let finding = match n.state {
            State::Added if made => {
                Finding::Touched(TestChange::Added, at, format!("made by {}, which was added", n.shown()))
            }
            State::Added => Finding::Touched(TestChange::Added, at, "the base has no such test function".to_owned()),
            State::Modified { .. } if made => {
                let why = format!("made by {}, whose tokens differ from the base", n.shown());
                Finding::Touched(TestChange::Modified, at, why)
            }
            State::Modified { attributes: true } => {
                Finding::Touched(TestChange::Modified, at, "its attributes or cases differ from the base".to_owned())
            }
            State::Modified { attributes: false } => {
                Finding::Touched(TestChange::Modified, at, "its tokens differ from the base".to_owned())
            }
            State::Same | State::Moved => {
                let why = self.helper(node)?;
                Finding::Touched(TestChange::ModifiedHelper, at, why)
            }
        };
        Some(finding)
    }

    /// How a node reaches a touched helper.
    fn helper(&self, node: usize) -> Option<String> {
        let reached = self.reached.get(&node)?;
        let helper = &self.nodes[reached.touched];
        let through = if reached.next == reached.touched {
            String::new()
        } else {
            format!(", through {}", self.nodes[reached.next].title())
        };
        Some(format!("uses {}, which {}{through}", helper.shown(), helper.verb()))
    }

    /// A test whose name stands in a `macro_rules!`: what the patch did to its invocation, to its own function there,
    /// to a helper, to the rest of the macro.
    fn made(&self, test: &ListedTest, origin: &Origin, within: usize, through: &[usize]) -> Finding {
        let own = &self.nodes[within];
        let findings: Vec<Option<Finding>> = through.iter().map(|node| self.touch(*node)).collect();
        let touched = through.iter().zip(&findings).find(|(_, finding)| finding.is_some()).map(|(node, _)| *node);
        let all_touched = !findings.is_empty() && findings.iter().all(Option::is_some);
        let by_helper = |f: &Finding| matches!(f, Finding::Touched(TestChange::ModifiedHelper, ..));
        // Of several invocations that may have made it, the one whose own tokens changed says most.
        let invocation = if all_touched { findings.into_iter().flatten().min_by_key(by_helper) } else { None };
        let by_invocation = match invocation {
            Some(finding) if !by_helper(&finding) => return finding,
            finding => finding,
        };
        if own.unit().kind == UnitKind::Template
            && let Some(finding) = self.touch(within)
        {
            return finding;
        }
        if let Some(finding) = by_invocation {
            return finding;
        }
        let definition =
            self.nodes.iter().find(|n| n.unit().kind == UnitKind::Macro && n.macro_name() == own.macro_name());
        if let Some(definition) = definition.filter(|n| n.state.is_touched()) {
            let why = format!("made by {}, which {}", definition.shown(), definition.verb());
            return Finding::Touched(TestChange::ModifiedHelper, Some(definition.place()), why);
        }
        if let Some(node) = touched {
            return self.ambiguous(node);
        }
        if !through.is_empty() && through.iter().all(|node| self.nodes[*node].state == State::Moved) {
            return Finding::Untouched;
        }
        self.unseen(test, origin)
    }

    /// A test that nothing in view makes, but perhaps some invocations.
    fn unknown(&self, test: &ListedTest, origin: &Origin, perhaps: &[usize]) -> Finding {
        let touched: Vec<usize> = perhaps.iter().copied().filter(|node| self.touch(*node).is_some()).collect();
        match (touched.as_slice(), perhaps) {
            ([node], [_]) => self.touch(*node).unwrap_or(Finding::Untouched),
            ([node, ..], _) => self.ambiguous(*node),
            ([], []) => match self.foreign_invocation() {
                Some(node) => self.ambiguous(node),
                None => self.unseen(test, origin),
            },
            ([], _) => self.unseen(test, origin),
        }
    }

    fn ambiguous(&self, node: usize) -> Finding {
        let invocation = &self.nodes[node];
        let why = format!("perhaps made by {}, which {}", invocation.shown(), invocation.verb());
        let unsure = Some(format!("the base has it, and whether {} makes it cannot be told", invocation.shown()));
        Finding::IfNew { why, unsure, at: Some(invocation.place()) }
    }

    /// A touched invocation of a macro that is defined elsewhere, which may make any test.
    fn foreign_invocation(&self) -> Option<usize> {
        let defined =
            |name: &str| self.nodes.iter().any(|n| n.unit().kind == UnitKind::Macro && n.unit().names[0] == name);
        (0..self.nodes.len()).find(|i| {
            let node = &self.nodes[*i];
            let touched = node.state.is_touched() && node.unit().in_test;
            node.unit().kind == UnitKind::Invocation && touched && !defined(&node.unit().names[0])
        })
    }

    /// A test that no touched code makes: new only where the patch may add tests unseen.
    fn unseen(&self, test: &ListedTest, origin: &Origin) -> Finding {
        let covers = |scope: &Scope| match scope {
            Scope::All => true,
            Scope::Module(module) => {
                let mut path = test.id.name.split("::");
                module.iter().all(|m| path.next() == Some(m))
            }
            Scope::Unplaced => match origin {
                Origin::Unknown { .. } => true,
                Origin::Node(node) => self.nodes[*node].unit().is_file_driven(),
                Origin::Made { .. } | Origin::Elsewhere => false,
            },
        };
        match self.opaque.iter().find(|o| covers(&o.scope)) {
            Some(opaque) => Finding::IfNew { why: opaque.why.clone(), unsure: None, at: test.source.clone() },
            None => Finding::Untouched,
        }
    }

    /// Touched test functions that the list does not have.
    fn unlisted(&self, seen: &BTreeSet<(&String, usize)>) -> Vec<String> {
        let missing = self
            .nodes
            .iter()
            .filter(|n| n.unit().kind == UnitKind::Test && n.state.is_touched() && !n.unit().is_case_template());
        let missing = missing.filter(|n| !seen.contains(&(&n.file, n.index)));
        missing
            .map(|n| format!("{} is not in the list of `{}`: not compiled here, or no test", n.shown(), self.binary_id))
            .collect()
    }
}

impl Node {
    /// Its file and first line.
    fn place(&self) -> (String, u32) {
        (self.file.clone(), self.unit().lines.0)
    }

    /// Its title and place, for a person.
    fn shown(&self) -> String {
        format!("{} ({}:{})", self.title(), self.file, self.unit().lines.0)
    }
}

/// In a file that does not parse, the last test that begins at or before a changed line is touched.
fn unparsed(file: &str, line: u32, changed: &BTreeSet<u32>, all: &[&ListedTest]) -> Finding {
    let lines = all.iter().filter_map(|t| t.source.as_ref()).filter(|(f, _)| f == file).map(|(_, line)| *line);
    let next = lines.filter(|l| *l > line).min().unwrap_or(u32::MAX);
    if changed.range(line..next).next().is_none() {
        return Finding::Untouched;
    }
    let why = "a changed line lies between it and the next test; the file does not parse".to_owned();
    Finding::Touched(TestChange::Modified, Some((file.to_owned(), line)), why)
}
