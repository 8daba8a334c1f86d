//! The test runs that nobody can avoid, and what each costs by itself.

use crate::measure::median;
use crate::scratch::Scratch;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::{Command, Stdio};
use std::time::Instant;

/// How often a test is run by hand.
const REPETITIONS: usize = 5;

/// A test: nextest's binary ID and the name.
pub type Id = (String, String);

/// Seconds of each test, run alone from the user's own build.
pub struct Bare {
    seconds: BTreeMap<Id, f64>,
}

/// cargo's flags for exactly the targets that hold tests of the delta.
pub fn targets(scratch: &Scratch, report: &Value) -> Result<Vec<String>, Box<dyn Error>> {
    let specs = scratch.package_specs()?;
    let mut flags: Vec<String> = Vec::new();
    for (binary, _) in delta(report) {
        let (package, target) = match binary.split_once("::") {
            None => (binary.as_str(), vec!["--lib".to_owned()]),
            Some((package, target)) => match target.split_once('/') {
                None => (package, vec!["--test".to_owned(), target.to_owned()]),
                Some((kind, name)) => (package, vec![format!("--{kind}"), name.to_owned()]),
            },
        };
        for flag in [vec!["-p".to_owned(), specs.get(package).cloned().unwrap_or_else(|| package.to_owned())], target] {
            if !flags.windows(flag.len()).any(|there| there == flag) {
                flags.extend(flag);
            }
        }
    }
    if flags.is_empty() { Err("the patch has no tests".into()) } else { Ok(flags) }
}

/// Runs every test of the delta by hand.
pub fn bare_runs(scratch: &Scratch, targets: &[String], report: &Value) -> Result<Bare, Box<dyn Error>> {
    let executables = scratch.executables(targets)?;
    let mut seconds = BTreeMap::new();
    for id in delta(report) {
        let target = id.0.rsplit(['/', ':']).next().unwrap_or(&id.0).replace('-', "_");
        let found = executables.iter().find(|(name, _, _)| name.replace('-', "_") == target);
        let Some((_, path, dir)) = found else { continue };
        let mut times = Vec::new();
        for _ in 0..REPETITIONS {
            let mut command = Command::new(path);
            command.args(["--exact", &id.1, "--nocapture"]).current_dir(dir).env("CARGO_MANIFEST_DIR", dir);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let started = Instant::now();
            let passed = command.status()?.success();
            if passed {
                times.push(started.elapsed().as_secs_f64());
            }
        }
        if !times.is_empty() {
            seconds.insert(id, median(times));
        }
    }
    Ok(Bare { seconds })
}

impl Bare {
    fn of(&self, id: &Id) -> f64 {
        self.seconds.get(id).copied().unwrap_or(0.0)
    }

    /// Every test once, and for each mutant its shortest killer, or all that execute it. Seconds, one after the other.
    pub fn unavoidable(&self, report: &Value) -> f64 {
        let once: f64 = delta(report).iter().map(|id| self.of(id)).sum();
        let needed = |mutant: &Value| match mutant["verdict"].as_str() {
            Some("killed" | "timeout") => {
                let killers = ids(&mutant["killed_by"]);
                killers.iter().map(|id| self.of(id)).reduce(f64::min).unwrap_or(0.0)
            }
            Some("survived") => ids(&mutant["executed_by"]).iter().map(|id| self.of(id)).sum(),
            _ => 0.0,
        };
        once + report["mutants"].as_array().into_iter().flatten().map(needed).sum::<f64>()
    }

    /// How many times longer one test takes on one mutant than alone, given a report of a run that tried all tests on
    /// all mutants, one process at a time. A kill takes three runs: on, off, on.
    pub fn overhead(&self, exhaustive: &Value) -> Option<f64> {
        let (mut taken, mut bare) = (0.0, 0.0);
        for mutant in exhaustive["mutants"].as_array().into_iter().flatten() {
            let woven = mutant["engine"] == "woven";
            if !woven || !matches!(mutant["verdict"].as_str(), Some("killed" | "survived")) {
                continue;
            }
            let killers = ids(&mutant["killed_by"]);
            let runs = |id: &Id| if killers.contains(id) { 3.0 } else { 1.0 };
            taken += mutant["duration_ms"].as_f64().unwrap_or(0.0) / 1e3;
            bare += ids(&mutant["executed_by"]).iter().map(|id| runs(id) * self.of(id)).sum::<f64>();
        }
        (bare > 0.0).then_some(taken / bare)
    }
}

/// The tests of the delta.
pub fn delta(report: &Value) -> Vec<Id> {
    ids(&report["tests"]["delta"])
}

fn ids(list: &Value) -> Vec<Id> {
    let word = |test: &Value, key: &str| Some(test[key].as_str()?.to_owned());
    let id = |test: &Value| Some((word(test, "binary_id")?, word(test, "name")?));
    list.as_array().into_iter().flatten().filter_map(id).collect()
}
