//! The mutants of this diff: operators on changed production lines, each with an ID that holds no line numbers, and for
//! every changed production line without a mutant the reason.

mod accounting;
mod identity;
pub mod reverts;
mod selection;

pub use selection::{selected, unknown};

use crate::catalog::{Form, LocalMacros, Located, Proposal, Skip, WalkOptions, walk};
use crate::error::Result;
use crate::policy::Policy;
use crate::report::model::{RangeKind, Unmutated};
use crate::scope::{Scope, ScopedFile};
use crate::weave::{Encoding, encodings};
use crate::workspace::Workspace;
use std::collections::HashSet;
use std::ops::Range;

/// A mutant before it has a verdict.
#[derive(Clone)]
pub struct Planned {
    /// `m-` and hex digits.
    pub id: String,
    /// The value that switches it on; unique to its ID and text.
    pub switch: u64,
    /// Index into [`Scope::files`].
    pub file: usize,
    /// The enclosing item with its modules.
    pub function: String,
    /// Bytes of the enclosing item.
    pub item: Range<usize>,
    /// What it changes.
    pub proposal: Proposal,
    /// Its encodings, best first; none when it must be compiled alone.
    pub encodings: Vec<Encoding>,
}

/// All mutants of a diff.
#[derive(Default)]
pub struct Plan {
    /// In file and position order.
    pub mutants: Vec<Planned>,
    /// The mutants, and after them the parts of the reverted patch where these can be switched.
    pub threads: Vec<Planned>,
    /// Changed production lines without one.
    pub unmutated: Vec<Unmutated>,
}

impl Plan {
    /// Every mutant with its switch, place and text, a line each: what two machines, or two runs, have to come to alike.
    pub fn lines(&self) -> String {
        let line = |mutant: &Planned| {
            let (switch, text) = (mutant.switch, &mutant.proposal.replacement);
            format!("{} {switch} {:?} {:?} {text:?}", mutant.id, mutant.encodings, mutant.proposal.span)
        };
        self.threads.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Leaves no mutant to a switch: each is compiled alone.
    pub fn without_switches(&mut self) {
        self.mutants.iter_mut().chain(&mut self.threads).for_each(|mutant| mutant.encodings.clear());
    }

    /// Leaves only some mutants, and nothing of the reverted patch: what is woven in is what has a verdict.
    pub fn keep(&mut self, wanted: impl FnMut(&Planned) -> bool) {
        let mut wanted = wanted;
        self.mutants.retain(|mutant| wanted(mutant));
        self.threads.clone_from(&self.mutants);
    }
}

/// Plans the mutants of a scope. `macros` are those of the packages that the scope touches.
///
/// # Errors
/// When the policy names an operator that the catalog does not have.
pub fn plan(scope: &Scope, policy: &Policy, workspace: &Workspace, macros: &LocalMacros) -> Result<Plan> {
    let operators = selected(policy)?;
    let arid_off: Vec<String> = policy.arid.disable.iter().map(|rule| rule.name().to_owned()).collect();
    let mut plan = Plan::default();
    let mut names = identity::Names::default();
    for (index, file) in scope.files.iter().enumerate() {
        if file.kind != RangeKind::Production {
            continue;
        }
        let mut skips: Vec<Skip> = Vec::new();
        let from = plan.mutants.len();
        if let (Some(source), None) = (&file.source, file.barred) {
            let options = WalkOptions {
                unsafe_code: policy.operators.r#unsafe,
                arid_off: &arid_off,
                macros: macros.clone(),
                rebuild_all: file.compile_time,
            };
            let found = walk(source, &operators, &options);
            let crate_name = file.package.map(|at| workspace.packages[at].name.as_str());
            let mut places = HashSet::new();
            names.start_file(file.old_path.as_deref().unwrap_or(&file.path));
            for located in &found.proposals {
                // Every proposal takes part in the numbering, so that an ID does not depend on the diff.
                let id = names.name(source, located);
                let Proposal { span, replacement, .. } = &located.proposal;
                // Two operators may arrive at the same change; the first in the catalog has it.
                if in_scope(file, located)
                    && changes_something(source, &located.proposal)
                    && places.insert((span.clone(), replacement.clone()))
                {
                    plan.mutants.push(planned(index, file, crate_name, located, id));
                }
            }
            if operators.iter().any(|op| op.name == "revert_hunk") {
                let mut name = |original: &str, replacement: &str| names.id("", "revert_hunk", original, replacement);
                let reverts = reverts::hunks(index, file, &mut name);
                let known = plan.mutants[from..].to_vec();
                plan.mutants
                    .extend(reverts.into_iter().filter(|revert| !known.iter().any(|m| same(source, m, revert))));
                plan.mutants[from..].sort_by_key(|mutant| mutant.proposal.span.start);
            }
            skips = found.skips;
        }
        plan.unmutated.extend(accounting::unmutated(file, &plan.mutants[from..], &skips));
    }
    plan.threads = plan.mutants.clone();
    plan.threads.extend(reverts::parts(scope).unwrap_or_default());
    Ok(plan)
}

fn planned(index: usize, file: &ScopedFile, crate_name: Option<&str>, located: &Located, id: String) -> Planned {
    let Located { proposal, item, item_range } = located;
    let switch = identity::switch(&id, &file.path, proposal);
    let module = file.module.iter().map(String::as_str);
    let function: Vec<&str> = match (module.clone().count(), item.is_empty()) {
        (0, true) => crate_name.into_iter().collect(),
        _ => module.chain((!item.is_empty()).then_some(item.as_str())).collect(),
    };
    let encodings = match proposal.form {
        Form::Rebuild => Vec::new(),
        _ => encodings(proposal),
    };
    Planned {
        id,
        switch,
        file: index,
        function: function.join("::"),
        item: item_range.clone(),
        proposal: proposal.clone(),
        encodings,
    }
}

/// A mutant stands on the line on which its replaced text begins: a changed line of production code.
fn in_scope(file: &ScopedFile, located: &Located) -> bool {
    let Some(source) = &file.source else { return false };
    let span = &located.proposal.span;
    let line = source.lines.line_of(span.start);
    file.changed.is_changed(line)
        && file.kind_of(line) == RangeKind::Production
        && !file.regions.is_test(span.start)
        && !file.regions.is_off(span.start)
}

/// Whether a mutant is the same change as a hunk put back.
fn same(source: &crate::source::SourceFile, mutant: &Planned, revert: &Planned) -> bool {
    let (m, r) = (&mutant.proposal, &revert.proposal);
    if m.span.start < r.span.start || m.span.end > r.span.end {
        return false;
    }
    let text = &source.text;
    let mutated = format!("{}{}{}", &text[r.span.start..m.span.start], m.replacement, &text[m.span.end..r.span.end]);
    mutated.split_whitespace().eq(r.replacement.split_whitespace())
}

/// Replacements equal to the original's tokens are no mutants.
fn changes_something(source: &crate::source::SourceFile, proposal: &Proposal) -> bool {
    let squash = |text: &str| text.split_whitespace().collect::<String>();
    squash(&source.text[proposal.span.clone()]) != squash(&proposal.replacement)
}

/// Every mutant of a file, whatever a patch changes: its ID, and the bytes of the item around it.
pub fn of_file(source: &crate::source::SourceFile, path: &str) -> Vec<(String, Range<usize>)> {
    let operators: Vec<&crate::catalog::Operator> = crate::catalog::registry().iter().collect();
    let mut names = identity::Names::default();
    names.start_file(path);
    let found = crate::catalog::walk(source, &operators, &WalkOptions { unsafe_code: true, ..WalkOptions::default() });
    found.proposals.iter().map(|located| (names.name(source, located), located.item_range.clone())).collect()
}
