//! What verdicts rest on, as digests: whatever is not the same makes them be taken anew.
//!
//! What cannot be seen from here (the network, the time of day, files outside of the repository) is no part of it; that is
//! why entries have an age after which nobody believes them.

use super::products;
use super::sources::Sources;
use crate::catalog;
use crate::exec::Confinement;
use crate::git::Repo;
use crate::process::Cmd;
use crate::run::budget;
use crate::run::judge::Wanted;
use crate::run::session::Session;
use crate::run::stage::Stage;
use crate::runner::{Built, TestBinary};
use crate::text::{hex, sha256};
use camino::Utf8Path;
use cargo_metadata::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;

/// What is compared, each part by a name that a person understands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Basis(BTreeMap<String, String>);

impl Basis {
    /// One digest of all parts.
    pub fn digest(&self) -> String {
        sha256(format!("{:?}", self.0))
    }

    /// The names of parts that differ.
    pub fn differing(&self, other: &Basis) -> Vec<String> {
        self.0.iter().filter(|(name, value)| other.0.get(*name) != Some(value)).map(|(name, _)| name.clone()).collect()
    }

    /// With more parts.
    pub fn and(mut self, parts: impl IntoIterator<Item = (&'static str, String)>) -> Basis {
        self.0.extend(parts.into_iter().map(|(name, value)| (name.to_owned(), sha256(value))));
        self
    }

    /// The parts that do not depend on what is asked: tools, machine, surroundings, and everything built but the
    /// executables. `None` when one of them cannot be known.
    pub fn common(
        session: &Session,
        wanted: &Wanted,
        stage: &Stage,
        built: &Built,
        messages: &[Message],
    ) -> Option<Basis> {
        let root = &session.workspace.root;
        let version = |program: &std::ffi::OsStr, args: &[&str]| {
            Cmd::new(program).args(args).cwd(root).output().map(|said| said.text()).ok()
        };
        let context = stage.context();
        let policy = &session.policy;
        let read = |path: &Utf8Path| std::fs::read(path).unwrap_or_default();
        // What is built there is looked at as such.
        let mut apart = vec![session.workspace.target_dir.as_path(), &session.hunkmut_dir];
        apart.extend(session.workspace.build_dir.as_deref());
        let config =
            (&context.config_env, &context.env, &context.host_runner, &context.runner, &context.nextest_profile);
        let parts = [
            ("this program", format!("{} {}", env!("CARGO_PKG_VERSION"), program()?)),
            ("the compiler", version("rustc".as_ref(), &["-vV"])?),
            ("cargo", version(&context.cargo, &["-vV"])?),
            ("nextest", version(&context.cargo, &["nextest", "--version"])?),
            ("the machine", machine()),
            ("the environment", environment(stage)),
            ("cargo's configuration", format!("{config:?} {:?}", context.libdirs)),
            (
                "cargo's options",
                format!("{:?}", crate::workspace::CargoOptions { dir: None, ..session.options.clone() }),
            ),
            ("the lock file", hex(&read(&root.join("Cargo.lock")))),
            ("the workspace", format!("{root} {} {}", session.comparison.tree, session.hunkmut_dir)),
            ("the policy", format!("{} {:?} {:?}", policy.sha256(), session.policy_source, session.policy_path)),
            ("the catalog", catalog::digest()),
            ("the driver", format!("{:?}", wanted.driver)),
            ("the confinement", format!("{:?}", stage.sandbox())),
            ("ignored files", session.repo.ignored_digest(&apart).ok()??),
            ("what else was built", products::besides(session, built, messages)?),
        ];
        Some(Basis(BTreeMap::new()).and(parts))
    }

    /// The parts of a whole run: the question, the plan, the tree, the executables. `None` also where other tests are in
    /// use than those that have been built by now. `notes` say what is enforced, among others.
    pub fn whole(self, session: &Session, wanted: &Wanted, built: &Built, notes: &[String]) -> Option<Basis> {
        if wanted.historical {
            return None;
        }
        // How long the plain build took differs each time.
        let notes: Vec<&String> = notes.iter().filter(|note| !note.starts_with(budget::NOTE)).collect();
        let comparison = &session.comparison;
        let revisions = (&comparison.base, &comparison.merge_base, &comparison.head, &comparison.head_commit);
        let options = format!(
            "{} {} {} {} {} {} {:?} {:?} {:?} {:?} {:?}",
            wanted.jobs,
            wanted.exhaustive,
            wanted.historical,
            wanted.self_check,
            wanted.ratio,
            wanted.zero,
            wanted.accept_new_excusals,
            wanted.cap,
            wanted.without,
            wanted.gates,
            wanted.equivalence,
        );
        let ranges = session.scope.ranges(&session.workspace);
        let frozen = (&session.frozen, &session.thawed, &session.watched_changes, session.today.to_string());
        let executables = products::executables(built)?;
        let parts = [
            ("the revisions", format!("{revisions:?} {}", comparison.dirty)),
            ("the work tree", session.tree_before.clone()),
            ("the head's files", format!("{:?}", contents(session)?)),
            ("the changed lines", format!("{ranges:?} {:?}", session.plan.unmutated)),
            ("the mutants", session.plan.lines()),
            ("the ledger", format!("{}\0{}", session.ledger.text, session.ledger.head_text)),
            ("frozen tests and the day", format!("{frozen:?}")),
            ("the options", options),
            ("what was noted", format!("{notes:?}")),
            ("the executables", format!("{executables:?}")),
        ];
        Some(self.and(parts))
    }
}

/// What the shots of each test executable rest on, by binary ID: `common`, its bytes, the commit with all that git calls by
/// name, and every file that is not Rust source of some target: that is in the executables that it matters to, unless tests
/// read it while they run. `None` when something cannot be read.
pub fn executables(session: &Session, common: &Basis, built: &Built) -> Option<BTreeMap<String, Basis>> {
    let comparison = &session.comparison;
    let all = contents(session)?;
    let others: BTreeMap<_, _> = all.iter().filter(|(path, _)| session.modules.uses(path).is_empty()).collect();
    let (all, others) = (format!("{all:?}"), format!("{others:?}"));
    let common = common.clone().and([
        ("the revisions", format!("{:?} {:?}", comparison.head, comparison.head_commit)),
        ("names in git", session.repo.names_digest().ok()?),
    ]);
    let sources = Sources::read(session);
    let executables = products::executables(built)?;
    let basis = |binary: &TestBinary| {
        let files = if sources.may_be_read_by(binary) { &all } else { &others };
        let executable = executables.get(&binary.binary_id)?.clone();
        let parts = [("the head's files", files.clone()), ("the executable", executable)];
        Some((binary.binary_id.clone(), common.clone().and(parts)))
    };
    built.binaries.iter().map(basis).collect()
}

/// Every file that tests find beside them.
pub fn contents(session: &Session) -> Option<BTreeMap<String, String>> {
    let comparison = &session.comparison;
    if comparison.in_place() {
        return session.repo.contents().ok()?;
    }
    Repo::discover(&comparison.tree).ok()?.contents().ok()?
}

/// SHA-256 of this program's own file.
fn program() -> Option<String> {
    file_digest(Utf8Path::from_path(&std::env::current_exe().ok()?)?)
}

/// SHA-256 of a file's bytes; `None` when it cannot be read.
pub fn file_digest(path: &Utf8Path) -> Option<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path).ok()?;
    let mut piece = vec![0; 1 << 18];
    loop {
        match std::io::Read::read(&mut file, &mut piece).ok()? {
            0 => return Some(hex(&hash.finalize())),
            read => hash.update(&piece[..read]),
        }
    }
}

/// What tests can tell of the machine without asking long.
fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let (release, host) = (read("/proc/sys/kernel/osrelease"), read("/proc/sys/kernel/hostname"));
    format!("{processors} {release} {host} {:?}", Confinement::default())
}

/// The variables that tests get from the caller. A shell counts its own depth, and names the last command and folder; nothing else
/// is left out.
fn environment(stage: &Stage) -> String {
    let withheld = &stage.context().withheld;
    let vars = std::env::vars_os().filter(|(name, _)| !is_noise(name) && !withheld.contains(name));
    let vars: BTreeMap<_, _> = vars.collect();
    format!("{vars:?}")
}

fn is_noise(name: &OsStr) -> bool {
    name == "_" || name == "SHLVL" || name == "OLDPWD"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shells_own_bookkeeping_is_the_only_noise() {
        assert!(["_", "SHLVL", "OLDPWD"].iter().all(|name| is_noise(name.as_ref())));
        assert!(!["PWD", "PATH", "RUST_LOG", "TZ"].iter().any(|name| is_noise(name.as_ref())));
    }

    #[test]
    fn every_part_counts() {
        let basis = |tree: &str| Basis(BTreeMap::new()).and([("the tree", tree.to_owned()), ("day", "1".to_owned())]);
        assert_eq!(basis("a").digest(), basis("a").digest());
        assert_ne!(basis("a").digest(), basis("b").digest());
    }

    #[test]
    fn a_file_is_its_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path()).unwrap().join("f");
        assert_eq!(file_digest(&path), None);
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(file_digest(&path), Some(sha256("abc")));
    }
}
