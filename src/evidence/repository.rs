//! A folder of evidence held against the repository that its patch is from: what a forger could have edited in every file
//! at once has to follow from the commits.

use super::verify::Folder;
use super::write::PlannedLine;
use crate::cli::args::{CargoArgs, PatchArgs};
use crate::error::{Error, Result};
use crate::freeze;
use crate::report::model::{Engine, Report};
use crate::run::session::Session;
use crate::text::sha256;
use camino::Utf8Path;

/// What does not follow from the repository; one sentence each.
///
/// # Errors
/// When the repository is not at hand, or does not have the commits.
pub fn against(dir: &Utf8Path, report: &Report, cargo: &CargoArgs) -> Result<Vec<String>> {
    let folder = Folder::read(dir, report)?;
    let doing = "hold the evidence against the repository";
    let patch = &folder.args.patch;
    let Some(head) = report.repo.head.as_ref().filter(|_| patch.in_diff.is_none()) else {
        return Err(Error::new(doing, "it is of changes that were not committed"));
    };
    let manifest_path = cargo.manifest_path.clone();
    let session = Session::open(
        &PatchArgs { base: Some(report.repo.base.clone()), head: Some(head.clone()), ..patch.clone() },
        &CargoArgs { manifest_path, ..folder.args.cargo.clone() },
    )?;
    let mut problems = Vec::new();
    let mut same = |what: &str, equal: bool| {
        if !equal {
            problems.push(format!("{what} not what the repository gives"));
        }
    };
    let comparison = &session.comparison;
    same("the merge base is", report.repo.merge_base == comparison.merge_base.as_str());
    same("the workspace is", report.repo.workspace == session.workspace_path);
    same("the patch is", folder.patch == comparison.patch(&session.repo)?);
    same("the scope is", report.scope.ranges == session.scope.ranges(&session.workspace));
    same("the lines without a mutant are", report.scope.unmutated == session.plan.unmutated);
    same("the policy is", folder.policy == session.policy.text() && report.policy.source == session.policy_source);
    same("the ledger is", folder.ledger == session.ledger.text && folder.head_ledger == session.ledger.head_text);
    same("the day is", folder.run.day == session.today.to_string());
    let facts = &report.facts;
    same("what the patch changes of its judge is", facts.policy_changed == session.watched_changes);
    same("whether it only deletes is", facts.deletions_only == session.scope.deletions_only);
    same("whether it adds to .gitattributes is", facts.attributes_changed == session.scope.attributes_changed);
    same("the catalog is", report.catalog.sha256 == crate::catalog::digest());
    // How a mutant was put into the program is for the compiler to say.
    let plan = |lines: Vec<PlannedLine>| -> Vec<PlannedLine> {
        lines.into_iter().map(|line| PlannedLine { engine: Engine::Woven, ..line }).collect()
    };
    let planned = crate::run::planned(&session).iter().map(PlannedLine::of).collect();
    same("the plan is", plan(folder.planned.clone()) == plan(planned));
    if let Some(findings) = &folder.findings {
        same("what the patch did to the tests is", *findings == freeze::check(&session)?);
    }
    let lock = std::fs::read(session.workspace.root.join("Cargo.lock")).map(sha256);
    // A lock file that is not committed lies in no other tree.
    same("Cargo.lock is", lock.is_err() || lock.is_ok_and(|digest| digest == folder.run.lockfile_sha256));
    Ok(problems)
}
