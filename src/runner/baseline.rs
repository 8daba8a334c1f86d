//! The unmutated tree: which tests pass, how reliably, how fast, and what they execute.
//!
//! A test that fails now and then would make every mutant look dead. So each first run is repeated by replaying its
//! record, which also proves that the record can be replayed.

use super::record::Recording;
use crate::exec::notes::Trace;
use crate::exec::{Confinement, End, Ending, Limits, Live, Pool, Ran, Recorded, each};
use crate::report::model::BaselineOutcome;
use crate::test_id::TestId;
use std::time::Duration;

/// A test on the unmutated tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineTest {
    /// Which test.
    pub id: TestId,
    /// Its command.
    pub recorded: Recorded,
    /// All runs taken together.
    pub outcome: BaselineOutcome,
    /// How often it ran.
    pub runs: u32,
    /// The slowest run.
    pub slowest: Duration,
    /// What it executes.
    pub trace: Trace,
    /// The output of a run that failed, as far as it is known.
    pub output: Vec<u8>,
}

/// All tests in use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    /// In the order asked for.
    pub tests: Vec<BaselineTest>,
}

impl Baseline {
    /// The indices of the tests that execute a woven mutant.
    pub fn executing(&self, switch: u64) -> Vec<usize> {
        (0..self.tests.len()).filter(|&index| self.tests[index].trace.hits(switch).is_some()).collect()
    }

    /// Whether every test passed in every run.
    pub fn is_green(&self) -> bool {
        self.tests.iter().all(|test| test.outcome == BaselineOutcome::Pass)
    }
}

/// How long a test may take, and how much it may do, measured against what it took unmutated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// No test is ended before this.
    pub wall_floor: Duration,
    /// Times the slowest unmutated run.
    pub wall_factor: u32,
    /// No process is ended before so many site evaluations.
    pub hits_floor: u64,
    /// Times the traced evaluations.
    pub hits_factor: u64,
    /// Address space of one process in bytes.
    pub memory: Option<u64>,
}

impl Default for Patience {
    fn default() -> Self {
        let wall_floor = Duration::from_secs(5);
        Patience { wall_floor, wall_factor: 10, hits_floor: 400_000, hits_factor: 100, memory: Some(4 << 30) }
    }
}

impl Patience {
    /// The limits of a run with a mutant live.
    pub fn limits(&self, test: &BaselineTest) -> Limits {
        let hits = test.trace.total().saturating_mul(self.hits_factor).max(self.hits_floor);
        Limits { hits: Some(hits), ..self.unmutated(test.slowest) }
    }

    fn unmutated(&self, slowest: Duration) -> Limits {
        let wall = slowest.saturating_mul(self.wall_factor).max(self.wall_floor);
        Limits { wall, hits: None, memory: self.memory }
    }
}

/// Replays each recording until it has run `runs` times, the first run included. A test that timed out is not
/// repeated. When `ending` comes early, tests have run less often.
///
/// `driven` gives the command by which nextest runs a test, for one whose own command does not do.
pub fn repeat(
    recordings: Vec<Recording>,
    runs: u32,
    patience: &Patience,
    pool: &Pool,
    ending: &Ending,
    driven: &Driven<'_>,
) -> Baseline {
    // the first replay is traced as well: threads and chance may lead a test elsewhere
    let run = |worker: usize, test: &Recorded, limits, trace: Option<&mut Trace>| match trace {
        None => pool.run(worker, test, Live::Off, limits),
        Some(trace) => {
            let file = pool.trace_file(worker);
            let _ = std::fs::remove_file(&file);
            let ran = pool.run(worker, test, Live::Traced(&file), limits);
            if let Ok(more) = Trace::read(&file) {
                trace.join(&more);
            }
            ran
        }
    };
    repeat_with(recordings, runs, patience, pool.size(), ending, &run, driven)
}

/// The command by which nextest runs a test; `None` without nextest.
pub type Driven<'a> = dyn Fn(&TestId, &Recorded) -> Option<Recorded> + Sync + 'a;

type Run<'a> = dyn Fn(usize, &Recorded, Limits, Option<&mut Trace>) -> Ran + Sync + 'a;
type RunOn<'a> = dyn Fn(&Recorded, Limits, Option<&mut Trace>) -> Option<Ran> + 'a;

fn repeat_with(
    recordings: Vec<Recording>,
    runs: u32,
    patience: &Patience,
    jobs: usize,
    ending: &Ending,
    run: &Run<'_>,
    driven: &Driven<'_>,
) -> Baseline {
    let tests = each(jobs, recordings.len(), &Ending::default(), |worker, index| {
        let run = |recorded: &Recorded, limits, trace: Option<&mut Trace>| {
            let ran = (!ending.reached()).then(|| run(worker, recorded, limits, trace));
            ran.filter(|_| !ending.reached())
        };
        Some(one(recordings[index].clone(), runs, patience, ending, &run, driven))
    });
    Baseline { tests: tests.into_iter().flatten().collect() }
}

fn one(
    first: Recording,
    runs: u32,
    patience: &Patience,
    ending: &Ending,
    run: &RunOn<'_>,
    driven: &Driven<'_>,
) -> BaselineTest {
    let Recording { id, mut recorded, end, duration, mut trace, mut output } = first;
    let (mut ends, mut slowest) = (vec![end], duration);
    while ends.len() < runs as usize && !ends.contains(&End::TimedOut) {
        let limits = patience.unmutated(slowest);
        let traced = (ends.len() == 1).then_some(&mut trace);
        let Some(mut ran) = run(&recorded, limits, traced) else { break };
        // perhaps it is the confinement or the memory limit that it cannot bear; the first replay tells
        if !ran.end.passed() && ends.len() == 1 && ends[0].passed() {
            let candidates = alternatives(&id, &recorded, driven);
            match instead(&recorded, candidates, &|recorded| run(recorded, limits, None)) {
                Some((wider, again)) => (recorded, ran) = (wider, again),
                None if ending.reached() => break,
                None => {}
            }
        }
        if !ran.end.passed() {
            output = ran.output;
        }
        slowest = slowest.max(ran.duration);
        ends.push(ran.end);
    }
    let outcome = outcome(&ends);
    BaselineTest { id, recorded, outcome, runs: ends.len() as u32, slowest, trace, output }
}

/// Other ways to run a test: with more room, and by nextest.
fn alternatives(id: &TestId, recorded: &Recorded, driven: &Driven<'_>) -> Vec<Recorded> {
    let all = [Confinement::Full, Confinement::Tree, Confinement::Off];
    let wider = |recorded: &Recorded| {
        let recorded = recorded.clone();
        let wider = all.into_iter().filter(move |confinement| *confinement > recorded.confinement);
        (recorded.clone(), wider.collect::<Vec<_>>())
    };
    let with = |(recorded, wider): (Recorded, Vec<Confinement>)| {
        wider.into_iter().map(move |confinement| Recorded { confinement, ..recorded.clone() })
    };
    let mut found: Vec<Recorded> = with(wider(recorded)).collect();
    if !recorded.by_nextest
        && let Some(driven) = driven(id, recorded)
    {
        found.push(driven.clone());
        found.extend(with(wider(&driven)));
    }
    found
}

/// The first alternative under which a test passes that fails as it is. Twice, and then it fails again as it is: a test
/// that fails now and then would otherwise seem to need something else.
fn instead(
    recorded: &Recorded,
    alternatives: Vec<Recorded>,
    run: &dyn Fn(&Recorded) -> Option<Ran>,
) -> Option<(Recorded, Ran)> {
    for other in alternatives {
        let passed = run(&other)?;
        if passed.end.passed() {
            let steady = run(&other)?.end.passed() && !run(recorded)?.end.passed();
            return steady.then_some((other, passed));
        }
    }
    None
}

fn outcome(ends: &[End]) -> BaselineOutcome {
    let passed = ends.iter().filter(|end| end.passed()).count();
    if ends.contains(&End::TimedOut) {
        BaselineOutcome::Timeout
    } else if passed == ends.len() {
        BaselineOutcome::Pass
    } else if passed == 0 {
        BaselineOutcome::Fail
    } else {
        BaselineOutcome::Flaky
    }
}

#[cfg(test)]
mod unit {
    use super::*;
    use std::sync::Mutex;

    fn recording(end: End) -> Recording {
        Recording {
            id: TestId::new("a", "t"),
            recorded: Recorded {
                argv: vec![],
                cwd: "/".into(),
                env: vec![],
                group: None,
                confinement: Confinement::Full,
                by_nextest: false,
            },
            end,
            duration: Duration::from_millis(2),
            trace: Trace::default(),
            output: Vec::new(),
        }
    }

    fn ran(end: End, ms: u64) -> Ran {
        let duration = Duration::from_millis(ms);
        Ran {
            end,
            duration,
            hit: false,
            limit: false,
            began: true,
            starved: false,
            disk_full: false,
            output: b"words".to_vec(),
        }
    }

    const FAILED: End = End::Failed { code: 101 };

    /// What becomes of a test whose first run and replays end like this.
    fn baseline(first: End, replays: &[Ran]) -> BaselineTest {
        let left = Mutex::new(replays.to_vec());
        let run = |_: usize, _: &Recorded, _: Limits, _: Option<&mut Trace>| left.lock().unwrap().remove(0);
        let patience = Patience::default();
        let mut all = repeat_with(vec![recording(first)], 3, &patience, 1, &Ending::default(), &run, &|_, _| None);
        assert!(left.lock().unwrap().is_empty());
        all.tests.remove(0)
    }

    #[test]
    fn a_test_that_always_passes_is_green_and_its_slowest_run_counts() {
        let test = baseline(End::Passed, &[ran(End::Passed, 9), ran(End::Passed, 1)]);
        assert_eq!((test.outcome, test.runs, test.slowest), (BaselineOutcome::Pass, 3, Duration::from_millis(9)));
    }

    #[test]
    fn failures_are_told_from_flakes() {
        assert_eq!(baseline(FAILED, &[ran(FAILED, 1), ran(FAILED, 1)]).outcome, BaselineOutcome::Fail);
        let flaky = baseline(FAILED, &[ran(End::Passed, 1), ran(FAILED, 1)]);
        assert_eq!((flaky.outcome, &flaky.output[..]), (BaselineOutcome::Flaky, &b"words"[..]));
    }

    #[test]
    fn a_test_that_timed_out_is_not_repeated() {
        let test = baseline(End::TimedOut, &[]);
        assert_eq!((test.outcome, test.runs), (BaselineOutcome::Timeout, 1));
    }

    #[test]
    fn a_test_that_cannot_bear_confinement_runs_without() {
        // narrow, wide, wide, narrow, and the third run
        let ends = [FAILED, End::Passed, End::Passed, FAILED, End::Passed].map(|end| ran(end, 1));
        let test = baseline(End::Passed, &ends);
        assert_eq!((test.recorded.confinement, test.outcome, test.runs), (Confinement::Tree, BaselineOutcome::Pass, 3));
        let ends = [FAILED, FAILED, End::Passed, End::Passed, FAILED, End::Passed].map(|end| ran(end, 1));
        let test = baseline(End::Passed, &ends);
        assert_eq!((test.recorded.confinement, test.outcome), (Confinement::Off, BaselineOutcome::Pass));
    }

    #[test]
    fn a_test_that_fails_either_way_is_flaky_and_stays_confined() {
        let test = baseline(End::Passed, &[ran(FAILED, 1), ran(FAILED, 1), ran(FAILED, 1), ran(End::Passed, 1)]);
        assert_eq!((test.recorded.confinement, test.outcome), (Confinement::Full, BaselineOutcome::Flaky));
    }

    #[test]
    fn a_test_that_fails_every_second_time_does_not_seem_to_need_room() {
        let ends = [FAILED, End::Passed, FAILED, End::Passed].map(|end| ran(end, 1));
        let test = baseline(End::Passed, &ends);
        assert_eq!((test.recorded.confinement, test.outcome), (Confinement::Full, BaselineOutcome::Flaky));
    }

    #[test]
    fn limits_grow_with_the_test_and_have_floors() {
        let patience = Patience::default();
        let mut test = baseline(End::Passed, &[ran(End::Passed, 1), ran(End::Passed, 1)]);
        let floors = Limits { wall: Duration::from_secs(5), hits: Some(400_000), memory: Some(4 << 30) };
        assert_eq!(patience.limits(&test), floors);
        test.slowest = Duration::from_secs(3);
        test.trace = Trace::parse(&[0u64.to_le_bytes(), 65_536u64.to_le_bytes()].concat());
        let limits = patience.limits(&test);
        assert_eq!((limits.wall, limits.hits), (Duration::from_secs(30), Some(13_107_200)));
    }

    #[test]
    fn the_tests_that_execute_a_mutant_are_found_by_trace() {
        let mut tests = vec![baseline(End::Passed, &[ran(End::Passed, 1), ran(End::Passed, 1)]); 2];
        tests[1].trace = Trace::parse(&[7u64.to_le_bytes(), 1u64.to_le_bytes()].concat());
        let baseline = Baseline { tests };
        assert_eq!((baseline.executing(7), baseline.executing(8)), (vec![1], vec![]));
    }
}
