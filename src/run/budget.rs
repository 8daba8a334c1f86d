//! `--cap 8x`: how long one x is.
//!
//! One x is the plain build of the test targets in use plus one run of the patch's tests. It is measured, not guessed:
//! the unmutated tree is built first, through the same wrapper but with nothing woven, so that cargo has to compile
//! exactly the crates that a user who has just made the patch would wait for (a user's own finished build would make one
//! x next to nothing). The measuring belongs to the run and counts against the budget.

use super::judge::Wanted;
use super::progress::Progress;
use super::session::Session;
use super::stage::Stage;
use super::test_delta;
use crate::build::Builder;
use crate::delta::Candidates;
use crate::error::Result;
use crate::exec::Ending;
use crate::runner;
use crate::test_id::TestId;
use std::time::{Duration, Instant};

/// How the note begins that says how long one x is.
pub const NOTE: &str = "one x of the cap is";

/// Builds the unmutated tree, runs the patch's tests once, and says how long that took together.
///
/// # Errors
/// When the tree does not compile, the tests cannot be found or run, or the run ends first.
pub fn one_x(
    session: &Session,
    stage: &Stage,
    builder: &Builder<'_>,
    candidates: &Candidates,
    wanted: &Wanted,
    ending: &Ending,
    progress: &Progress,
) -> Result<Duration> {
    progress.status("Measuring", "the plain build and one run of the tests, which the budget is a multiple of");
    let started = Instant::now();
    let messages = builder.build_unwoven()?;
    let build = started.elapsed();
    let built = stage.built(session, &messages);
    let listing = runner::list(stage.context(), &built, wanted.jobs);
    let delta = test_delta::resolve(session, candidates, builder, &listing)?;
    let ids: Vec<TestId> = delta.tests.iter().map(|entry| entry.test.id.clone()).collect();
    if ids.is_empty() {
        return Ok(build);
    }
    let started = Instant::now();
    stage.record(wanted, &built, &listing, &ids, ending)?;
    Ok(build + started.elapsed())
}
