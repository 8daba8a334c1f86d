//! Tests that notice a mutant in some runs and not in others, because their inputs are random or they depend on time.
//!
//! One run of such a test tells little: a mutant that it kills at the base and misses at the head looks as if the patch
//! had lost something. So a kill that only such tests make, and a mutant that only they might notice, is tried more
//! often, on both sides of the diff alike: a test that fails in half of the runs or more, and never without the mutant,
//! kills it; where it fails less often, the mutant is `flaky`.

use crate::campaign::{self, Job, Options, Outcome, Test};
use crate::exec::how::how;
use crate::exec::{End, Ending, Execute, Live, Ran, each};
use crate::report::model::{How, Verdict};
use crate::report::text::line;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a test that varies is tried on a mutant.
const TRIES: u32 = 8;

/// How often a test is tried that killed the mutant on the other side of the diff: one that notices it one time in five
/// misses it in 20 runs once in 90.
const TRIES_OF_KILLERS: u32 = 20;

/// Fewer tries, but no fewer than 3, when they would take longer than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// How tests ended on a mutant.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Seen {
    passed: u32,
    failed: u32,
}

impl Seen {
    fn add(&mut self, passed: bool) {
        if passed { self.passed += 1 } else { self.failed += 1 }
    }

    fn is_mixed(self) -> bool {
        self.passed > 0 && self.failed > 0
    }

    /// Whether the failures come again, as often as not.
    fn is_kill(self) -> bool {
        self.failed >= 2 && self.failed >= self.passed
    }
}

/// Runs tests and remembers how each ended on each woven mutant.
pub struct Watched<'a> {
    exec: &'a dyn Execute,
    /// By test and switch.
    seen: Mutex<BTreeMap<(usize, u64), Seen>>,
}

impl Execute for Watched<'_> {
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran {
        let ran = self.exec.run(worker, test, live, until);
        if let Live::Switch(switch) = live
            && counts(&ran)
        {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.entry((test, switch)).or_default().add(ran.end.passed());
        }
        ran
    }
}

/// Whether a run says something of its mutant, rather than of the machine.
fn counts(ran: &Ran) -> bool {
    match ran.end {
        End::Passed => true,
        End::Failed { .. } | End::Signal { .. } => ran.hit && !ran.starved && !ran.disk_full,
        // A busy machine ends a test too.
        End::TimedOut | End::CannotStart(_) => false,
    }
}

impl<'a> Watched<'a> {
    /// Watches what is run.
    pub fn new(exec: &'a dyn Execute) -> Self {
        Watched { exec, seen: Mutex::default() }
    }

    fn seen(&self, test: usize, switch: u64) -> Seen {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(&(test, switch)).copied().unwrap_or_default()
    }

    /// The tests that ended this way and that on one and the same mutant.
    fn mixed(&self) -> BTreeSet<usize> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().filter(|(_, seen)| seen.is_mixed()).map(|((test, _), _)| *test).collect()
    }
}

/// What a second look is made with.
pub struct SecondLook<'a> {
    /// Runs tests; has run the campaign.
    pub exec: &'a Watched<'a>,
    /// The tests in use.
    pub tests: &'a [Test],
    /// The campaign's mutants, all of them woven.
    pub jobs: &'a [Job],
    /// Tests that were seen to fail without a mutant: they prove nothing.
    pub failing: &'a BTreeSet<usize>,
    /// The tests that killed a mutant on the other side of the diff, by job: they are asked for more than one run before
    /// it is said to live here.
    pub killers: &'a BTreeMap<usize, BTreeSet<usize>>,
    /// How.
    pub options: Options,
    /// When to stop.
    pub ending: &'a Ending,
}

impl SecondLook<'_> {
    /// Looks again at the mutants whose verdicts rest on tests that vary, or differ from the other side's. Returns the
    /// tests that were seen to fail without a mutant, then or now.
    pub fn take(&self, outcomes: &mut [Outcome]) -> BTreeSet<usize> {
        let mut mixed: BTreeSet<usize> = self.exec.mixed().difference(self.failing).copied().collect();
        let mut failing = self.failing.clone();
        failing.extend(self.unsteady(&mixed));
        mixed.retain(|test| !failing.contains(test));
        let unsure: BTreeSet<usize> = mixed.union(&failing).copied().collect();
        let (mut killed, mut others) = (Vec::new(), Vec::new());
        for (job, outcome) in outcomes.iter().enumerate() {
            let reached = || outcome.executed_by.iter().any(|test| unsure.contains(test));
            match outcome.verdict {
                Verdict::Killed if outcome.killed_by.iter().all(|(test, _)| unsure.contains(test)) => killed.push(job),
                Verdict::Flaky if reached() => killed.push(job),
                Verdict::Survived if reached() || self.killers.contains_key(&job) => others.push(job),
                Verdict::Unexecuted if self.killers.contains_key(&job) => others.push(job),
                Verdict::Killed | Verdict::Flaky | Verdict::Survived | Verdict::Unexecuted => {}
                Verdict::Timeout | Verdict::Invalid | Verdict::Excused | Verdict::Unverified => {}
            }
        }
        // The others have passed all of the tests that do not vary.
        let open = self.without(killed, &unsure, outcomes);
        let open: Vec<usize> = open.into_iter().chain(others).collect();
        let looked = each(self.options.jobs, open.len(), self.ending, |worker, index| {
            self.look(worker, open[index], &mixed, &failing)
        });
        for (job, looked) in open.into_iter().zip(looked) {
            let outcome = &mut outcomes[job];
            (outcome.verdict, outcome.killed_by, outcome.reason) = match looked {
                Some(Looked::Kills(test, how)) => (Verdict::Killed, vec![(test, how)], None),
                Some(Looked::Varies(reason)) => (Verdict::Flaky, Vec::new(), Some(reason)),
                None => continue,
            };
        }
        failing
    }

    /// Which of some tests fail without a mutant now and then.
    fn unsteady(&self, tests: &BTreeSet<usize>) -> BTreeSet<usize> {
        let tests: Vec<usize> = tests.iter().copied().collect();
        let failed = each(self.options.jobs, tests.len(), self.ending, |worker, index| {
            let test = tests[index];
            let mut runs = 0..tries(TRIES_OF_KILLERS, self.tests[test].duration);
            runs.find_map(|_| match self.exec.run(worker, test, Live::Off, self.ending.deadline()).end {
                End::Passed | End::TimedOut | End::CannotStart(_) => None,
                End::Failed { .. } | End::Signal { .. } => Some(test),
            })
        });
        failed.into_iter().flatten().collect()
    }

    /// Judges mutants by the tests that do not vary; returns those that none of these kills.
    fn without(&self, jobs: Vec<usize>, unsure: &BTreeSet<usize>, outcomes: &mut [Outcome]) -> Vec<usize> {
        let reduced: Vec<Job> = jobs.iter().map(|job| without(&self.jobs[*job], unsure)).collect();
        let run = campaign::verdicts(self.exec, self.tests, &reduced, self.options, self.ending, &());
        let mut open = Vec::new();
        for (job, again) in jobs.into_iter().zip(run.outcomes) {
            match again.verdict {
                Verdict::Killed | Verdict::Timeout => {
                    let executed_by = std::mem::take(&mut outcomes[job].executed_by);
                    outcomes[job] = Outcome { executed_by, ..again };
                }
                Verdict::Survived
                | Verdict::Unexecuted
                | Verdict::Invalid
                | Verdict::Flaky
                | Verdict::Excused
                | Verdict::Unverified => open.push(job),
            }
        }
        open
    }

    /// What more runs of a mutant show; `None` when nothing fails, or the end came first.
    fn look(&self, worker: usize, job: usize, mixed: &BTreeSet<usize>, failing: &BTreeSet<usize>) -> Option<Looked> {
        let Job::Woven { switch, executed_by, .. } = &self.jobs[job] else { return None };
        let killers = self.killers.get(&job).into_iter().flatten().map(|test| (*test, TRIES_OF_KILLERS));
        let asked = executed_by.iter().filter(|test| mixed.contains(test)).map(|test| (*test, TRIES));
        // A killer's number of tries replaces the smaller one.
        let asked: BTreeMap<usize, u32> = asked.chain(killers).filter(|(test, _)| !failing.contains(test)).collect();
        let mut doubt = None;
        for (test, most) in asked {
            let most = tries(most, self.tests[test].duration);
            let mut seen = self.exec.seen(test, *switch);
            let mut last = None;
            while seen.passed + seen.failed < most || last.is_none() && seen.is_kill() {
                let ran = self.exec.run(worker, test, Live::Switch(*switch), self.ending.deadline());
                if self.ending.reached() {
                    return None;
                }
                if !counts(&ran) {
                    break;
                }
                seen.add(ran.end.passed());
                last = if ran.end.passed() { last } else { Some(how(&ran, &self.tests[test].name)) };
                if seen.passed + seen.failed > 2 * most {
                    break;
                }
            }
            if let Some(how) = last.filter(|_| seen.is_kill()) {
                return Some(Looked::Kills(test, how));
            }
            if seen.failed > 0 {
                doubt =
                    Some(Looked::Varies(format!("`{}` notices it in some runs and not in others", self.name(test))));
            }
        }
        let unproven = executed_by.iter().find(|test| failing.contains(test));
        doubt.or_else(|| {
            let said =
                |test: &usize| format!("`{}` executes it, and fails without a mutant now and then", self.name(*test));
            unproven.map(|test| Looked::Varies(said(test)))
        })
    }

    fn name(&self, test: usize) -> String {
        line(&self.tests[test].name)
    }
}

/// What more runs of a mutant show.
enum Looked {
    /// A test fails on it in at least half of the runs, and never without it.
    Kills(usize, How),
    /// Its outcome does not reproduce; a sentence.
    Varies(String),
}

/// A mutant that some tests are not asked about.
fn without(job: &Job, tests: &BTreeSet<usize>) -> Job {
    match job {
        Job::Woven { switch, executed_by, place } => {
            let executed_by = executed_by.iter().filter(|test| !tests.contains(test)).copied().collect();
            Job::Woven { switch: *switch, executed_by, place: *place }
        }
        Job::Rebuilt { .. } => job.clone(),
    }
}

/// As many runs of a test as patience allows, at least 3.
fn tries(most: u32, duration: Duration) -> u32 {
    let allowed = PATIENCE.as_millis() / duration.as_millis().max(1);
    u32::try_from(allowed).unwrap_or(most).clamp(3, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn ran(passed: bool) -> Ran {
        Ran {
            end: if passed { End::Passed } else { End::Failed { code: 101 } },
            duration: Duration::from_millis(1),
            hit: true,
            limit: false,
            began: true,
            starved: false,
            disk_full: false,
            output: Vec::new(),
        }
    }

    /// Says by test, switch (0 for none) and the number of the run on it, from 0, whether a test passes.
    struct Rule<F>(F, Mutex<BTreeMap<(usize, u64), u32>>, AtomicU32);

    impl<F: Fn(usize, u64, u32) -> bool + Sync> Execute for Rule<F> {
        fn run(&self, _worker: usize, test: usize, live: Live<'_>, _until: Option<Instant>) -> Ran {
            let switch = if let Live::Switch(switch) = live { switch } else { 0 };
            self.2.fetch_add(1, Ordering::Relaxed);
            let mut runs = self.1.lock().unwrap();
            let number = runs.entry((test, switch)).or_default();
            *number += 1;
            ran(self.0(test, switch, *number - 1))
        }
    }

    /// A campaign of two tests and mutants executed by both, and a second look; the verdicts with their killers.
    fn verdicts(
        rule: impl Fn(usize, u64, u32) -> bool + Sync,
        switches: &[u64],
        failing: &[usize],
        killers: &[(usize, usize)],
    ) -> Vec<(Verdict, Vec<usize>)> {
        let rule = Rule(rule, Mutex::default(), AtomicU32::new(0));
        let exec = Watched::new(&rule);
        let test = |name: &str| Test { name: name.into(), duration: Duration::from_millis(1) };
        let tests = [test("random"), test("fixed")];
        let jobs: Vec<Job> = (switches.iter())
            .map(|switch| Job::Woven { switch: *switch, executed_by: vec![0, 1], place: *switch as usize })
            .collect();
        let (options, ending) = (Options { jobs: 1, exhaustive: false }, Ending::default());
        let mut outcomes = campaign::verdicts(&exec, &tests, &jobs, options, &ending, &()).outcomes;
        let mut by_job: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        killers.iter().for_each(|(job, test)| {
            by_job.entry(*job).or_default().insert(*test);
        });
        let failing = failing.iter().copied().collect();
        let look = SecondLook {
            exec: &exec,
            tests: &tests,
            jobs: &jobs,
            failing: &failing,
            killers: &by_job,
            options,
            ending: &ending,
        };
        look.take(&mut outcomes);
        let tests = |killed_by: Vec<(usize, How)>| killed_by.into_iter().map(|(test, _)| test).collect();
        outcomes.into_iter().map(|outcome| (outcome.verdict, tests(outcome.killed_by))).collect()
    }

    #[test]
    fn a_test_with_random_inputs_kills_what_it_notices_in_half_of_the_runs_whatever_the_first_ones_said() {
        // Mutant 1 shows that the test varies; the first runs on mutants 2 and 3 were lucky and unlucky.
        let rule = |test: usize, switch, run| match (test, switch) {
            (0, 1) => run != 0,
            (0, 2) => run > 1,
            (0, 3) => run == 0,
            _ => true,
        };
        let found = verdicts(rule, &[1, 2, 3], &[], &[]);
        assert_eq!(found, [(Verdict::Flaky, vec![]), (Verdict::Flaky, vec![]), (Verdict::Killed, vec![0])]);
    }

    #[test]
    fn a_kill_by_a_test_that_does_not_vary_outweighs_and_one_that_comes_every_time_stays() {
        let rule = |test: usize, switch, run| match (test, switch) {
            (0, 1) => run != 0,
            (0, 2) => run > 2,
            (1, 2) | (0, 3) => false,
            _ => true,
        };
        let found = verdicts(rule, &[1, 2, 3], &[], &[]);
        assert_eq!(found, [(Verdict::Flaky, vec![]), (Verdict::Killed, vec![1]), (Verdict::Killed, vec![0])]);
    }

    #[test]
    fn a_mutant_that_was_killed_on_the_other_side_is_tried_again_before_it_is_said_to_live() {
        let rule = |test: usize, switch, run| (test, switch, run) != (0, 1, 9);
        assert_eq!(verdicts(rule, &[1], &[], &[])[0].0, Verdict::Survived);
        assert_eq!(verdicts(rule, &[1], &[], &[(0, 0)])[0].0, Verdict::Flaky);
        let unlucky = |test: usize, switch, run| (test, switch) != (0, 1) || run == 0;
        assert_eq!(verdicts(unlucky, &[1], &[], &[])[0].0, Verdict::Survived);
        assert_eq!(verdicts(unlucky, &[1], &[], &[(0, 0)])[0], (Verdict::Killed, vec![0]));
        assert_eq!(verdicts(|_, _, _| true, &[1], &[], &[(0, 0)])[0].0, Verdict::Survived);
    }

    #[test]
    fn a_test_that_varies_without_a_mutant_too_proves_nothing() {
        // It fails on the mutant now and then, and later without one.
        let rule = |test: usize, switch, run| match (test, switch) {
            (0, 1) => run != 0,
            (0, 2) => false,
            (0, 0) => run != 30,
            _ => true,
        };
        let found = verdicts(rule, &[1, 2], &[], &[]);
        assert_eq!(found, [(Verdict::Flaky, vec![]), (Verdict::Flaky, vec![])]);
    }

    #[test]
    fn a_test_that_fails_without_a_mutant_neither_kills_nor_lets_live() {
        let kills = |test: usize, switch, _| (test, switch) != (0, 1);
        assert_eq!(verdicts(kills, &[1], &[], &[]), [(Verdict::Killed, vec![0])]);
        assert_eq!(verdicts(kills, &[1], &[0], &[]), [(Verdict::Flaky, vec![])]);
        assert_eq!(verdicts(|_, _, _| true, &[1], &[0], &[]), [(Verdict::Flaky, vec![])]);
        let both = |_: usize, switch, _| switch != 1;
        assert_eq!(verdicts(both, &[1], &[0], &[]), [(Verdict::Killed, vec![1])]);
    }

    #[test]
    fn where_nothing_varies_nothing_is_run_again() {
        let rule = Rule(|test: usize, switch: u64, _| (test, switch) != (1, 1), Mutex::default(), AtomicU32::new(0));
        let exec = Watched::new(&rule);
        let tests =
            [Test { name: "t".into(), duration: Duration::ZERO }, Test { name: "u".into(), duration: Duration::ZERO }];
        let jobs = [1, 2].map(|switch| Job::Woven { switch, executed_by: vec![0, 1], place: 0 });
        let (options, ending) = (Options { jobs: 1, exhaustive: false }, Ending::default());
        let mut outcomes = campaign::verdicts(&exec, &tests, &jobs, options, &ending, &()).outcomes;
        let before = rule.2.load(Ordering::Relaxed);
        let (failing, killers) = (BTreeSet::new(), BTreeMap::new());
        SecondLook {
            exec: &exec,
            tests: &tests,
            jobs: &jobs,
            failing: &failing,
            killers: &killers,
            options,
            ending: &ending,
        }
        .take(&mut outcomes);
        assert_eq!(rule.2.load(Ordering::Relaxed), before);
    }

    #[test]
    fn slow_tests_are_tried_less_often() {
        assert_eq!(tries(20, Duration::from_millis(1)), 20);
        assert_eq!(tries(20, Duration::from_millis(100)), 10);
        assert_eq!(tries(20, Duration::from_secs(9)), 3);
    }
}
