//! The first baseline run without nextest: the same commands and environment, one process a test.

use super::built::Built;
use super::context::{Context, missing};
use super::environment;
use super::list::{Harness, Listing};
use super::record::Recording;
use crate::error::{Context as _, Error, Result};
use crate::exec::notes::Trace;
use crate::exec::{Confinement, Ending, Limits, Live, Pool, Recorded, each};
use crate::test_id::TestId;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

/// Runs the tests once, each at most `wall` long. The recordings come in the order of `tests`; when `ending` comes
/// early, some are missing.
///
/// # Errors
/// When a test is not listed, lives in a harness of its own (nextest is needed then), or its trace cannot be read.
pub fn record(
    context: &Context,
    built: &Built,
    listing: &Listing,
    tests: &[TestId],
    pool: &Pool,
    wall: Duration,
    ending: &Ending,
) -> Result<Vec<Recording>> {
    let commands = tests.iter().map(|id| command(context, built, listing, id)).collect::<Result<Vec<_>>>()?;
    let dir = context.scratch.join("traces");
    let preparing = || format!("prepare the baseline in `{dir}`");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).doing(preparing)?;
    let limits = Limits { wall, hits: None, memory: None };
    let recordings = each(pool.size(), tests.len(), ending, |worker, index| {
        let file = dir.join(index.to_string());
        let recorded = commands[index].clone();
        // as under nextest; whether it bears confinement is for the repetitions to find out
        let free = Recorded { confinement: Confinement::Off, ..recorded.clone() };
        let ran = pool.run(worker, &free, Live::Traced(file.as_std_path()), limits);
        let trace = Trace::read(file.as_std_path()).doing(|| format!("read the trace of `{}`", tests[index]));
        (!ending.reached()).then(|| {
            let (end, duration, output) = (ran.end, ran.duration, ran.output);
            trace.map(|trace| Recording { id: tests[index].clone(), recorded, end, duration, trace, output })
        })
    });
    recordings.into_iter().flatten().collect()
}

/// The command as nextest would run it.
fn command(context: &Context, built: &Built, listing: &Listing, id: &TestId) -> Result<Recorded> {
    let unknown = || Error::new(format!("run the test `{id}`"), "no binary of this build lists it");
    let binary = built.binary(&id.binary_id).ok_or_else(unknown)?;
    let listed = listing.get(id).ok_or_else(unknown)?;
    if listing.harness(&id.binary_id) == Some(Harness::Custom) {
        return Err(missing(&format!("`{}` has a test harness of its own", id.binary_id)));
    }
    let runner = if binary.target_kind == "proc-macro" { &context.host_runner } else { &context.runner };
    let mut argv: Vec<OsString> = runner.iter().map(OsString::from).collect();
    argv.extend([binary.path.as_str(), "--exact", &id.name, "--nocapture"].map(OsString::from));
    if listed.ignored {
        argv.push("--ignored".into());
    }
    let mut env: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for key in environment::of_an_outer_nextest().iter().chain(&context.withheld) {
        env.remove(key);
    }
    env.extend(environment::for_tests(context, built, binary));
    let cwd = binary.package_dir.clone().into_std_path_buf();
    Ok(Recorded {
        argv,
        cwd,
        env: env.into_iter().collect(),
        group: None,
        confinement: Confinement::Full,
        by_nextest: false,
    })
}
