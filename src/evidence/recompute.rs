//! Verdicts from raw records, by rules written a second time: whoever trusts the campaign need not read this, and whoever
//! does not has something to compare it with.

use super::log::{RunRecord, Suite, TestRecord};
use crate::report::model::{BaselineOutcome, Engine, Verdict};
use crate::test_id::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// What a test made of a mutant, over all its runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shot {
    /// It passed.
    Passed,
    /// It failed on the mutant, passed without, failed on it again; with the limit when it exceeded one both times.
    Dead(Option<String>),
    /// Its failure did not reproduce or is not the mutant's doing.
    Unstable,
    /// The process died before the test began.
    Stillborn,
    /// The run ended in between.
    Cut,
}

/// The records by mutant and suite.
pub struct Records<'a> {
    shots: BTreeMap<(Suite2, &'a str), Vec<(&'a TestId, Shot)>>,
    executes: BTreeMap<(Suite2, &'a str), Vec<&'a TestRecord>>,
    /// The tests of the patch, and the historical ones that pass without a mutant.
    suites: BTreeMap<Suite2, Vec<&'a TestId>>,
    flaky: BTreeSet<&'a TestId>,
    refused: &'a BTreeMap<String, String>,
    unbuilt: &'a BTreeSet<String>,
}

/// A suite that can be sorted.
type Suite2 = bool;

fn key(suite: Suite) -> Suite2 {
    suite == Suite::Historical
}

/// What the records say of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its verdict, excusals apart.
    pub verdict: Verdict,
    /// The tests that kill it, each with the limit that it exceeded.
    pub killers: BTreeMap<TestId, Option<String>>,
}

impl<'a> Records<'a> {
    /// Sorts the raw records. Whether a mutant was woven in decides how its runs are read.
    pub fn of(
        runs: &'a [RunRecord],
        tests: &'a [TestRecord],
        refused: &'a BTreeMap<String, String>,
        unbuilt: &'a BTreeSet<String>,
        engine: &dyn Fn(&str) -> Engine,
    ) -> Records<'a> {
        type Groups<'a> = BTreeMap<(Suite2, &'a str, &'a TestId), Vec<&'a RunRecord>>;
        let mut groups: Groups<'a> = BTreeMap::new();
        for run in runs {
            if let Some(mutant) = run.mutant.as_deref().or(run.confirms.as_deref()) {
                groups.entry((key(run.suite), mutant, &run.test)).or_default().push(run);
            }
        }
        let mut shots: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for ((suite, mutant, test), runs) in groups {
            let traced = engine(mutant) == Engine::Woven && mutant != super::log::REVERTED;
            shots.entry((suite, mutant)).or_default().push((test, shot(&runs, traced)));
        }
        let mut executes: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for test in tests {
            for mutant in &test.executes {
                executes.entry((key(test.suite), mutant.as_str())).or_default().push(test);
            }
        }
        let mut suites: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for test in tests.iter().filter(|test| is_used(test)) {
            suites.entry(key(test.suite)).or_default().push(&test.test);
        }
        let flaky = tests.iter().filter(|test| test.outcome == BaselineOutcome::Flaky).map(|test| &test.test).collect();
        Records { shots, executes, suites, flaky, refused, unbuilt }
    }

    /// The tests of a suite that execute a woven mutant.
    pub fn executing(&self, suite: Suite, mutant: &str) -> BTreeSet<TestId> {
        let found = self.executes.get(&(key(suite), mutant));
        found.into_iter().flatten().map(|test| test.test.clone()).collect()
    }

    /// Whether any run is on record of it.
    pub fn has_runs(&self, suite: Suite, mutant: &str) -> bool {
        self.shots.contains_key(&(key(suite), mutant))
    }

    /// What a suite makes of a mutant.
    pub fn verdict(&self, suite: Suite, mutant: &str, engine: Engine) -> Found {
        let none: Vec<(&TestId, Shot)> = Vec::new();
        let shots = self.shots.get(&(key(suite), mutant)).unwrap_or(&none);
        let killers = |flaky: bool| {
            let dead = shots.iter().filter(|(test, _)| self.flaky.contains(test) == flaky);
            dead.filter_map(|(test, shot)| match shot {
                Shot::Dead(limit) => Some(((*test).clone(), limit.clone())),
                Shot::Passed | Shot::Unstable | Shot::Stillborn | Shot::Cut => None,
            })
            .collect::<BTreeMap<TestId, Option<String>>>()
        };
        let (killers, forgotten) = (killers(false), killers(true));
        let has = |shot: &Shot| shots.iter().any(|(_, other)| other == shot);
        let suite = key(suite);
        let used = self.suites.get(&suite).map_or(&[][..], Vec::as_slice);
        // Nobody knows which tests execute what was compiled alone: each has to have run.
        let asked: Vec<&TestId> = match engine {
            Engine::Rebuilt => used.to_vec(),
            Engine::Woven => {
                let executing = self.executes.get(&(suite, mutant)).into_iter().flatten();
                executing.filter(|test| is_used(test)).map(|test| &test.test).collect()
            }
        };
        let all_ran = asked.iter().all(|test| shots.iter().any(|(ran, _)| ran == test));
        let verdict = if !killers.is_empty() {
            if killers.values().all(Option::is_some) { Verdict::Timeout } else { Verdict::Killed }
        } else if !forgotten.is_empty() {
            Verdict::Flaky
        } else if shots.is_empty() && self.refused.contains_key(mutant) {
            Verdict::Invalid
        } else if shots.is_empty() && (asked.is_empty() || suite == key(Suite::Delta) && self.unbuilt.contains(mutant))
        {
            Verdict::Unexecuted
        } else if shots.is_empty() || has(&Shot::Cut) || !all_ran {
            Verdict::Unverified
        } else if has(&Shot::Unstable) {
            Verdict::Flaky
        } else if has(&Shot::Stillborn) {
            Verdict::Invalid
        } else {
            Verdict::Survived
        };
        Found { verdict, killers }
    }
}

/// Whether a test has a say: of the historical ones only those that pass without a mutant.
fn is_used(test: &TestRecord) -> bool {
    test.suite == Suite::Delta || test.outcome == BaselineOutcome::Pass
}

/// One test on one mutant, from its processes in order: on, off, on.
fn shot(runs: &[&RunRecord], traced: bool) -> Shot {
    let passed = |run: &RunRecord| run.end == "exit 0";
    let mut on = runs.iter().filter(|run| run.mutant.is_some());
    let (first, second, third) = (on.next(), on.next(), on.next());
    let Some(first) = first else { return Shot::Cut };
    if passed(first) {
        return Shot::Passed;
    }
    let offs: Vec<_> = runs.iter().filter(|run| run.mutant.is_none()).collect();
    let Some(off) = offs.first() else { return Shot::Cut };
    if !passed(off) {
        return Shot::Unstable;
    }
    if first.end.starts_with("start: ") {
        return if traced { Shot::Unstable } else { Shot::Stillborn };
    }
    if traced && !first.hit {
        return Shot::Unstable;
    }
    let Some(second) = second else { return Shot::Cut };
    if passed(second) && third.is_some_and(|third| passed(third)) {
        // Another run of the same test was going on at the first failure.
        return Shot::Passed;
    }
    if passed(second) || traced && !second.hit {
        return Shot::Unstable;
    }
    if let (Some(limit), Some(_)) = (&first.limit, &second.limit) {
        return Shot::Dead(Some(limit.clone()));
    }
    // Only where the harness announces tests does its silence say something.
    match (off.began, first.began, second.began) {
        (true, false, false) => Shot::Stillborn,
        (true, true, false) | (true, false, true) => Shot::Unstable,
        (true, true, true) | (false, _, _) => Shot::Dead(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::sha256;

    fn run(mutant: Option<&str>, end: &str) -> RunRecord {
        RunRecord {
            test: TestId::new("a", "t"),
            suite: Suite::Delta,
            mutant: mutant.map(str::to_owned),
            confirms: mutant.is_none().then(|| "m-1".to_owned()),
            end: end.into(),
            limit: (end == "time").then(|| "time".to_owned()),
            hit: mutant.is_some(),
            began: true,
            duration_ms: 1.0,
            output_sha256: sha256(""),
        }
    }

    fn verdict(runs: &[RunRecord]) -> Verdict {
        let tests = [TestRecord {
            test: TestId::new("a", "t"),
            suite: Suite::Delta,
            argv: vec![],
            cwd: String::new(),
            environment: BTreeMap::new(),
            outcome: BaselineOutcome::Pass,
            runs: 3,
            executes: vec!["m-1".into()],
        }];
        let refused = BTreeMap::new();
        Records::of(runs, &tests, &refused, &BTreeSet::new(), &|_| Engine::Woven)
            .verdict(Suite::Delta, "m-1", Engine::Woven)
            .verdict
    }

    const ON: Option<&str> = Some("m-1");

    #[test]
    fn a_kill_takes_on_off_on() {
        assert_eq!(verdict(&[run(ON, "exit 101"), run(None, "exit 0"), run(ON, "exit 101")]), Verdict::Killed);
        assert_eq!(verdict(&[run(ON, "time"), run(None, "exit 0"), run(ON, "time")]), Verdict::Timeout);
        assert_eq!(verdict(&[run(ON, "exit 101"), run(None, "exit 0"), run(ON, "exit 0")]), Verdict::Flaky);
        assert_eq!(verdict(&[run(ON, "exit 101"), run(None, "exit 101"), run(None, "exit 0")]), Verdict::Flaky);
        assert_eq!(verdict(&[run(ON, "exit 101"), run(None, "exit 0")]), Verdict::Unverified);
    }

    #[test]
    fn survival_takes_a_pass_of_every_test_that_executes_it() {
        assert_eq!(verdict(&[run(ON, "exit 0")]), Verdict::Survived);
        assert_eq!(verdict(&[]), Verdict::Unverified);
    }

    #[test]
    fn a_failure_that_did_not_execute_the_mutant_is_no_kill() {
        let blind = RunRecord { hit: false, ..run(ON, "exit 101") };
        assert_eq!(verdict(&[blind, run(None, "exit 0"), run(ON, "exit 101")]), Verdict::Flaky);
    }
}
