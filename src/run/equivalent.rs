//! Survivors that no test can kill, because the optimiser makes the same code of them as of the original.
//!
//! They stay survivors in every count; the reason says that nothing is missing. By default this may take a tenth of the
//! time that the run has taken, since it changes no decision; small crates are done in a moment.

use super::mutants::Judged;
use super::session::Session;
use crate::build::{Builder, compare_optimised};
use crate::error::Result;
use crate::policy::Equivalence;
use crate::report::model::{RevertedVerdict, Verdict};
use std::time::{Duration, Instant};

/// The reason of such a survivor.
pub const REASON: &str = "equivalent-by-compiler";

/// At most so many survivors are looked at: after more, a reader has other worries.
const MOST: usize = 40;

/// Without a wish of the user's: this, or a tenth of the time so far.
const LEAST: Duration = Duration::from_secs(1);

/// Marks the survivors that are the original to the optimiser. Says what a reader should know.
///
/// # Errors
/// When the compiler cannot be called.
pub fn mark(
    wanted: Equivalence,
    session: &Session,
    builder: &Builder<'_>,
    judged: &mut Judged,
    so_far: Duration,
) -> Result<Option<String>> {
    let until = match wanted {
        Equivalence::Never => return Ok(None),
        Equivalence::Auto => Some(Instant::now() + LEAST.max(so_far / 10)),
        Equivalence::Always => None,
    };
    let survived = judged.outcomes.iter().filter(|(_, outcome)| outcome.verdict == Verdict::Survived);
    let survivors: Vec<usize> = survived.map(|(index, _)| *index).collect();
    if survivors.is_empty() || builder.ending.reached() {
        return Ok(None);
    }
    // What was compiled alone last lies where dependents look for it.
    let rebuilt = !judged.rebuilt.is_empty() || judged.reverted.verdict != RevertedVerdict::NotRun;
    let pristine = |package: usize| !rebuilt || session.workspace.packages[package].dependencies.is_empty();
    let looked_at = &survivors[..survivors.len().min(MOST)];
    let compared = compare_optimised(builder, looked_at, &pristine, until)?;
    for index in &compared.equivalent {
        if let Some(outcome) = judged.outcomes.get_mut(index) {
            outcome.reason = Some(REASON.to_owned());
        }
    }
    let cut = !compared.finished || looked_at.len() < survivors.len();
    Ok((cut && wanted == Equivalence::Always)
        .then(|| "not every survivor was compared with the original's optimised code".to_owned()))
}
