//! A clone of the repository in which everything is measured.

use crate::measure::{self, Cost, Run};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::Command;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// The clone; removed when dropped.
pub struct Scratch {
    dir: tempfile::TempDir,
    base: String,
    program: Utf8PathBuf,
}

impl Scratch {
    /// Clones a repository and checks the head out.
    pub fn clone(repository: &Utf8Path, base: &str, head: &str, program: Option<&Utf8Path>) -> Fallible<Scratch> {
        let dir = tempfile::Builder::new().prefix("hunkmut-bench-").tempdir()?;
        let repository = repository.canonicalize_utf8()?;
        let resolve = |revision: &str| -> Fallible<String> {
            let out = git(&repository, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
            Ok(out.trim().to_owned())
        };
        let (base, head) = (resolve(base)?, resolve(head)?);
        let program = match program {
            Some(program) => program.canonicalize_utf8()?,
            None => env!("CARGO_BIN_EXE_cargo-hunkmut").into(),
        };
        let scratch = Scratch { dir, base, program };
        git(&repository, &["clone", "--quiet", "--no-checkout", ".", scratch.root().as_str()])?;
        git(&scratch.root(), &["checkout", "--quiet", "--detach", &head])?;
        // A committed lock file or the machine's own registry decides versions; fetching is not what is measured.
        run(Command::new("cargo").arg("fetch").current_dir(scratch.root()))?;
        Ok(scratch)
    }

    /// Its root.
    pub fn root(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.dir.path().join("clone")).unwrap_or_default()
    }

    /// A path beside the clone, in the folder that is removed with it.
    pub fn beside(&self, name: &str) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.dir.path().join(name)).unwrap_or_default()
    }

    /// The commit that the patch starts from.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// What `-p` wants for each member: by its name alone cargo may take a dependency for it.
    pub fn package_specs(&self) -> Fallible<BTreeMap<String, String>> {
        let mut command = Command::new("cargo");
        command.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(self.root());
        let metadata: Value = serde_json::from_str(&run(&mut command)?)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let packages = metadata["packages"].as_array().into_iter().flatten();
        Ok(packages.map(|package| (text(&package["name"]), text(&package["id"]))).collect())
    }

    /// Removes everything built.
    pub fn forget_builds(&self) -> Fallible<()> {
        match std::fs::remove_dir_all(self.root().join("target")) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(why.into()),
            _ => Ok(()),
        }
    }

    /// What the user's own build of some test targets costs.
    pub fn plain_build(&self, targets: &[String]) -> Fallible<Cost> {
        Ok(self.cargo_test(targets)?.0)
    }

    /// The test executables of these targets, with the directories that their tests run in.
    pub fn executables(&self, targets: &[String]) -> Fallible<Vec<(String, Utf8PathBuf, Utf8PathBuf)>> {
        let (_, said) = self.cargo_test(targets)?;
        let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let executable = |message: Value| {
            let path = message["executable"].as_str()?;
            let dir = Utf8Path::new(message["manifest_path"].as_str()?).parent()?;
            Some((message["target"]["name"].as_str()?.to_owned(), path.into(), dir.to_owned()))
        };
        Ok(messages.filter(|message| message["profile"]["test"] == true).filter_map(executable).collect())
    }

    fn cargo_test(&self, targets: &[String]) -> Fallible<(Cost, String)> {
        let mut command = Command::new("cargo");
        command.args(["test", "--no-run", "--message-format=json"]).args(targets).current_dir(self.root());
        let (cost, _, output) = measure::run(&mut command)?;
        if !output.status.success() {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok((cost, String::from_utf8(output.stdout)?))
    }

    /// Runs the program.
    pub fn hunkmut(&self, flags: &[&str]) -> Fallible<Run> {
        let reports = self.dir.path().join("report");
        let mut command = Command::new(&self.program);
        command
            .args(["hunkmut", "--quiet", "--no-cache", "--timings", "--base", &self.base, "--report-dir"])
            .arg(&reports)
            .args(flags);
        as_from_a_shell(&mut command);
        let (cost, memory_mib, output) = measure::run(command.current_dir(self.root()))?;
        if !matches!(output.status.code(), Some(0 | 1 | 3)) {
            return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)).into());
        }
        let report = serde_json::from_slice(&std::fs::read(reports.join("report.json"))?)?;
        let timings = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Run { cost, memory_mib, report, timings })
    }

    /// Puts one more comment line at the top of every Rust file in scope: all of its code moves, nothing else changes.
    pub fn edit(&self, report: &Value) -> Fallible<()> {
        let ranges = report["scope"]["ranges"].as_array().into_iter().flatten();
        let files: BTreeSet<&str> = ranges.filter_map(|range| range["file"].as_str()).collect();
        for file in files.into_iter().filter(|file| file.ends_with(".rs")) {
            let path = self.root().join(file);
            let text = std::fs::read_to_string(&path)?;
            std::fs::write(&path, format!("// moved\n{text}"))?;
        }
        Ok(())
    }
}

/// cargo tells benches about the package that they belong to; a user's shell does not.
pub fn as_from_a_shell(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO") && name != "CARGO_HOME") {
            command.env_remove(name);
        }
    }
}

/// Runs git in a folder; gives what it says.
pub fn git(dir: &Utf8Path, args: &[&str]) -> Fallible<String> {
    run(Command::new("git").args(["-c", "advice.detachedHead=false"]).args(args).current_dir(dir))
}

fn run(command: &mut Command) -> Fallible<String> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
}
