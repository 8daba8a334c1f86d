//! Which test goes first on a mutant: the likeliest killer, and among equals the shortest.
//!
//! The first mutant of every function is tried without any knowledge; who killed it is the best guess for the others
//! of that function. The order has to be the same in every run, or reports would name other killers each time: it is
//! learned at one fixed point of the campaign, and durations count only by their order of magnitude.

use super::Setting;
use super::judge::Judged;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What is known of the tests.
#[derive(Debug, Default)]
pub struct Order {
    /// Kills by test and place.
    here: BTreeMap<(usize, usize), usize>,
    /// Kills by test.
    anywhere: BTreeMap<usize, usize>,
    /// How many mutants each test executes.
    breadth: BTreeMap<usize, usize>,
}

impl Order {
    /// What can be known before anything has run.
    pub fn of(setting: Setting<'_>) -> Order {
        let mut order = Order::default();
        for test in setting.jobs.iter().flat_map(|job| job.tests()) {
            *order.breadth.entry(*test).or_default() += 1;
        }
        order
    }

    /// The first mutant of every place, and the others.
    pub fn rounds(setting: Setting<'_>) -> [Vec<usize>; 2] {
        let mut seen = BTreeSet::new();
        let (first, rest) = (0..setting.jobs.len()).partition(|&job| seen.insert(setting.jobs[job].place()));
        [first, rest]
    }

    /// Learns from the kill of a mutant.
    pub fn learn(&mut self, place: usize, judged: &Judged) {
        for (test, _) in &judged.outcome.killed_by {
            *self.here.entry((*test, place)).or_default() += 1;
            *self.anywhere.entry(*test).or_default() += 1;
        }
    }

    /// The tests of a job in the order in which they are tried.
    pub fn sorted(&self, setting: Setting<'_>, job: usize) -> Vec<usize> {
        let job = &setting.jobs[job];
        let mut tests = job.tests().to_vec();
        tests.sort_by_key(|&test| {
            let magnitude = magnitude(setting.tests[test].duration);
            let here = self.here.get(&(test, job.place())).copied().unwrap_or(0);
            let anywhere = self.anywhere.get(&test).copied().unwrap_or(0);
            // nothing is likely enough to wait a second for while there is something quick to try
            (magnitude > 0, Reverse(here), magnitude, Reverse(anywhere), self.breadth.get(&test).copied(), test)
        });
        tests
    }
}

/// 0 below a second, 1 below ten seconds …: coarse, because a busy machine makes everything slower.
fn magnitude(duration: Duration) -> u32 {
    duration.as_secs().checked_ilog10().map_or(0, |tens| tens + 1)
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::super::{Job, Options, Test, run};
    use super::*;
    use crate::exec::Ending;

    fn order(exec: &Fake, durations: &[u64], jobs: &[(u64, usize, &[usize])]) -> Vec<(usize, u64)> {
        let test = |ms: &u64| Test { name: "t".into(), duration: Duration::from_millis(*ms) };
        let tests: Vec<_> = durations.iter().map(test).collect();
        let job =
            |&(switch, place, tests): &(u64, usize, &[usize])| Job::Woven { switch, executed_by: tests.into(), place };
        let jobs: Vec<_> = jobs.iter().map(job).collect();
        run(exec, &tests, &jobs, Options { jobs: 1, exhaustive: false }, &Ending::default(), &());
        exec.calls()
    }

    #[test]
    fn who_killed_one_mutant_of_a_function_goes_first_on_the_others() {
        let exec = Fake::kills(&[(2, 1), (2, 2), (0, 3)]);
        let calls = order(&exec, &[1, 1, 1], &[(1, 0, &[0, 1, 2]), (2, 0, &[0, 1, 2]), (3, 1, &[0, 1, 2])]);
        let first = |switch| calls.iter().find(|call| call.1 == switch).unwrap().0;
        assert_eq!((first(1), first(2), first(3)), (0, 2, 0));
    }

    #[test]
    fn a_test_that_takes_seconds_waits_for_the_quick_ones_and_few_milliseconds_do_not_matter() {
        let calls = order(&Fake::kills(&[]), &[3_000, 90, 4], &[(1, 0, &[0, 1, 2])]);
        assert_eq!(calls.iter().map(|call| call.0).collect::<Vec<_>>(), [1, 2, 0]);
    }

    #[test]
    fn among_equals_the_test_that_executes_least_is_nearest() {
        let calls = order(&Fake::kills(&[]), &[1, 1], &[(1, 0, &[0, 1]), (2, 1, &[0])]);
        assert_eq!(calls[0], (1, 1));
    }
}
