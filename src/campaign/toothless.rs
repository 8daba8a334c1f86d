//! Which tests can kill no mutant at all.
//!
//! The campaign stops at the first kill, so a test that came later has no credit yet and may still have teeth. It is
//! tried on the mutants that it executes and was not run on, until it kills one.

use super::judge::Judged;
use super::shot::{Shot, shoot};
use super::{Job, Setting};
use crate::exec::each;
use crate::report::model::{How, Verdict};

/// What the attempts of one test came to.
enum Teeth {
    /// It kills this mutant.
    Bites(usize, How),
    /// It was run on every mutant that it executes and kills none.
    None,
    /// The campaign ended before that could be said.
    Unknown,
}

/// Tries every test without a kill, adds the kills to `judged`, and returns the tests that kill nothing and those
/// of which that is not known.
pub fn credit(setting: Setting<'_>, judged: &mut [Judged]) -> (Vec<usize>, Vec<usize>) {
    let idle = idle(setting, judged);
    let verdicts: &[Judged] = judged;
    let found = each(setting.options.jobs, idle.len(), setting.ending, |worker, index| {
        Some(try_teeth(setting, verdicts, worker, idle[index]))
    });
    let (mut toothless, mut untried) = (Vec::new(), Vec::new());
    for (&test, teeth) in idle.iter().zip(found) {
        match teeth.unwrap_or(Teeth::Unknown) {
            Teeth::Bites(job, how) => {
                let outcome = &mut judged[job].outcome;
                outcome.killed_by.push((test, how));
                if let Job::Rebuilt { .. } = setting.jobs[job] {
                    outcome.executed_by.push(test);
                }
            }
            Teeth::None => toothless.push(test),
            Teeth::Unknown => untried.push(test),
        }
    }
    (toothless, untried)
}

/// The tests that are not among the killers of any mutant.
fn idle(setting: Setting<'_>, judged: &[Judged]) -> Vec<usize> {
    let mut has_killed = vec![false; setting.tests.len()];
    for (test, _) in judged.iter().flat_map(|judged| &judged.outcome.killed_by) {
        has_killed[*test] = true;
    }
    (0..setting.tests.len()).filter(|&test| !has_killed[test]).collect()
}

fn try_teeth(setting: Setting<'_>, judged: &[Judged], worker: usize, test: usize) -> Teeth {
    let mut left: Vec<usize> = (0..setting.jobs.len())
        .filter(|&job| setting.jobs[job].tests().contains(&test) && !judged[job].ran.contains(&test))
        .collect();
    // what others could not end in time is the dearest to try
    left.sort_by_key(|&job| (judged[job].outcome.verdict == Verdict::Timeout, job));
    for job in left {
        if judged[job].outcome.verdict == Verdict::Unverified {
            return Teeth::Unknown;
        }
        match shoot(setting, worker, job, test) {
            Shot::Dead { how, .. } => return Teeth::Bites(job, how),
            Shot::Ended => return Teeth::Unknown,
            Shot::Passed | Shot::Unstable(_) | Shot::Stillborn(_) => {}
        }
    }
    Teeth::None
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::super::{Campaign, Options, Test, run};
    use super::*;
    use crate::exec::Ending;
    use std::time::Duration;

    fn campaign(exec: &Fake, tests: usize, jobs: &[(u64, &[usize])]) -> Campaign {
        let test = |index| Test { name: format!("t{index}"), duration: Duration::from_millis(index as u64) };
        let tests: Vec<_> = (0..tests).map(test).collect();
        let woven =
            |&(switch, executed_by): &(u64, &[usize])| Job::Woven { switch, executed_by: executed_by.into(), place: 0 };
        let jobs: Vec<_> = jobs.iter().map(woven).collect();
        run(exec, &tests, &jobs, Options { jobs: 1, exhaustive: false }, &Ending::default(), &())
    }

    #[test]
    fn a_test_that_came_too_late_gets_its_credit() {
        let exec = Fake::kills(&[(0, 1), (1, 1)]);
        let campaign = campaign(&exec, 2, &[(1, &[0, 1])]);
        assert_eq!(campaign.outcomes[0].killed_by, [(0, How::Assertion), (1, How::Assertion)]);
        assert!(campaign.toothless.is_empty());
    }

    #[test]
    fn a_test_is_toothless_only_after_every_mutant_that_it_executes() {
        let exec = Fake::kills(&[(0, 1), (0, 2), (0, 3)]);
        let campaign = campaign(&exec, 2, &[(1, &[0, 1]), (2, &[0, 1]), (3, &[0])]);
        assert_eq!(campaign.toothless, [1]);
        let tried: Vec<_> = exec.calls().into_iter().filter(|(test, _)| *test == 1).collect();
        assert_eq!(tried, [(1, 1), (1, 2)], "each once, and not the one it does not execute");
    }

    #[test]
    fn it_stops_at_the_first_kill_and_does_not_repeat_what_has_been_run() {
        let exec = Fake::kills(&[(0, 1), (0, 2), (1, 1), (1, 2)]);
        campaign(&exec, 2, &[(1, &[0, 1]), (2, &[0, 1]), (3, &[1])]);
        let tried: Vec<_> = exec.calls().into_iter().filter(|(test, _)| *test == 1).collect();
        assert_eq!(tried, [(1, 3), (1, 1), (1, 0), (1, 1)]);
    }

    #[test]
    fn a_test_that_executes_no_mutant_is_toothless() {
        assert_eq!(campaign(&Fake::kills(&[]), 1, &[]).toothless, [0]);
    }

    #[test]
    fn after_an_early_end_no_test_is_called_toothless_unjustly() {
        let test = Test { name: "t".into(), duration: Duration::ZERO };
        let ending = Ending::default();
        ending.stop(crate::exec::Cause::Interrupted);
        let job = Job::Woven { switch: 1, executed_by: vec![0], place: 0 };
        let campaign = run(&Fake::kills(&[]), &[test], &[job], Options { jobs: 1, exhaustive: false }, &ending, &());
        assert_eq!((campaign.toothless, campaign.untried), (vec![], vec![0]));
    }
}
