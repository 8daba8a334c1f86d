//! A test's command as it was recorded on the unmutated tree, and the environment it is replayed in.
//!
//! Tests depend on the environment that the caller has, so the whole of it is part of the record and only what would
//! make outcomes depend on chance, or would write into the user's tree, is overridden.

use super::Confinement;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The exact command of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Program and arguments: the user's target runner, if any, then the test binary, `--exact` and the name.
    pub argv: Vec<OsString>,
    /// Working directory.
    pub cwd: PathBuf,
    /// The full environment.
    pub env: Vec<(OsString, OsString)>,
    /// nextest's test group, when not the global one: its tests must not run at the same time.
    pub group: Option<String>,
    /// How much room the test needs, found by the baseline.
    pub confinement: Confinement,
    /// Whether this is a command of nextest that runs the one test: the shim then tells how it ended.
    pub by_nextest: bool,
}

/// Which mutant is live in a run.
#[derive(Debug, Clone, Copy)]
pub enum Live<'a> {
    /// None.
    Off,
    /// None; the test's processes append what they execute to this file (see [`super::notes::Trace`]).
    Traced(&'a Path),
    /// The woven mutant with this switch value.
    Switch(u64),
    /// A rebuilt mutant: each binary of the unmutated build (key) is replaced by another (value).
    Binaries(&'a BTreeMap<PathBuf, PathBuf>),
}

impl Recorded {
    /// The value of an environment variable in the record.
    pub fn var(&self, key: &str) -> Option<&OsStr> {
        self.env.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v.as_os_str())
    }

    /// Program and arguments with `live` in place.
    pub(super) fn argv_for(&self, live: Live<'_>) -> Vec<OsString> {
        self.argv.iter().map(|arg| swapped(arg, live)).collect()
    }

    /// The environment with `live`'s binaries in place and the settings of [`neutral_env`].
    pub(super) fn env_for(&self, live: Live<'_>) -> Vec<(OsString, OsString)> {
        let mut env: Vec<_> = self.env.iter().map(|(key, value)| (key.clone(), swapped(value, live))).collect();
        env.retain(|(key, _)| !key.as_encoded_bytes().starts_with(b"HUNKMUT_"));
        for (key, value) in neutral_env(|key| self.var(key).is_some()) {
            env.retain(|(k, _)| k != key);
            env.push((key.into(), value.into()));
        }
        // insta otherwise asks `cargo metadata` for it in every single test process
        if let (Some(root), None) = (self.var("NEXTEST_WORKSPACE_ROOT"), self.var("INSTA_WORKSPACE_ROOT")) {
            env.push(("INSTA_WORKSPACE_ROOT".into(), root.to_owned()));
        }
        env
    }
}

fn swapped(word: &OsStr, live: Live<'_>) -> OsString {
    match live {
        Live::Off | Live::Traced(_) | Live::Switch(_) => word.to_owned(),
        Live::Binaries(map) => map.get(Path::new(word)).map_or_else(|| word.to_owned(), |new| new.into()),
    }
}

/// Variables that every run of a test gets, baseline included, so that outcomes do not depend on chance and nothing
/// is written into the user's tree. `is_set` says whether the user set a variable: a seed of theirs is kept.
///
/// - `RUST_BACKTRACE=0`: a panic costs 85–150 ms with symbolisation and 4 ms without.
/// - `INSTA_UPDATE`, `INSTA_FORCE_PASS`: snapshots are compared, never written, never forgiven.
/// - `PROPTEST_DISABLE_FAILURE_PERSISTENCE`, `PROPTEST_RNG_SEED`: no regression files, the same cases in every run.
///   Versions of proptest that know neither say so on standard error and go on.
///
/// quickcheck reads no seed from the environment; the confirmation of kills has to catch its luck.
pub fn neutral_env(is_set: impl Fn(&str) -> bool) -> Vec<(&'static str, &'static str)> {
    let mut env = vec![
        ("RUST_BACKTRACE", "0"),
        ("INSTA_UPDATE", "no"),
        ("INSTA_FORCE_PASS", "0"),
        ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1"),
    ];
    if !is_set("PROPTEST_RNG_SEED") {
        env.push(("PROPTEST_RNG_SEED", "4715893224106329"));
    }
    env
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(env: &[(&str, &str)]) -> Recorded {
        Recorded {
            argv: ["/t/it-1", "--exact", "a", "--nocapture"].map(OsString::from).into(),
            cwd: "/".into(),
            env: env.iter().map(|(k, v)| (k.into(), v.into())).collect(),
            group: None,
            confinement: Confinement::Full,
            by_nextest: false,
        }
    }

    fn value(env: &[(OsString, OsString)], key: &str) -> Vec<String> {
        env.iter().filter(|(k, _)| k == key).map(|(_, v)| v.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn settings_that_make_outcomes_depend_on_chance_are_overridden_once() {
        let env =
            recorded(&[("RUST_BACKTRACE", "full"), ("INSTA_UPDATE", "always"), ("USER", "eve")]).env_for(Live::Off);
        assert_eq!(value(&env, "RUST_BACKTRACE"), ["0"]);
        assert_eq!(value(&env, "INSTA_UPDATE"), ["no"]);
        assert_eq!(value(&env, "USER"), ["eve"]);
        assert_eq!(value(&env, "PROPTEST_RNG_SEED").len(), 1);
    }

    #[test]
    fn a_seed_of_the_users_own_is_kept() {
        let env = recorded(&[("PROPTEST_RNG_SEED", "7")]).env_for(Live::Off);
        assert_eq!(value(&env, "PROPTEST_RNG_SEED"), ["7"]);
    }

    #[test]
    fn recorded_switches_never_leak_into_a_replay() {
        let env = recorded(&[("HUNKMUT_TRACE", "/x"), ("HUNKMUT_ACTIVE", "3")]).env_for(Live::Off);
        assert!(value(&env, "HUNKMUT_TRACE").is_empty() && value(&env, "HUNKMUT_ACTIVE").is_empty());
    }

    #[test]
    fn a_rebuilt_mutant_replaces_the_binary_wherever_it_is_named() {
        let map = BTreeMap::from([(PathBuf::from("/t/it-1"), PathBuf::from("/m/it-9"))]);
        let test = recorded(&[("NEXTEST_BIN_EXE_it", "/t/it-1"), ("OTHER", "/t/it-10")]);
        assert_eq!(test.argv_for(Live::Binaries(&map))[0], "/m/it-9");
        let env = test.env_for(Live::Binaries(&map));
        assert_eq!(value(&env, "NEXTEST_BIN_EXE_it"), ["/m/it-9"]);
        assert_eq!(value(&env, "OTHER"), ["/t/it-10"]);
    }
}
