//! Watches the user's work tree while tests run: who changed it, and, if asked to, changes it back.
//!
//! Confined tests cannot reach it. Those that need more room run one at a time and the tree is looked at after each, so
//! that the test and the mutant can be named. Where nothing is enforced it is looked at now and then, which tells nearly
//! who it was.

use crate::exec::{Confinement, Execute, Live, Ran};
use crate::git::{Changes, Repo, differing};
use crate::report::text;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the tree is not looked at again where tests are not confined at all.
const NOW_AND_THEN: Duration = Duration::from_millis(250);

/// The tree as it was, and what happened to it.
pub struct Tree<'a> {
    repo: &'a Repo,
    restore: bool,
    state: Mutex<State>,
}

struct State {
    /// `None` when git could not say; then nothing is watched, and the digests of start and end tell.
    last: Option<Changes>,
    looked: Instant,
    incidents: Vec<String>,
}

impl<'a> Tree<'a> {
    /// The tree as it is now.
    pub fn watch(repo: &'a Repo, restore: bool) -> Tree<'a> {
        let state = State { last: repo.changes().ok(), looked: Instant::now(), incidents: Vec::new() };
        Tree { repo, restore, state: Mutex::new(state) }
    }

    /// Looks, and remembers what changed since the last look, and `meanwhile`.
    pub fn look(&self, meanwhile: impl FnOnce() -> String) {
        let mut state = self.state();
        state.looked = Instant::now();
        let Some(last) = &state.last else { return };
        let Ok(now) = self.repo.changes() else { return };
        // cargo writes one, and the run takes away what was not there
        let is_new = |path: &str| now.get(path).is_none_or(|change| change.code == "??");
        let is_lock = |path: &str| (path == "Cargo.lock" || path.ends_with("/Cargo.lock")) && is_new(path);
        let paths: Vec<&str> = differing(last, &now).into_iter().filter(|path| !is_lock(path)).collect();
        if paths.is_empty() {
            return;
        }
        // what the user had changed cannot be made again, and what is new may be the user's own
        let is_ours =
            |path: &&str| !last.contains_key(*path) && now.get(*path).is_some_and(|change| change.code != "??");
        let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        let mut incident = format!("{} changed in the work tree {}", text::list(&names, 5), meanwhile());
        let mut latest = None;
        if self.restore {
            let ours: Vec<&str> = paths.iter().copied().filter(is_ours).collect();
            match self.repo.restore(&ours) {
                Ok(()) if ours.len() == paths.len() => incident.push_str("; restored"),
                Ok(()) if ours.is_empty() => {
                    incident.push_str("; not restored: not in the last commit, or changed before")
                }
                Ok(()) => incident.push_str("; restored as far as it was unchanged before"),
                Err(why) => incident.push_str(&format!("; not restored: {why}")),
            }
            latest = self.repo.changes().ok();
        }
        state.last = Some(latest.unwrap_or(now));
        state.incidents.push(incident);
    }

    /// What happened, in sentences.
    pub fn incidents(&self) -> Vec<String> {
        self.state().incidents.clone()
    }

    fn is_due(&self) -> bool {
        self.state().looked.elapsed() >= NOW_AND_THEN
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs tests and looks at the tree after those that can reach it.
pub struct Watched<'a> {
    /// Who runs.
    pub exec: &'a dyn Execute,
    /// What is watched.
    pub tree: &'a Tree<'a>,
    /// Each test's name and confinement.
    pub tests: Vec<(String, Confinement)>,
    /// The names of mutants by switch.
    pub mutants: BTreeMap<u64, String>,
    /// Whether confinement is enforced.
    pub enforced: bool,
    /// Held by a run that can reach the tree.
    pub alone: Mutex<()>,
}

impl Execute for Watched<'_> {
    fn run(&self, worker: usize, test: usize, live: Live<'_>, until: Option<Instant>) -> Ran {
        let (name, confinement) = &self.tests[test];
        let meanwhile = || match live {
            Live::Switch(switch) => {
                let mutant = self.mutants.get(&switch).map_or("a mutant", String::as_str);
                format!("while `{name}` ran on {mutant}")
            }
            Live::Binaries(_) => format!("while `{name}` ran on a mutant that was compiled alone"),
            Live::Off | Live::Traced(_) => format!("while `{name}` ran without a mutant"),
        };
        match (self.enforced, confinement) {
            (true, Confinement::Full | Confinement::Tree) => self.exec.run(worker, test, live, until),
            (true, Confinement::Off) => {
                let _alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
                let ran = self.exec.run(worker, test, live, until);
                self.tree.look(meanwhile);
                ran
            }
            (false, _) => {
                let ran = self.exec.run(worker, test, live, until);
                if self.tree.is_due() {
                    self.tree.look(|| format!("about the time at which it was looked at, {}", meanwhile()));
                }
                ran
            }
        }
    }
}
