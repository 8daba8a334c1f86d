//! `--resume`: going on from a run that ended early.
//!
//! Beside an incomplete report lies what its verdicts rest on. When all of that is still the same, finished verdicts are
//! taken over, and only what has none is run; the tests still have to be green first. Otherwise the run begins anew and
//! says what has changed.

use super::judge::Wanted;
use super::session::Session;
use crate::campaign::Outcome;
use crate::catalog;
use crate::report::json;
use crate::report::model::{Report, Verdict};
use crate::text::sha256;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The file's name in the report's folder.
const FILE: &str = "resume.json";

/// What verdicts rest on, each part by a name that a person understands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    parts: BTreeMap<String, String>,
}

/// What can be taken over.
#[derive(Debug, Default)]
pub struct Earlier {
    outcomes: BTreeMap<String, Taken>,
}

/// A finished verdict with its killers by name.
#[derive(Debug)]
struct Taken {
    verdict: Verdict,
    killed_by: Vec<crate::report::model::Killer>,
    reason: Option<String>,
    duration: Duration,
}

impl Basis {
    /// The basis of a run that is about to begin.
    pub fn of(session: &Session, wanted: &Wanted) -> Basis {
        let comparison = &session.comparison;
        let read = |path: &Utf8Path| std::fs::read(path).map(sha256).unwrap_or_default();
        let environment = ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTC_WRAPPER", "CARGO_BUILD_TARGET"]
            .map(|key| format!("{key}={:?}", std::env::var_os(key)));
        let options = crate::workspace::CargoOptions { dir: None, ..session.options.clone() };
        let mutants = session.plan.mutants.iter();
        let mutants: Vec<String> = mutants.map(|mutant| format!("{} {:?}", mutant.id, mutant.encodings)).collect();
        let parts = [
            ("this program", program()),
            (
                "the compiler",
                crate::process::Cmd::new("rustc").arg("-vV").run().map_or_else(|_| String::new(), |o| o.text()),
            ),
            ("the merge base", comparison.merge_base.to_string()),
            ("the head", comparison.head_commit.to_string()),
            ("the work tree", session.tree_before.clone()),
            ("the lock file", read(&session.workspace.root.join("Cargo.lock"))),
            ("the policy", session.policy.sha256()),
            ("the catalog", catalog::digest()),
            ("the mutants", sha256(mutants.join("\n"))),
            ("cargo's options", format!("{options:?}")),
            ("the environment", environment.join(" ")),
            ("the options", format!("{} {:?}", wanted.exhaustive, wanted.driver)),
        ];
        Basis { parts: parts.into_iter().map(|(name, value)| (name.to_owned(), sha256(value))).collect() }
    }

    /// The names of parts that differ.
    fn differing(&self, other: &Basis) -> Vec<String> {
        let differs = |name: &&String| self.parts.get(*name) != other.parts.get(*name);
        self.parts.keys().filter(differs).cloned().collect()
    }

    /// Leaves it beside an incomplete report; takes it away beside a complete one. Without it a later run begins anew, so
    /// that a failure to write costs time and nothing else.
    pub fn keep(&self, dir: &Utf8Path, report: &Report) {
        let path = dir.join(FILE);
        let written = serde_json::to_vec_pretty(self).ok().filter(|_| !report.complete);
        let kept = written.is_some_and(|bytes| crate::report::atomic::write(&path, &bytes).is_ok());
        if !kept {
            let _ = std::fs::remove_file(path);
        }
    }

    /// What the report in `dir` has to offer to a run on this basis; or why nothing, in a sentence.
    pub fn earlier(&self, dir: &Utf8Path) -> Result<Earlier, String> {
        let text = std::fs::read(dir.join(FILE)).map_err(|_| "no unfinished run was found".to_owned())?;
        let before: Basis = serde_json::from_slice(&text).map_err(|why| format!("its basis cannot be read: {why}"))?;
        let changed = self.differing(&before);
        if !changed.is_empty() {
            return Err(format!("changed since: {}", changed.join(", ")));
        }
        let report = json::read(&dir.join("report.json")).map_err(|why| why.to_string())?;
        let finished = |verdict: Verdict| match verdict {
            Verdict::Killed | Verdict::Timeout | Verdict::Survived | Verdict::Unexecuted | Verdict::Invalid => true,
            // the ledger and chance may say something else today
            Verdict::Excused | Verdict::Flaky | Verdict::Unverified => false,
        };
        let outcomes = report.mutants.into_iter().filter(|mutant| finished(mutant.verdict)).map(|mutant| {
            let duration = Duration::try_from_secs_f64(mutant.duration_ms / 1e3).unwrap_or_default();
            let (verdict, killed_by, reason) = (mutant.verdict, mutant.killed_by, mutant.reason);
            (mutant.id, Taken { verdict, killed_by, reason, duration })
        });
        Ok(Earlier { outcomes: outcomes.collect() })
    }
}

impl Earlier {
    /// How many verdicts there are.
    pub fn count(&self) -> usize {
        self.outcomes.len()
    }

    /// The mutants that they are about.
    pub fn mutants(&self) -> std::collections::BTreeSet<String> {
        self.outcomes.keys().cloned().collect()
    }

    /// The verdict on a mutant, its killers as numbers of `tests`; `executed_by` is today's.
    pub fn outcome(&self, mutant: &str, tests: &[crate::test_id::TestId], executed_by: Vec<usize>) -> Option<Outcome> {
        let taken = self.outcomes.get(mutant)?;
        let number = |killer: &crate::report::model::Killer| {
            Some((tests.iter().position(|test| *test == killer.id)?, killer.how))
        };
        let killed_by: Vec<_> = taken.killed_by.iter().map(number).collect::<Option<_>>()?;
        Some(Outcome {
            verdict: taken.verdict,
            killed_by,
            executed_by,
            reason: taken.reason.clone(),
            duration: taken.duration,
        })
    }
}

/// The program's version, and its file's size and age: a rebuilt program may judge differently.
fn program() -> String {
    let meta = std::env::current_exe().and_then(std::fs::metadata);
    let file = meta.map(|meta| format!("{} {:?}", meta.len(), meta.modified().ok())).unwrap_or_default();
    format!("{} {file}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(head: &str) -> Basis {
        Basis { parts: [("the head".to_owned(), head.to_owned())].into() }
    }

    #[test]
    fn what_has_changed_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        assert_eq!(basis("a").earlier(dir).unwrap_err(), "no unfinished run was found");
        std::fs::write(dir.join(FILE), serde_json::to_vec(&basis("a")).unwrap()).unwrap();
        assert_eq!(basis("b").earlier(dir).unwrap_err(), "changed since: the head");
    }
}
