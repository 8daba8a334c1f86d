//! Tests that fail now and then, although they passed every time before the campaign.
//!
//! Three good runs do not prove much: a test that fails one time in five passes them every second time, and could then
//! be credited with kills that are its own doing. So all tests run again and again without a mutant, as often as fits in
//! a little time, killers first. Whoever fails even once may not kill, and the run ends as one with a flaky baseline.

use super::Test;
use crate::exec::{End, Ending, Execute, Live, each};
use std::time::{Duration, Instant};

/// With this many further runs a test that fails one time in five gets through once in four thousand times.
const ENOUGH: usize = 37;

/// Runs every test without a mutant until it has failed, has passed often enough, or `time` is over; in rounds, so that
/// the time is shared. `killers` go first, and with `alone` nobody else is run. Gives the tests that failed.
pub fn unsteady(
    exec: &dyn Execute,
    tests: &[Test],
    killers: &[usize],
    alone: bool,
    jobs: usize,
    time: Duration,
    ending: &Ending,
) -> Vec<usize> {
    let end = Instant::now() + time;
    let mut order: Vec<usize> = (0..tests.len()).filter(|test| !alone || killers.contains(test)).collect();
    order.sort_by_key(|test| (!killers.contains(test), tests[*test].duration));
    let mut failed: Vec<usize> = Vec::new();
    for _ in 0..ENOUGH {
        let open: Vec<usize> = order.iter().copied().filter(|test| !failed.contains(test)).collect();
        let ran = each(jobs, open.len(), ending, |worker, index| {
            let test = open[index];
            // a run that would end after the time is not begun
            let fits = Instant::now() + tests[test].duration < end;
            let ran = fits.then(|| exec.run(worker, test, Live::Off, ending.deadline()));
            ran.filter(|_| !ending.reached()).map(|ran| failure(&ran.end).then_some(test))
        });
        let began = ran.iter().flatten().next().is_some();
        failed.extend(ran.into_iter().flatten().flatten());
        if !began {
            break;
        }
    }
    failed.sort_unstable();
    failed
}

/// A process that cannot be started says nothing about the test.
fn failure(end: &End) -> bool {
    match end {
        End::Passed | End::CannotStart(_) => false,
        End::Failed { .. } | End::Signal { .. } | End::TimedOut => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{Fake, fails, passes};
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn tests(count: usize) -> Vec<Test> {
        (0..count).map(|index| Test { name: format!("t{index}"), duration: Duration::ZERO }).collect()
    }

    #[test]
    fn a_test_that_fails_now_and_then_is_found_and_not_run_any_more() {
        let runs = AtomicUsize::new(0);
        let exec = Fake::rule(move |test, _| match test {
            1 if runs.fetch_add(1, Ordering::Relaxed) == 6 => fails(),
            _ => passes(),
        });
        let found = unsteady(&exec, &tests(3), &[], false, 1, Duration::from_secs(60), &Ending::default());
        assert_eq!(found, [1]);
        let count = |wanted| exec.calls().iter().filter(|(test, _)| *test == wanted).count();
        assert_eq!((count(0), count(1)), (ENOUGH, 7));
    }

    #[test]
    fn killers_go_first_and_what_does_not_fit_in_the_time_is_left_out() {
        let exec = Fake::kills(&[]);
        let mut tests = tests(3);
        tests[0].duration = Duration::from_secs(120);
        unsteady(&exec, &tests, &[2], false, 1, Duration::from_secs(60), &Ending::default());
        let calls: Vec<usize> = exec.calls().into_iter().map(|(test, _)| test).collect();
        assert_eq!((&calls[..2], calls.contains(&0)), (&[2, 1][..], false));
    }

    #[test]
    fn killers_alone_are_run_where_nobody_else_is_asked_for() {
        let exec = Fake::rule(|test, _| if test == 0 { fails() } else { passes() });
        let found = unsteady(&exec, &tests(3), &[2], true, 1, Duration::from_secs(60), &Ending::default());
        assert!(found.is_empty());
        assert_eq!(exec.calls(), vec![(2, 0); ENOUGH]);
    }

    #[test]
    fn without_time_nothing_runs() {
        let exec = Fake::kills(&[]);
        assert!(unsteady(&exec, &tests(2), &[], false, 2, Duration::ZERO, &Ending::default()).is_empty());
        assert!(exec.calls().is_empty());
    }
}
