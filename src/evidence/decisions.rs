//! The decisions of a report taken again: every gate from its recorded inputs, and the policy that was asked.

use super::verify::{Folder, Verified};
use super::write::Maps;
use crate::compare::judge::{Input, judge};
use crate::compare::model::Rule;
use crate::diff;
use crate::exit::Exit;
use crate::freeze::Findings;
use crate::gate::{self, Evidence};
use crate::policy::{self, Policy};
use crate::report::model::*;
use crate::text::sha256;
use std::collections::BTreeSet;

/// The gate that stands in a report when the user's tree changed during the run; nobody asks for it.
const TREE: &str = "tree";

impl Folder<'_> {
    /// The scope lies in the patch, and what the patch changes of its judge is said.
    pub fn patch(&self, found: &mut Verified) {
        let r = self.report;
        let files = match diff::parse(&self.patch) {
            Ok(files) => files,
            Err(why) => return found.problems.push(why.to_string()),
        };
        if r.repo.dirty {
            found.unchecked.push("untracked files are part of the patch, and not of `patch.diff`".to_owned());
            return;
        }
        for range in &r.scope.ranges {
            let file = files.iter().find(|file| file.new_path.as_ref() == Some(&range.file));
            let holds = |hunk: &diff::Hunk| hunk.new_range().start <= range.start && range.end < hunk.new_range().end;
            if !file.is_some_and(|file| file.hunks.iter().any(holds)) {
                let Range { file, start, end, .. } = range;
                found.problems.push(format!("`{file}:{start}-{end}` is in scope and not in the patch"));
            }
        }
        let Ok(policy) = Policy::parse(&self.policy, "policy.toml") else { return };
        let inside = if r.repo.workspace.is_empty() { String::new() } else { format!("{}/", r.repo.workspace) };
        let watched = policy::watched_paths(&policy, &format!("{inside}{}", policy::FILE));
        let touches = |path: &&String| {
            files.iter().any(|file| file.old_path.as_ref() == Some(path) || file.new_path.as_ref() == Some(path))
        };
        if !watched.iter().filter(touches).eq(&r.facts.policy_changed) {
            found.problems.push("what the patch changes of its judge is not what the report says".to_owned());
        }
    }

    /// The policy is the one named, its floors are the ones used, and its gates or the command line's were asked.
    pub fn policy(&self, found: &mut Verified) {
        let r = self.report;
        if sha256(&self.policy) != r.policy.sha256 {
            found.problems.push("the policy is not the one that the report names".to_owned());
        }
        let policy = match Policy::parse(&self.policy, "policy.toml") {
            Ok(policy) => policy,
            Err(why) => return found.problems.push(why.to_string()),
        };
        let by_file = self.args.patch.policy.is_some();
        if by_file != (r.policy.source == PolicySource::File) {
            found.problems.push("where the policy comes from is not what the command line says".to_owned());
        }
        if gate::floors(&policy, &r.mutants) != r.facts.floors {
            found.problems.push("the floors are not the policy's".to_owned());
        }
        if r.facts.reverted_survives != policy.reverted_survives {
            found.problems.push("`reverted-survives` is not the policy's".to_owned());
        }
        let asked = if self.args.gate.is_empty() { &policy.gates } else { &self.args.gate };
        let asked: BTreeSet<&str> = asked.iter().map(|gate| gate.as_str()).collect();
        if asked != self.run.gates.iter().map(String::as_str).collect() {
            found.problems.push("the gates asked are not those of the policy or the command line".to_owned());
        }
        if r.facts.resumed && !self.args.resume {
            found.problems.push("verdicts were taken over, and the command line does not say so".to_owned());
        }
    }

    /// Every gate, and what they come to.
    pub fn decisions(&self, found: &mut Verified) {
        let r = self.report;
        let names: Vec<&str> = self.run.gates.iter().map(String::as_str).collect();
        let (mut gates, red) = Evidence::of(r).judge(&names);
        gates.extend(self.frozen(&names, found));
        gates.extend(self.mapped(&names, found));
        for gate in &gates {
            let name = &gate.name;
            match r.gates.iter().find(|reported| reported.name == *name) {
                Some(reported) if reported == gate => {}
                Some(reported) if reported.decision == gate.decision => {
                    found.problems.push(format!("the gate `{name}` gives other reasons than its inputs do"));
                }
                Some(reported) => {
                    let (said, is) = (reported.decision, gate.decision);
                    found.problems.push(format!("the gate `{name}` says {said}, its inputs make it {is}"));
                }
                None => found.problems.push(format!("the gate `{name}` was asked and is not in the report")),
            }
        }
        for name in names.iter().filter(|name| !gates.iter().any(|gate| gate.name == **name)) {
            found.problems.push(format!("the decision of the gate `{name}` cannot be recomputed"));
        }
        let mut seen = BTreeSet::new();
        for gate in r.gates.iter().map(|gate| gate.name.as_str()) {
            if gate != TREE && !names.contains(&gate) {
                found.problems.push(format!("the gate `{gate}` is in the report and was not asked"));
            }
            if !seen.insert(gate) {
                found.problems.push(format!("the gate `{gate}` is in the report twice"));
            }
        }
        let tree = r.gates.iter().any(|gate| gate.name == TREE && gate.decision == GateDecision::Hold);
        if tree == r.tree.clean {
            found
                .problems
                .push("the work tree changed during the run, and no gate says so, or the other way round".to_owned());
        }
        let decision = gate::overall(&r.gates, red);
        if decision != r.decision {
            found.problems.push(format!("the decision is {}, the gates make it {decision}", r.decision));
        }
        if Exit::of(r.decision).code() != r.exit_code {
            found.problems.push(format!("the exit code {} does not belong to `{}`", r.exit_code, r.decision));
        }
        if r.decision == Decision::Pass && !r.complete {
            found.problems.push("an incomplete report says pass".to_owned());
        }
    }

    /// The gate `freeze` from what was found.
    fn frozen(&self, names: &[&str], found: &mut Verified) -> Option<Gate> {
        let asked = names.contains(&gate::freeze::NAME) || names.contains(&gate::kill_map::NAME);
        let Some(findings) = self.findings.as_ref().filter(|_| asked) else {
            if self.findings.is_some() {
                found.problems.push("there are findings, and no gate that asked for them".to_owned());
            }
            return None;
        };
        let policy = |path: &String| {
            findings
                .reasons
                .iter()
                .any(|reason| reason.rule == Rule::PolicyChanged && reason.file.as_ref() == Some(path))
        };
        if !self.report.facts.policy_changed.iter().all(policy) {
            found.problems.push("the findings do not name all that the patch changes of its judge".to_owned());
        }
        names.contains(&gate::freeze::NAME).then(|| gate::freeze::judge(findings))
    }

    /// The gate `kill-map` from both maps.
    fn mapped(&self, names: &[&str], found: &mut Verified) -> Option<Gate> {
        let asked = names.contains(&gate::kill_map::NAME);
        let (Some(findings), Some(maps), true) = (&self.findings, &self.maps, asked) else {
            if self.maps.is_some() {
                found.problems.push("there are kill maps, and no gate that asked for them".to_owned());
            }
            return None;
        };
        self.maps(maps, found);
        let comparison = judge(&Input { base: maps.base.map(), head: maps.head.map(), findings: Some(findings) });
        found.unchecked.push("the verdicts in the kill maps: their test processes are not on record".to_owned());
        Some(gate::kill_map::judge(&comparison, is_judged(findings, maps)))
    }

    /// The maps are whole, and of this patch.
    fn maps(&self, maps: &Maps, found: &mut Verified) {
        let r = self.report;
        let head = r.repo.head.as_ref();
        for (side, map, rev) in [("base", &maps.base, Some(&r.repo.merge_base)), ("head", &maps.head, head)] {
            let Ok(map) = map.map() else { continue };
            if let Err(why) = map.consistent() {
                found.problems.push(format!("the {side}'s kill map contradicts itself: {why}"));
            }
            if rev.is_some_and(|rev| map.rev != *rev) {
                found.problems.push(format!("the {side}'s kill map is of another revision"));
            }
            if map.catalog.sha256 != r.catalog.sha256 {
                found.problems.push(format!("the {side}'s kill map is of another catalog"));
            }
        }
    }
}

/// Whether there was anything to compare.
fn is_judged(findings: &Findings, maps: &Maps) -> bool {
    findings.touched || maps.head.map().is_ok_and(|map| map.valid() > 0)
}
