//! One folder of `testdata/cases/`: made into a repository, run, and held against `case.toml`.

use super::expect::{Expect, ExpectMutant};
use super::untouched::Snapshot;
use super::{Fixture, Problems, Ran, invariants, program};
use camino::Utf8Path;
use cargo_hunkmut::evidence::verify;
use cargo_hunkmut::report::model::Report;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the case shows, in one line.
    pub about: String,
    #[serde(default)]
    repo: Repo,
    #[serde(default)]
    run: Run,
    pub expect: Expect,
    #[serde(default)]
    mutant: Vec<ExpectMutant>,
    #[serde(skip)]
    folder: PathBuf,
}

/// How the two folders become a repository.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Repo {
    /// The folder of the repository that holds the crate.
    folder: String,
    /// Git settings of the user; the case is run once with each set.
    configs: Vec<BTreeMap<String, String>>,
    /// Files of the base that the patch deletes.
    removed: Vec<String>,
    /// The patch stays uncommitted.
    uncommitted: bool,
    /// The target folder, where it isn't `target`.
    target: Option<String>,
}

/// How the program is called.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Run {
    /// The folder of the repository in which it is called.
    cwd: String,
    /// Arguments besides `--base main`.
    args: Vec<String>,
}

/// Where all cases are.
pub fn all() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases")
}

impl Case {
    pub fn named(name: &str) -> Case {
        let folder = all().join(name);
        let text = std::fs::read_to_string(folder.join("case.toml")).unwrap_or_else(|why| panic!("{name}: {why}"));
        let case: Case = toml::from_str(&text).unwrap_or_else(|why| panic!("{name}/case.toml: {why}"));
        Case { folder, ..case }
    }

    /// The repository: `main` is the base, `patch` the head, checked out.
    pub fn repository(&self) -> Fixture {
        let fixture = Fixture::unborn();
        let inside = |path: &str| Path::new(&self.repo.folder).join(path).to_string_lossy().into_owned();
        fixture.overlay(&self.folder.join("base"), &self.repo.folder);
        fixture.write(".gitignore", "target/\nout/\n");
        fixture.lock(&self.repo.folder);
        fixture.commit("base");
        fixture.git(&["checkout", "-q", "-b", "patch"]);
        for path in &self.repo.removed {
            std::fs::remove_file(fixture.root().join(inside(path))).unwrap();
        }
        if self.folder.join("head").exists() {
            fixture.overlay(&self.folder.join("head"), &self.repo.folder);
        }
        fixture.lock(&self.repo.folder);
        if !self.repo.uncommitted {
            fixture.commit("patch");
        }
        fixture
    }

    /// Runs the program in the case's repository.
    pub fn run_in(&self, fixture: &Fixture) -> (Ran, Option<Report>) {
        self.run_with(fixture, &[])
    }

    /// The same with more arguments.
    pub fn run_with(&self, fixture: &Fixture, more: &[&str]) -> (Ran, Option<Report>) {
        let own = self.run.args.iter().map(String::as_str);
        let args: Vec<&str> = ["--base", "main"].into_iter().chain(own).chain(more.iter().copied()).collect();
        let evidence = fixture.evidence();
        let args = [&args[..], &["--evidence", evidence.to_str().unwrap()]].concat();
        let ran = fixture.hunkmut_in(&self.run.cwd, &args);
        let target = self.repo.target.as_deref().unwrap_or("target");
        let report = fixture.root().join(&self.repo.folder).join(target).join("hunkmut/report");
        (ran, program::report_at(&report))
    }

    /// Runs the case and fails with everything that is not as it should be.
    pub fn check(&self) {
        let configs = if self.repo.configs.is_empty() { &[BTreeMap::new()][..] } else { &self.repo.configs };
        for config in configs {
            let fixture = self.repository();
            for (key, value) in config {
                fixture.git(&["config", key, value]);
            }
            let before = Snapshot::of(&fixture);
            let (ran, report) = self.run_in(&fixture);
            let mut problems = Problems::default();
            before.check(&fixture, &mut problems);
            match report {
                None => problems.add("there is no report"),
                Some(report) => {
                    invariants::check(&report, &fixture.root(), &mut problems);
                    match verify(Utf8Path::from_path(&fixture.evidence()).unwrap()) {
                        Ok((_, found)) => {
                            found.problems.iter().for_each(|why| problems.add(format!("evidence: {why}")))
                        }
                        Err(why) => problems.add(format!("evidence: {why}")),
                    }
                    self.expect.check(&report, &ran, &fixture.root(), &mut problems);
                    for mutant in &self.mutant {
                        mutant.check(&report, &fixture.root(), &mut problems);
                    }
                }
            }
            problems.settle(&format!("{} (git: {config:?})", self.about), &ran);
        }
    }
}
