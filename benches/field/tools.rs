//! The tools, each asked the same question: this diff, these tests.

use super::scratch::{self, Scratch};
use crate::measure::{self, Cost};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::Command;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// What one run of one tool came to.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What it cost, from start to end.
    pub cost: Cost,
    /// Mutants by the tool's own word for what became of them.
    pub verdicts: BTreeMap<String, usize>,
}

impl Outcome {
    /// How many mutants were shown to tests, or found out to be beyond their reach. Those that do not compile, or of
    /// which the tool cannot tell, are not counted.
    pub fn judged(&self) -> usize {
        const NONE: [&str; 8] =
            ["invalid", "flaky", "unverified", "excused", "unviable", "Unviable", "CompileError", "Ignored"];
        self.verdicts.iter().filter(|(word, _)| !NONE.contains(&word.as_str())).map(|(_, count)| count).sum()
    }
}

/// The tests of the patch, and where they are.
#[derive(Debug)]
pub struct Tests {
    /// nextest's binary ID and the name.
    pub ids: Vec<(String, String)>,
    /// cargo's flags for exactly the targets that hold them.
    pub targets: Vec<String>,
}

impl Tests {
    /// The packages that hold them, by name.
    fn packages(&self) -> BTreeSet<&str> {
        self.ids.iter().filter_map(|(binary, _)| binary.split("::").next()).collect()
    }

    /// cargo's flags for the targets alone, each with its value.
    fn chosen(&self) -> Vec<&[String]> {
        let words = &self.targets;
        let starts: Vec<usize> = (0..words.len()).filter(|&index| words[index].starts_with('-')).collect();
        let ends = starts.iter().skip(1).copied().chain([words.len()]);
        let flags = starts.iter().copied().zip(ends).map(|(start, end)| &words[start..end]);
        flags.filter(|flag| flag[0] != "-p").collect()
    }
}

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// This program.
    Hunkmut,
    /// One build a mutant.
    CargoMutants,
    /// All mutants in one build, tests by binary.
    CargoGamma,
}

impl Tool {
    /// All of them.
    pub const ALL: [Tool; 3] = [Tool::Hunkmut, Tool::CargoMutants, Tool::CargoGamma];

    /// As it is called.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Hunkmut => "cargo-hunkmut",
            Tool::CargoMutants => "cargo-mutants",
            Tool::CargoGamma => "cargo-gamma",
        }
    }

    /// Its name and version; `None` where it is not installed.
    pub fn version(self) -> Option<String> {
        let arguments = match self {
            Tool::Hunkmut => return Some(format!("cargo-hunkmut {}", env!("CARGO_PKG_VERSION"))),
            Tool::CargoMutants => ["mutants", "--version"],
            Tool::CargoGamma => ["gamma", "--version"],
        };
        let output = Command::new("cargo").args(arguments).output().ok()?;
        let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(said)
    }

    /// Judges the patch in the clone; `warm` when it has been built there before.
    pub fn run(self, scratch: &Scratch, tests: &Tests, warm: bool) -> Fallible<Outcome> {
        match self {
            Tool::Hunkmut => hunkmut(scratch),
            Tool::CargoMutants => cargo_mutants(scratch, tests, warm),
            Tool::CargoGamma => cargo_gamma(scratch, tests),
        }
    }
}

fn hunkmut(scratch: &Scratch) -> Fallible<Outcome> {
    let run = scratch.hunkmut(&[])?;
    let mutants = run.report["mutants"].as_array().into_iter().flatten();
    Ok(Outcome { cost: run.cost, verdicts: count(mutants.map(|mutant| &mutant["verdict"])) })
}

/// Where a build is at hand it works in place, which is the only way for it to use that.
fn cargo_mutants(scratch: &Scratch, tests: &Tests, warm: bool) -> Fallible<Outcome> {
    let out = scratch.beside("cargo-mutants");
    let diff = diff(scratch)?;
    let mut command = command(scratch, "mutants");
    command.args(["--in-diff", diff.as_str(), "--output", out.as_str(), "--no-config", "--test-tool", "nextest"]);
    if warm {
        command.arg("--in-place");
    }
    for package in tests.packages() {
        command.args(["--package", package]);
    }
    for word in tests.chosen().into_iter().flatten() {
        command.arg(format!("--cargo-arg={word}"));
    }
    let test = |(binary, name): &(String, String)| format!("(binary_id(={binary}) & test(={name}))");
    let filter: Vec<String> = tests.ids.iter().map(test).collect();
    command.args(["--", "-E", &filter.join(" | ")]);
    // 0: all caught, 2: some missed, 3: some timed out
    let cost = finished(&mut command, &[0, 2, 3])?;
    let outcomes = written(&out.join("mutants.out/outcomes.json"))?;
    let mutants = outcomes["outcomes"].as_array().into_iter().flatten();
    let mutants = mutants.filter(|outcome| outcome["scenario"] != "Baseline");
    Ok(Outcome { cost, verdicts: count(mutants.map(|outcome| &outcome["summary"])) })
}

/// What a tool has written as JSON; nothing where it found no mutant.
fn written(path: &Utf8Path) -> Fallible<Value> {
    match std::fs::read(path) {
        Ok(text) => Ok(serde_json::from_slice(&text)?),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Value::Null),
        Err(why) => Err(why.into()),
    }
}

/// The diff of the work tree, as a file beside it.
fn diff(scratch: &Scratch) -> Fallible<Utf8PathBuf> {
    let path = scratch.beside("patch.diff");
    let text = scratch::git(&scratch.root(), &["diff", "--no-color", "--no-ext-diff", scratch.base()])?;
    std::fs::write(&path, text)?;
    Ok(path)
}

/// A subcommand of cargo in the clone, without what cargo tells benches about the package that they belong to.
fn command(scratch: &Scratch, subcommand: &str) -> Command {
    let mut command = Command::new("cargo");
    scratch::as_from_a_shell(&mut command);
    command.arg(subcommand).current_dir(scratch.root());
    command
}

fn finished(command: &mut Command, codes: &[i32]) -> Fallible<Cost> {
    let (cost, _, output) = measure::run(command)?;
    if output.status.code().is_some_and(|code| codes.contains(&code)) {
        return Ok(cost);
    }
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{command:?}: {}\n{}{}", output.status, said(&output.stdout), said(&output.stderr)).into())
}

fn count<'v>(words: impl Iterator<Item = &'v Value>) -> BTreeMap<String, usize> {
    let mut all = BTreeMap::new();
    for word in words {
        *all.entry(word.as_str().unwrap_or("?").to_owned()).or_default() += 1;
    }
    all
}

/// Its tests are chosen by target and, within each, by libtest's own filter, which it heeds only where it does not choose
/// tests by itself (`--whole-test-binaries`): otherwise all tests of the target may kill.
fn cargo_gamma(scratch: &Scratch, tests: &Tests) -> Fallible<Outcome> {
    let out = scratch.beside("cargo-gamma");
    let diff = diff(scratch)?;
    let mut command = command(scratch, "gamma");
    command.args(["run", "--no-config", "--memory", "off", "--progress", "never", "--in-diff", diff.as_str()]);
    command.args(["--whole-test-binaries", "--artifact-dir", out.as_str()]);
    for package in tests.packages() {
        command.args(["--package", package]);
    }
    let targets = tests.chosen();
    if targets.iter().all(|flag| flag[0] == "--lib") {
        command.arg("--test-lib");
    } else if targets.iter().all(|flag| flag.len() == 2) {
        for flag in targets {
            command.args(["--include-test", &flag[1]]);
        }
    }
    command.args(["--", "--exact"]).args(tests.ids.iter().map(|(_, name)| name));
    let cost = finished(&mut command, &[0])?;
    let report = written(&out.join("gamma-report.json"))?;
    let files = report["files"].as_object().into_iter().flat_map(|files| files.values());
    let mutants = files.flat_map(|file| file["mutants"].as_array().into_iter().flatten());
    Ok(Outcome { cost, verdicts: count(mutants.map(|mutant| &mutant["status"])) })
}
