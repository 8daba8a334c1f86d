//! The verdicts of a report held against the raw records, mutant by mutant, and the excusals against the ledger.

use super::log::{REVERTED, RevertedBy, Suite};
use super::recompute::Records;
use super::verify::{Folder, Verified};
use crate::ledger;
use crate::report::model::*;
use crate::test_id::TestId;
use crate::text::sha256;
use std::collections::{BTreeMap, BTreeSet};

impl Folder<'_> {
    /// Every verdict, the reverted patch's with them.
    pub fn verdicts(&self, records: &Records<'_>, found: &mut Verified) {
        let historical = self.tests.iter().filter(|test| test.suite == Suite::Historical).count();
        if historical != self.run.historical_tests.unwrap_or(0) {
            let said = self.run.historical_tests.map_or("none".to_owned(), |n| n.to_string());
            found.problems.push(format!("{historical} historical tests are on record, and {said} were asked"));
        }
        for mutant in &self.report.mutants {
            self.own(mutant, records, found);
            self.historical(mutant, records, found);
        }
        let (is, killers) = self.reverted(records);
        let reverted = &self.report.reverted;
        let said: BTreeSet<&TestId> = reverted.killed_by.iter().map(|killer| &killer.id).collect();
        if reverted.verdict != is || said != killers.iter().collect() {
            found.problems.push("what is said of the patch taken back is not what its runs say".to_owned());
        }
        let r = self.report;
        let green = r.tests.baseline.iter().all(|test| test.outcome == BaselineOutcome::Pass);
        let whole = r.complete && green && !r.tests.baseline.is_empty();
        if self.run.reverted_by.is_none() && (whole || self.refused.contains_key(REVERTED)) {
            found.problems.push("the patch was not taken back, though nothing kept the run from it".to_owned());
        }
    }

    /// What the patch's own tests make of a mutant.
    fn own(&self, mutant: &Mutant, records: &Records<'_>, found: &mut Verified) {
        let id = &mutant.id;
        let is = records.verdict(Suite::Delta, id, mutant.engine);
        let dead = |verdict| matches!(verdict, Verdict::Killed | Verdict::Timeout);
        let first = mutant.killed_by.first().and_then(|killer| is.killers.get(&killer.id));
        let agrees = match (mutant.verdict, is.verdict) {
            // A test that came later may kill by itself what the first one only exceeded a limit on.
            (Verdict::Timeout, other) if dead(other) => matches!(first, Some(Some(_))),
            // Whether an entry excuses it is for the ledger to say.
            (Verdict::Excused, other) => matches!(other, Verdict::Survived | Verdict::Unexecuted),
            // Before the end of the run came to it; such a report passes nowhere.
            (Verdict::Unverified, Verdict::Unexecuted | Verdict::Survived) => !self.report.complete,
            (one, other) => one == other,
        };
        if !agrees {
            found.problems.push(format!("{id} is reported as {}, its runs make it {}", mutant.verdict, is.verdict));
        }
        let killers: BTreeSet<&TestId> = mutant.killed_by.iter().map(|killer| &killer.id).collect();
        if killers != is.killers.keys().collect() {
            found.problems.push(format!("the killers of {id} are not those of its runs"));
        }
        let reported: BTreeSet<TestId> = mutant.executed_by.iter().cloned().collect();
        let traced = mutant.engine == Engine::Woven && mutant.verdict != Verdict::Invalid;
        if traced && records.executing(Suite::Delta, id) != reported {
            found.problems.push(format!("the tests that execute {id} are not those of the trace"));
        }
    }

    /// What the other tests make of it.
    fn historical(&self, mutant: &Mutant, records: &Records<'_>, found: &mut Verified) {
        let is = records.verdict(Suite::Historical, &mutant.id, mutant.engine);
        let dead = matches!(is.verdict, Verdict::Killed | Verdict::Timeout);
        let ran = records.has_runs(Suite::Historical, &mutant.id);
        let agrees = match mutant.historical.verdict {
            HistoricalVerdict::Killed => dead,
            HistoricalVerdict::Survived => ran && !dead && is.verdict != Verdict::Unverified,
            HistoricalVerdict::Unexecuted => {
                self.run.historical_tests.is_some() && is.verdict == Verdict::Unexecuted && !ran
            }
            HistoricalVerdict::NotRun => !dead,
        };
        let killers: BTreeSet<&TestId> = mutant.historical.killed_by.iter().map(|killer| &killer.id).collect();
        if !agrees || dead && killers != is.killers.keys().collect() {
            found.problems.push(format!("what historical tests make of {} is not what their runs say", mutant.id));
        }
    }

    /// The reverted patch by the raw records, and who kills it.
    fn reverted(&self, records: &Records<'_>) -> (RevertedVerdict, Vec<TestId>) {
        let engine = |id: &str| self.report.mutants.iter().find(|mutant| mutant.id == id).map(|mutant| mutant.engine);
        let is = match &self.run.reverted_by {
            None if records.has_runs(Suite::Delta, REVERTED) => return (RevertedVerdict::Invalid, Vec::new()),
            None => return (RevertedVerdict::NotRun, Vec::new()),
            Some(RevertedBy::Switch) => records.verdict(Suite::Delta, REVERTED, Engine::Woven),
            Some(RevertedBy::Build) => records.verdict(Suite::Delta, REVERTED, Engine::Rebuilt),
            Some(RevertedBy::Mutant(id)) => records.verdict(Suite::Delta, id, engine(id).unwrap_or(Engine::Rebuilt)),
        };
        let verdict = match is.verdict {
            Verdict::Killed | Verdict::Timeout => RevertedVerdict::Killed,
            Verdict::Survived | Verdict::Unexecuted | Verdict::Excused => RevertedVerdict::Survived,
            Verdict::Invalid => RevertedVerdict::Invalid,
            Verdict::Flaky | Verdict::Unverified => RevertedVerdict::NotRun,
        };
        (verdict, is.killers.into_keys().collect())
    }

    /// Who is excused, by whom, and which entries do not hold.
    pub fn ledger(&self, records: &Records<'_>, found: &mut Verified) {
        let r = self.report;
        if sha256(&self.ledger) != r.ledger.sha256 {
            found.problems.push("the ledger is not the one that the report names".to_owned());
        }
        if r.ledger.path.is_none() && !self.ledger.is_empty() {
            found.problems.push("there is a ledger, and the report names none".to_owned());
        }
        let entries = match ledger::Entries::read(&self.ledger, "ledger.toml", &self.head_ledger, "ledger-head.toml") {
            Ok(entries) => entries,
            Err(why) => return found.problems.push(why.to_string()),
        };
        let Ok(day) = self.run.day.parse() else {
            return found.problems.push(format!("`{}` is no day", self.run.day));
        };
        let mut mutants = r.mutants.clone();
        for mutant in mutants.iter_mut().filter(|mutant| mutant.verdict == Verdict::Excused) {
            mutant.verdict = records.verdict(Suite::Delta, &mutant.id, mutant.engine).verdict;
        }
        let held = ledger::excuse(&mut mutants, &entries, day, self.args.accept_new_excusals);
        let verdicts = |mutants: &[Mutant]| -> BTreeMap<String, bool> {
            mutants.iter().map(|mutant| (mutant.id.clone(), mutant.verdict == Verdict::Excused)).collect()
        };
        let (reported, is) = (verdicts(&r.mutants), verdicts(&mutants));
        for (id, excused) in reported.iter().filter(|(id, excused)| is.get(*id) != Some(excused)) {
            found.problems.push(match excused {
                true => format!("{id} is excused, and no entry of the ledger holds for it"),
                false => format!("an entry of the ledger holds for {id}, and it is not excused"),
            });
        }
        let problems: Vec<String> = held.problems.iter().map(ToString::to_string).collect();
        let same = held.excused.keys().eq(&r.ledger.excused)
            && held.added.iter().eq(&r.facts.new_excusals)
            && problems == r.ledger.problems;
        if !same {
            found.problems.push("what is said of the ledger is not what its entries say".to_owned());
        }
    }
}
