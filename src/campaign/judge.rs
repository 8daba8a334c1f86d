//! The verdict of each mutant: its tests one after the other, likeliest killer first, until one kills it.

use super::order::Order;
use super::shot::{Shot, shoot};
use super::{Job, Outcome, Progress, Setting};
use crate::exec::each;
use crate::exec::how::Exceeded;
use crate::report::model::{How, Verdict};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A verdict, and which tests it rests on.
#[derive(Debug)]
pub struct Judged {
    /// The verdict.
    pub outcome: Outcome,
    /// The tests that were run on the mutant.
    pub ran: BTreeSet<usize>,
}

/// Judges all mutants.
pub fn all(setting: Setting<'_>, progress: &dyn Progress) -> Vec<Judged> {
    let tally = Tally::default();
    let mut all: Vec<Option<Judged>> = setting.jobs.iter().map(|_| None).collect();
    let mut order = Order::of(setting);
    for round in Order::rounds(setting) {
        let judged = each(setting.options.jobs, round.len(), setting.ending, |worker, index| {
            let judged = one(setting, &order, worker, round[index]);
            if judged.outcome.verdict != Verdict::Unverified {
                tally.count(judged.outcome.verdict, progress);
            }
            Some(judged)
        });
        for (job, judged) in round.into_iter().zip(judged) {
            if let Some(judged) = &judged {
                order.learn(setting.jobs[job].place(), judged);
            }
            all[job] = judged;
        }
    }
    all.into_iter().zip(setting.jobs).map(|(judged, job)| judged.unwrap_or_else(|| untouched(job))).collect()
}

/// Counts verdicts for the progress.
#[derive(Default)]
struct Tally {
    done: AtomicUsize,
    killed: AtomicUsize,
    survived: AtomicUsize,
}

impl Tally {
    fn count(&self, verdict: Verdict, progress: &dyn Progress) {
        let (killed, survived) = match verdict {
            Verdict::Killed | Verdict::Timeout => (1, 0),
            Verdict::Survived | Verdict::Unexecuted | Verdict::Excused => (0, 1),
            Verdict::Invalid | Verdict::Flaky | Verdict::Unverified => (0, 0),
        };
        let add = |counter: &AtomicUsize, more| counter.fetch_add(more, Ordering::Relaxed) + more;
        progress.done(add(&self.done, 1), add(&self.killed, killed), add(&self.survived, survived));
    }
}

fn untouched(job: &Job) -> Judged {
    let findings = Findings { ended: true, ..Findings::default() };
    Judged { outcome: findings.outcome(job, Duration::ZERO), ran: BTreeSet::new() }
}

fn one(setting: Setting<'_>, order: &Order, worker: usize, index: usize) -> Judged {
    let job = &setting.jobs[index];
    if let Some(outcome) = setting.known.outcomes.get(&index) {
        return Judged { outcome: outcome.clone(), ran: BTreeSet::new() };
    }
    let started = Instant::now();
    let mut findings = Findings::default();
    let mut ran = BTreeSet::new();
    for test in order.sorted(setting, index) {
        let shot = shoot(setting, worker, index, test);
        if shot == Shot::Ended {
            findings.ended = true;
            break;
        }
        ran.insert(test);
        findings.add(test, shot);
        if !findings.dead.is_empty() && !setting.options.exhaustive {
            break;
        }
    }
    Judged { outcome: findings.outcome(job, started.elapsed()), ran }
}

/// What the tests made of one mutant so far.
#[derive(Debug, Default)]
struct Findings {
    dead: Vec<(usize, How, Option<Exceeded>)>,
    unstable: Option<String>,
    stillborn: Option<String>,
    ended: bool,
}

impl Findings {
    fn add(&mut self, test: usize, shot: Shot) {
        match shot {
            Shot::Passed | Shot::Ended => {}
            Shot::Dead { how, limit } => self.dead.push((test, how, limit)),
            Shot::Unstable(why) => self.unstable = self.unstable.take().or(Some(why)),
            Shot::Stillborn(why) => self.stillborn = self.stillborn.take().or(Some(why)),
        }
    }

    /// A proven kill outweighs everything. Without one, an early end leaves the question open; then doubt outweighs
    /// a pass.
    fn outcome(self, job: &Job, duration: Duration) -> Outcome {
        let limits: Option<Vec<Exceeded>> = self.dead.iter().map(|(_, _, limit)| *limit).collect();
        let (verdict, reason) = match limits {
            None => (Verdict::Killed, None),
            Some(limits) if !limits.is_empty() => (Verdict::Timeout, Some(limits[0].word().to_owned())),
            Some(_) if job.is_traced() && job.tests().is_empty() => (Verdict::Unexecuted, None),
            Some(_) if self.ended => (Verdict::Unverified, None),
            Some(_) => match (self.unstable, self.stillborn) {
                (Some(why), _) => (Verdict::Flaky, Some(why)),
                (None, Some(why)) => (Verdict::Invalid, Some(why)),
                (None, None) if job.is_traced() => (Verdict::Survived, None),
                (None, None) => (Verdict::Survived, Some("not traced".to_owned())),
            },
        };
        let killed_by: Vec<_> = self.dead.into_iter().map(|(test, how, _)| (test, how)).collect();
        let executed_by = match job {
            Job::Woven { executed_by, .. } => executed_by.clone(),
            Job::Rebuilt { .. } => killed_by.iter().map(|(test, _)| *test).collect(),
        };
        Outcome { verdict, killed_by, executed_by, reason, duration }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{Fake, fails, passes, with};
    use super::super::{Known, NOTHING, Options, Test, run};
    use super::*;
    use crate::exec::{End, Ending, Live};
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    /// Tests whose slowest baseline runs took so many milliseconds.
    fn tests(durations: &[u64]) -> Vec<Test> {
        let test =
            |(index, ms): (usize, &u64)| Test { name: format!("t{index}"), duration: Duration::from_millis(*ms) };
        durations.iter().enumerate().map(test).collect()
    }

    fn woven(switch: u64, executed_by: &[usize]) -> Job {
        Job::Woven { switch, executed_by: executed_by.to_vec(), place: 0 }
    }

    const ONE: Options = Options { jobs: 1, exhaustive: false };

    fn verdicts(exec: &Fake, durations: &[u64], jobs: &[Job], options: Options) -> Vec<Outcome> {
        let setting = Setting {
            exec,
            tests: &tests(durations),
            jobs,
            options,
            ending: &Ending::default(),
            varying: &Mutex::default(),
            turns: &super::super::turns::Turns::new(durations.len()),
            known: NOTHING,
        };
        all(setting, &()).into_iter().map(|judged| judged.outcome).collect()
    }

    #[test]
    fn the_cheapest_test_goes_first_and_the_first_kill_is_the_last_run() {
        let exec = Fake::kills(&[(2, 7)]);
        let outcomes = verdicts(&exec, &[3_000, 10, 200], &[woven(7, &[0, 1, 2])], ONE);
        assert_eq!(exec.calls(), [(1, 7), (2, 7), (2, 0), (2, 7)]);
        assert_eq!((outcomes[0].verdict, &outcomes[0].killed_by[..]), (Verdict::Killed, &[(2, How::Assertion)][..]));
        assert_eq!(outcomes[0].executed_by, [0, 1, 2]);
    }

    #[test]
    fn exhaustive_runs_every_test_and_names_every_killer() {
        let exec = Fake::kills(&[(0, 7), (2, 7)]);
        let outcomes = verdicts(&exec, &[1, 2, 3], &[woven(7, &[0, 1, 2])], Options { exhaustive: true, ..ONE });
        assert_eq!(outcomes[0].killed_by, [(0, How::Assertion), (2, How::Assertion)]);
    }

    #[test]
    fn a_mutant_that_no_test_executes_costs_nothing() {
        let exec = Fake::kills(&[]);
        let outcomes = verdicts(&exec, &[1], &[woven(7, &[])], ONE);
        assert_eq!((outcomes[0].verdict, exec.calls().len()), (Verdict::Unexecuted, 0));
    }

    #[test]
    fn executed_and_passed_everywhere_is_survived() {
        let outcomes = verdicts(&Fake::kills(&[]), &[1, 1], &[woven(7, &[0, 1])], ONE);
        assert_eq!((outcomes[0].verdict, outcomes[0].reason.clone()), (Verdict::Survived, None));
    }

    #[test]
    fn a_doubtful_failure_makes_it_flaky_unless_another_test_kills_it() {
        let doubtful = |kill: bool| {
            Fake::rule(move |test, live| match (test, live) {
                (0, Live::Switch(_)) => Ran { hit: false, ..fails() },
                (1, Live::Switch(_)) if kill => fails(),
                _ => passes(),
            })
        };
        use crate::exec::Ran;
        let verdict = |kill| verdicts(&doubtful(kill), &[1, 2], &[woven(7, &[0, 1])], ONE)[0].verdict;
        assert_eq!(verdict(false), Verdict::Flaky);
        assert_eq!(verdict(true), Verdict::Killed);
    }

    #[test]
    fn a_limit_exceeded_is_a_timeout_with_its_reason() {
        let exec = Fake::rule(|_, live| match live {
            Live::Switch(1) => with(End::TimedOut),
            Live::Switch(_) => crate::exec::Ran { limit: true, ..with(End::Signal { number: 6 }) },
            Live::Off | Live::Traced(_) | Live::Binaries(_) => passes(),
        });
        let outcomes = verdicts(&exec, &[1], &[woven(1, &[0]), woven(2, &[0])], ONE);
        let said: Vec<_> = outcomes.iter().map(|o| (o.verdict, o.reason.as_deref(), o.killed_by[0].1)).collect();
        let expected = [("time", How::Timeout), ("hits", How::Timeout)];
        assert_eq!(said, expected.map(|(word, how)| (Verdict::Timeout, Some(word), how)));
    }

    #[test]
    fn a_process_that_never_reaches_its_test_makes_the_mutant_invalid() {
        let exec = Fake::rule(|_, live| match live {
            Live::Switch(_) => crate::exec::Ran { began: false, ..with(End::Signal { number: 6 }) },
            Live::Off | Live::Traced(_) | Live::Binaries(_) => passes(),
        });
        assert_eq!(verdicts(&exec, &[1], &[woven(1, &[0])], ONE)[0].verdict, Verdict::Invalid);
    }

    #[test]
    fn a_rebuilt_mutant_is_run_on_all_its_tests_and_its_survival_is_not_traced() {
        let job = || Job::Rebuilt { binaries: Default::default(), tests: vec![0, 1] };
        let outcomes = verdicts(&Fake::kills(&[]), &[1, 1], &[job()], ONE);
        assert_eq!((outcomes[0].verdict, outcomes[0].reason.as_deref()), (Verdict::Survived, Some("not traced")));
        let exec = Fake::rule(|test, live| match live {
            Live::Binaries(_) if test == 1 => crate::exec::Ran { hit: false, ..fails() },
            Live::Off | Live::Traced(_) | Live::Switch(_) | Live::Binaries(_) => passes(),
        });
        let outcomes = verdicts(&exec, &[1, 1], &[job()], ONE);
        assert_eq!((outcomes[0].verdict, &outcomes[0].executed_by[..]), (Verdict::Killed, &[1][..]));
    }

    #[test]
    fn an_early_end_keeps_what_is_done_and_leaves_the_rest_unverified() {
        let ending = std::sync::Arc::new(Ending::default());
        let stopper = ending.clone();
        let exec = Fake::rule(move |_, live| {
            if let Live::Switch(2) = live {
                stopper.stop(crate::exec::Cause::Interrupted);
            }
            fails_on(live)
        });
        let jobs = [woven(1, &[0]), woven(2, &[0]), woven(3, &[0]), woven(4, &[])];
        let campaign = run(&exec, &tests(&[1]), &jobs, ONE, &ending, &());
        let verdicts: Vec<_> = campaign.outcomes.iter().map(|outcome| outcome.verdict).collect();
        assert_eq!(verdicts, [Verdict::Killed, Verdict::Unverified, Verdict::Unverified, Verdict::Unexecuted]);
    }

    fn fails_on(live: Live<'_>) -> crate::exec::Ran {
        match live {
            Live::Switch(_) => fails(),
            Live::Off | Live::Traced(_) | Live::Binaries(_) => passes(),
        }
    }

    #[test]
    fn known_verdicts_are_taken_over_and_the_rest_is_run() {
        let known = Outcome {
            verdict: Verdict::Killed,
            killed_by: vec![(0, How::Panic)],
            executed_by: vec![0],
            reason: None,
            duration: Duration::ZERO,
        };
        let exec = Fake::kills(&[(0, 2)]);
        let jobs = [woven(1, &[0]), woven(2, &[0])];
        let known = BTreeMap::from([(0, known)]);
        let campaign = super::super::resume(
            &exec,
            &tests(&[1]),
            &jobs,
            Known { outcomes: &known, shots: &() },
            ONE,
            &Ending::default(),
            &(),
        );
        let killers: Vec<_> = campaign.outcomes.iter().map(|outcome| outcome.killed_by[0]).collect();
        assert_eq!(killers, [(0, How::Panic), (0, How::Assertion)]);
        assert!(exec.calls().iter().all(|(_, switch)| *switch != 1));
    }

    struct Listener(Mutex<Vec<(usize, usize, usize)>>);
    impl Progress for Listener {
        fn done(&self, done: usize, killed: usize, survived: usize) {
            self.0.lock().unwrap().push((done, killed, survived));
        }
    }

    #[test]
    fn the_progress_hears_of_every_verdict() {
        let listener = Listener(Mutex::default());
        let (exec, tests) = (Fake::kills(&[(0, 1)]), tests(&[1]));
        let jobs = [woven(1, &[0]), woven(2, &[0])];
        run(&exec, &tests, &jobs, ONE, &Ending::default(), &listener);
        assert_eq!(*listener.0.lock().unwrap(), [(1, 1, 0), (2, 1, 1)]);
    }
}
