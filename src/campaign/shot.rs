//! One mutant on one test, and whether a failure is the mutant's doing.
//!
//! A failure counts only if the test executed the mutant, passes with the mutant off right after, and fails again
//! with it on. Everything else is chance, or a process that never became a test.

use super::Setting;
use crate::exec::how::{Exceeded, exceeded, how};
use crate::exec::{Cause, End, Live, Ran};
use crate::report::model::How;
use std::sync::PoisonError;
use std::time::Duration;

/// What a test makes of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shot {
    /// It passes.
    Passed,
    /// It fails, reproducibly.
    Dead {
        /// How it failed.
        how: How,
        /// The limit, when each failure exceeded one.
        limit: Option<Exceeded>,
    },
    /// It failed, but that did not reproduce or cannot be the mutant's doing; a sentence that says which.
    Unstable(String),
    /// The process died before the test began; a sentence.
    Stillborn(String),
    /// The campaign ended meanwhile.
    Ended,
}

/// What `test` makes of the mutant of `job`: as is known, or as it shows now.
pub fn shoot(setting: Setting<'_>, worker: usize, job: usize, test: usize) -> Shot {
    if let Some(shot) = setting.known.shots.recall(job, test) {
        return shot;
    }
    let shot = fire(setting, worker, job, test);
    setting.known.shots.remember(job, test, &shot);
    shot
}

/// Runs `test` on the mutant of `job`, and confirms a failure.
fn fire(setting: Setting<'_>, worker: usize, job: usize, test: usize) -> Shot {
    let job = &setting.jobs[job];
    let run = |live: Live<'_>| {
        let ran = setting.exec.run(worker, test, live, setting.ending.deadline());
        if ran.disk_full {
            // what fails now fails for want of space
            setting.ending.stop(Cause::DiskFull);
        }
        (!setting.ending.reached()).then_some(ran)
    };
    let confirmed = || {
        let beside = setting.turns.beside(test);
        let first = run(job.live())?;
        if first.end.passed() {
            return Some(Shot::Passed);
        }
        let had_company = beside.had_company();
        drop(beside);
        let _alone = setting.turns.alone(test, first.starved);
        let off = run(Live::Off)?;
        if !off.end.passed() {
            // once more: a test that now passes varies by itself, one that goes on failing may have been damaged
            if run(Live::Off)?.end.passed() {
                setting.varying.lock().unwrap_or_else(PoisonError::into_inner).insert(test);
            }
        }
        if let Some(shot) = doubt(&first, &off, job.is_traced()) {
            return Some(shot);
        }
        let second = run(job.live())?;
        if second.end.passed() && setting.turns.is_first_doubt(test) {
            // it is the mutant that makes it vary, or others at the time, or the test does so by itself
            for _ in 0..tries(setting.tests[test].duration) {
                if !run(Live::Off)?.end.passed() {
                    setting.varying.lock().unwrap_or_else(PoisonError::into_inner).insert(test);
                    break;
                }
            }
        }
        // it may have been another run of the same test that it could not bear, or a disk that others had filled
        let disturbed = had_company || first.starved;
        if second.end.passed() && disturbed && run(job.live())?.end.passed() {
            return Some(Shot::Passed);
        }
        Some(repeated(&first, &second, job.is_traced(), off.began, &setting.tests[test].name))
    };
    confirmed().unwrap_or(Shot::Ended)
}

/// How often a doubtful test is run without a mutant: one that fails one time in five gets through 20 runs once in 90.
fn tries(duration: Duration) -> u32 {
    if duration < Duration::from_secs(1) { 20 } else { 3 }
}

/// Why a failure cannot count, seen from the run with the mutant off.
fn doubt(first: &Ran, off: &Ran, traced: bool) -> Option<Shot> {
    match &off.end {
        End::Passed => {}
        End::Failed { .. } | End::Signal { .. } | End::TimedOut | End::CannotStart(_) => {
            return Some(Shot::Unstable("a test that executes it also fails with the mutant off".into()));
        }
    }
    match &first.end {
        End::CannotStart(why) if traced => Some(Shot::Unstable(format!("a test could not be started: {why}"))),
        End::CannotStart(why) => Some(Shot::Stillborn(format!("the mutant's test could not be started: {why}"))),
        End::Passed | End::Failed { .. } | End::Signal { .. } | End::TimedOut if traced && !first.hit => {
            Some(Shot::Unstable("a test failed without executing the mutant".into()))
        }
        End::Passed | End::Failed { .. } | End::Signal { .. } | End::TimedOut => None,
    }
}

/// The judgement of two failures with the mutant on.
fn repeated(first: &Ran, second: &Ran, traced: bool, harness_announces: bool, name: &str) -> Shot {
    if second.end.passed() {
        return Shot::Unstable("a test failed once and then passed".into());
    }
    if traced && !second.hit {
        return Shot::Unstable("a test failed again, but without executing the mutant".into());
    }
    let limits = (exceeded(first), exceeded(second));
    if let (Some(limit), Some(_)) = limits {
        return Shot::Dead { how: How::Timeout, limit: Some(limit) };
    }
    // only where the harness announces tests does its silence say something
    match (harness_announces, first.began, second.began) {
        (true, false, false) => Shot::Stillborn("the test process died before the test began".into()),
        (true, false, true) | (true, true, false) => {
            Shot::Unstable("a test process died once before its test began".into())
        }
        (true, true, true) | (false, _, _) => {
            let plain = if limits.0.is_none() { first } else { second };
            Shot::Dead { how: how(plain, name), limit: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::{Fake, fails, passes, with};
    use super::super::{Job, NOTHING, Options, Test};
    use super::*;
    use crate::exec::Ending;
    use std::sync::Mutex;

    /// What test 0 makes of a woven (or rebuilt) mutant when its runs end one after the other as given.
    fn shot(traced: bool, runs: &[Ran]) -> Shot {
        let exec = Fake::script(runs.to_vec());
        let job = if traced {
            Job::Woven { switch: 7, executed_by: vec![0], place: 0 }
        } else {
            Job::Rebuilt { binaries: Default::default(), tests: vec![0] }
        };
        let setting = Setting {
            exec: &exec,
            tests: &[Test { name: "t".into(), duration: Duration::ZERO }],
            jobs: &[job],
            options: Options { jobs: 1, exhaustive: false },
            ending: &Ending::default(),
            varying: &Mutex::default(),
            turns: &super::super::turns::Turns::new(1),
            known: NOTHING,
        };
        let shot = shoot(setting, 0, 0, 0);
        assert_eq!(exec.left(), 0, "all scripted runs happen");
        shot
    }

    fn dead(how: How) -> Shot {
        Shot::Dead { how, limit: None }
    }

    fn timed_out() -> Ran {
        Ran { end: End::TimedOut, ..fails() }
    }

    #[test]
    fn a_pass_takes_one_run() {
        assert_eq!(shot(true, &[passes()]), Shot::Passed);
    }

    #[test]
    fn a_kill_takes_three_runs_on_off_on() {
        assert_eq!(shot(true, &[fails(), passes(), fails()]), dead(How::Assertion));
    }

    #[test]
    fn a_failure_that_does_not_come_again_is_unstable() {
        let runs: Vec<Ran> = [vec![fails()], vec![passes(); 22]].concat();
        assert!(matches!(shot(true, &runs), Shot::Unstable(_)));
    }

    #[test]
    fn a_test_that_fails_with_the_mutant_off_proves_nothing() {
        assert!(matches!(shot(true, &[fails(), fails(), fails()]), Shot::Unstable(_)));
        assert!(matches!(shot(true, &[fails(), fails(), passes()]), Shot::Unstable(_)));
    }

    #[test]
    fn a_failure_without_the_mutant_being_executed_is_not_its_doing() {
        let unhit = Ran { hit: false, ..fails() };
        assert!(matches!(shot(true, &[unhit.clone(), passes()]), Shot::Unstable(_)));
        assert!(matches!(shot(true, &[fails(), passes(), unhit.clone()]), Shot::Unstable(_)));
        assert_eq!(shot(false, &[unhit.clone(), passes(), unhit]), dead(How::Assertion));
    }

    #[test]
    fn a_process_that_dies_before_its_test_begins_is_stillborn() {
        let early = Ran { began: false, ..with(End::Signal { number: 6 }) };
        assert!(matches!(shot(true, &[early.clone(), passes(), early.clone()]), Shot::Stillborn(_)));
        let silent_harness = Ran { began: false, ..passes() };
        assert_eq!(shot(true, &[early.clone(), silent_harness, early]), dead(How::Abort));
    }

    #[test]
    fn a_limit_counts_when_it_is_exceeded_twice() {
        let time = Shot::Dead { how: How::Timeout, limit: Some(Exceeded::Time) };
        assert_eq!(shot(true, &[timed_out(), passes(), timed_out()]), time);
        let runs: Vec<Ran> = [vec![timed_out()], vec![passes(); 22]].concat();
        assert!(matches!(shot(true, &runs), Shot::Unstable(_)));
    }

    #[test]
    fn a_limit_once_and_a_failure_once_are_a_plain_kill() {
        assert_eq!(shot(true, &[timed_out(), passes(), fails()]), dead(How::Assertion));
        assert_eq!(shot(true, &[fails(), passes(), timed_out()]), dead(How::Assertion));
    }

    #[test]
    fn a_failure_on_a_full_disk_that_does_not_come_again_alone_is_a_pass() {
        let starved = Ran { starved: true, ..fails() };
        let others: Vec<Ran> = [vec![starved.clone()], vec![passes(); 23]].concat();
        assert_eq!(shot(true, &others), Shot::Passed);
        assert_eq!(shot(true, &[starved.clone(), passes(), starved]), dead(How::Assertion));
    }

    #[test]
    fn a_disk_that_stays_full_ends_the_campaign() {
        assert_eq!(shot(true, &[Ran { disk_full: true, ..fails() }]), Shot::Ended);
    }

    #[test]
    fn a_process_that_cannot_start_is_no_kill() {
        let cannot = with(End::CannotStart("no".into()));
        assert!(matches!(shot(true, &[cannot.clone(), passes()]), Shot::Unstable(_)));
        assert!(matches!(shot(false, &[cannot, passes()]), Shot::Stillborn(_)));
    }
}
