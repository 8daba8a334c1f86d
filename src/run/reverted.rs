//! Would the new tests fail without the patch? The whole production side put back at once, and the patch's own tests
//! run on it.

use super::rebuilds::Rebuilds;
use crate::build::Texts;
use crate::campaign::Outcome;
use crate::error::Result;
use crate::evidence;
use crate::plan::reverts;
use crate::report::model::{Killer, Reverted, RevertedVerdict, Verdict};
use crate::scope::Scope;
use crate::test_id::TestId;
use std::collections::BTreeMap;

/// Not tried, and why.
pub fn not_run(reason: &str) -> Reverted {
    Reverted { verdict: RevertedVerdict::NotRun, killed_by: Vec::new(), reason: Some(reason.to_owned()) }
}

/// The production files without the patch.
pub fn texts(scope: &Scope) -> Texts {
    scope.files.iter().filter_map(|file| Some((file.path.clone(), reverts::whole(file)?))).collect()
}

/// Judges the reverted patch. A mutant that is the same text has been judged already; then it is named, by index.
///
/// # Errors
/// When files cannot be written or cargo cannot be started.
pub fn judge(
    rebuilds: &Rebuilds<'_>,
    scope: &Scope,
    outcomes: &BTreeMap<usize, Outcome>,
    ids: &[TestId],
) -> Result<(Reverted, Option<usize>)> {
    let texts = texts(scope);
    if texts.is_empty() {
        return Ok((not_run("no production code can be put back"), None));
    }
    if rebuilds.ending.reached() {
        return Ok((not_run("the run ended before"), None));
    }
    let known = outcomes.iter().find(|(index, _)| {
        let mutant = &rebuilds.builder.mutants[**index];
        let path = &scope.files[mutant.file].path;
        texts.len() == 1 && texts.get(path) == Some(&rebuilds.builder.mutated(mutant))
    });
    let outcome = match known {
        Some((_, outcome)) => outcome.clone(),
        None => match rebuilds.texts(evidence::REVERTED, texts) {
            // Half a build means nothing.
            Err(_) if rebuilds.ending.reached() => return Ok((not_run("the run ended before"), None)),
            outcome => outcome?,
        },
    };
    Ok((of(outcome, ids), known.map(|(index, _)| *index)))
}

/// What an outcome says of the reverted patch.
pub fn of(outcome: Outcome, ids: &[TestId]) -> Reverted {
    let killed_by = outcome.killed_by.iter().map(|(test, how)| Killer { id: ids[*test].clone(), how: *how }).collect();
    let verdict = match outcome.verdict {
        Verdict::Killed | Verdict::Timeout => RevertedVerdict::Killed,
        Verdict::Survived | Verdict::Unexecuted | Verdict::Excused => RevertedVerdict::Survived,
        Verdict::Invalid => RevertedVerdict::Invalid,
        Verdict::Flaky | Verdict::Unverified => RevertedVerdict::NotRun,
    };
    Reverted { verdict, killed_by, reason: outcome.reason }
}
