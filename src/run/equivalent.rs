//! Survivors that no test can kill, because the optimiser makes the same code of them as of the original.
//!
//! They stay survivors in every count; the reason says that nothing is missing. By default this is done for the gate
//! `zero-survivors`, by which somebody has to deal with each of them. It has no limit of time but the run's own, so that a
//! slow machine says the same as a fast one.

use super::mutants::Judged;
use super::progress::Progress;
use super::session::Session;
use crate::build::{Builder, compare_optimised};
use crate::error::Result;
use crate::policy::Equivalence;
use crate::report::model::{RevertedVerdict, Verdict};
use crate::report::text;
use std::collections::BTreeSet;

/// The reason of such a survivor.
pub const REASON: &str = "equivalent-by-compiler";

/// At most so many survivors are looked at: after more, a reader has other worries.
const MOST: usize = 40;

/// What a reader should know where there is no compiler to ask.
pub fn without_compiler(wanted: Equivalence, judged: &Judged, each_counts: bool) -> Option<String> {
    let asked = match wanted {
        Equivalence::Never => false,
        Equivalence::Auto => each_counts,
        Equivalence::Always => true,
    };
    let survives = judged.outcomes.values().any(|outcome| outcome.verdict == Verdict::Survived);
    (asked && survives).then(|| "survivors were not compared with the original: there is no compiler here".to_owned())
}

/// Marks the survivors that are the original to the optimiser; `each_counts` when a gate wants to hear of every one.
/// Says what a reader should know.
///
/// # Errors
/// When the compiler cannot be called.
pub fn mark(
    wanted: Equivalence,
    session: &Session,
    builder: &Builder<'_>,
    judged: &mut Judged,
    each_counts: bool,
    progress: &Progress,
) -> Result<Option<String>> {
    match wanted {
        Equivalence::Never => return Ok(None),
        Equivalence::Auto if !each_counts => return Ok(None),
        Equivalence::Auto | Equivalence::Always => {}
    }
    let survived = judged.outcomes.iter().filter(|(_, outcome)| outcome.verdict == Verdict::Survived);
    let survivors: Vec<usize> = survived.map(|(index, _)| *index).collect();
    if survivors.is_empty() || builder.ending.reached() {
        return Ok(None);
    }
    // What was compiled alone last lies where dependents look for it; only packages of the patch are ever changed.
    let rebuilt = !judged.rebuilt.is_empty() || judged.reverted.verdict != RevertedVerdict::NotRun;
    let changed: BTreeSet<usize> =
        session.scope.files.iter().flat_map(|file| session.modules.uses(&file.path)).map(|of| of.package).collect();
    let pristine = |package: usize| !rebuilt || session.workspace.dependencies_of(package).is_disjoint(&changed);
    let looked_at = &survivors[..survivors.len().min(MOST)];
    let many = text::count(looked_at.len(), "survivor");
    progress.status("Comparing", &format!("{many} with the original, as the optimiser sees both"));
    let compared = match compare_optimised(builder, looked_at, &pristine) {
        Err(_) if builder.ending.reached() => return Ok(None),
        compared => compared?,
    };
    for index in &compared.equivalent {
        if let Some(outcome) = judged.outcomes.get_mut(index) {
            outcome.reason = Some(REASON.to_owned());
        }
    }
    let cut = !compared.finished || looked_at.len() < survivors.len();
    Ok(cut.then(|| "not every survivor was compared with the original's optimised code".to_owned()))
}
