//! What single tests made of single woven mutants, kept by test executable: after an edit of one test target, the tests of
//! the others need not be run again.
//!
//! An executable's bytes are all that was compiled into it, mutants included, so that an edit of Rust source counts where
//! it changes an executable. Every other file of the repository counts for all of them, and so does the commit.

use super::basis::Basis;
use super::store::Store;
use crate::campaign::{Memory, Shot};
use crate::report::model::How;
use crate::test_id::TestId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// What a test made of a mutant, as far as it is the same each time. A limit that was exceeded is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kept {
    Passed,
    Dead(How),
}

/// One executable's, by test and switch value.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Entry {
    shots: BTreeMap<String, BTreeMap<u64, Kept>>,
}

/// The shots of one executable during a run.
#[derive(Debug)]
struct Open {
    /// The entry's name: the digest of what its shots rest on.
    name: String,
    entry: Entry,
    /// When the oldest of its shots was seen.
    since: SystemTime,
    news: bool,
}

/// All shots that a run can look up, and has seen.
#[derive(Debug, Default)]
pub struct Shots {
    by_binary: Mutex<BTreeMap<String, Open>>,
    recalled: Mutex<BTreeMap<String, usize>>,
}

impl Shots {
    /// What is known for these executables, by binary ID. Unless `read`, nothing.
    pub fn open(store: &Store, bases: BTreeMap<String, Basis>, read: bool) -> Shots {
        let open = |(binary, basis): (String, Basis)| {
            let name = name(&binary, basis);
            let known = read.then(|| store.read_dated::<Entry>(&name)).flatten();
            let (entry, since) = known.unwrap_or_else(|| (Entry::default(), SystemTime::now()));
            (binary, Open { name, entry, since, news: false })
        };
        Shots { by_binary: Mutex::new(bases.into_iter().map(open).collect()), recalled: Mutex::default() }
    }

    /// As the campaign asks: by the places of mutants and tests in its lists.
    pub fn asked<'a>(&'a self, switches: Vec<u64>, tests: &'a [TestId]) -> Asked<'a> {
        Asked { shots: self, switches, tests }
    }

    /// How many have been recalled.
    pub fn recalled(&self) -> usize {
        self.recalled.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// When the oldest one was seen of those that may have been recalled; now, where none was.
    pub fn since(&self) -> SystemTime {
        let recalled = self.recalled.lock().unwrap_or_else(PoisonError::into_inner);
        let open = self.by_binary.lock().unwrap_or_else(PoisonError::into_inner);
        let since = recalled.keys().filter_map(|binary| Some(open.get(binary)?.since));
        since.min().unwrap_or_else(SystemTime::now)
    }

    /// Writes what is new. Entries keep the date of their oldest shot.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, store: &Store) -> crate::error::Result<()> {
        let open = self.by_binary.lock().unwrap_or_else(PoisonError::into_inner);
        open.values()
            .filter(|open| open.news)
            .try_for_each(|open| store.write_dated(&open.name, &open.entry, open.since))
    }
}

/// An entry's name.
fn name(binary: &str, basis: Basis) -> String {
    basis.and([("the binary", binary.to_owned())]).digest()
}

/// The shots under the campaign's numbers.
pub struct Asked<'a> {
    shots: &'a Shots,
    switches: Vec<u64>,
    tests: &'a [TestId],
}

impl Memory for Asked<'_> {
    fn recall(&self, job: usize, test: usize) -> Option<Shot> {
        let (switch, test) = (self.switches.get(job)?, self.tests.get(test)?);
        let open = self.shots.by_binary.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = *open.get(&test.binary_id)?.entry.shots.get(&test.name)?.get(switch)?;
        drop(open);
        *self
            .shots
            .recalled
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(test.binary_id.clone())
            .or_default() += 1;
        Some(match kept {
            Kept::Passed => Shot::Passed,
            Kept::Dead(how) => Shot::Dead { how, limit: None },
        })
    }

    fn remember(&self, job: usize, test: usize, shot: &Shot) {
        let kept = match shot {
            Shot::Passed => Kept::Passed,
            Shot::Dead { how, limit: None } => Kept::Dead(*how),
            Shot::Dead { limit: Some(_), .. } | Shot::Unstable(_) | Shot::Stillborn(_) | Shot::Ended => return,
        };
        let (Some(switch), Some(test)) = (self.switches.get(job), self.tests.get(test)) else { return };
        let mut open = self.shots.by_binary.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.get_mut(&test.binary_id) {
            open.entry.shots.entry(test.name.clone()).or_default().insert(*switch, kept);
            open.news = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8Path;
    use std::time::Duration;

    fn bases(executables: &[(&str, &str)]) -> BTreeMap<String, Basis> {
        let basis = |digest: &str| Basis::default().and([("the executable", digest.to_owned())]);
        executables.iter().map(|(binary, digest)| ((*binary).to_owned(), basis(digest))).collect()
    }

    fn dead() -> Shot {
        Shot::Dead { how: How::Panic, limit: None }
    }

    #[test]
    fn what_was_kept_is_recalled_for_the_same_executable_alone() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(Utf8Path::from_path(dir.path()).unwrap().to_owned());
        let tests = [TestId::new("a", "t"), TestId::new("b", "t")];
        let first = Shots::open(&store, bases(&[("a", "1"), ("b", "1")]), true);
        let asked = first.asked(vec![7, 8], &tests);
        asked.remember(0, 0, &dead());
        asked.remember(0, 1, &Shot::Passed);
        asked.remember(1, 0, &Shot::Unstable("no".into()));
        asked.remember(1, 1, &Shot::Dead { how: How::Timeout, limit: Some(crate::exec::how::Exceeded::Hits) });
        first.keep(&store).unwrap();
        assert_eq!(first.recalled(), 0);

        // The numbers of mutants and tests are each run's own.
        let tests = [TestId::new("b", "t"), TestId::new("a", "t")];
        let second = Shots::open(&store, bases(&[("a", "1"), ("b", "2")]), true);
        let asked = second.asked(vec![8, 7], &tests);
        assert_eq!(asked.recall(1, 1), Some(dead()));
        assert_eq!((asked.recall(0, 1), asked.recall(0, 0)), (None, None), "neither was a pass or a kill");
        assert_eq!(asked.recall(1, 0), None, "another executable");
        assert_eq!(second.recalled(), 1);
        let unread = Shots::open(&store, bases(&[("a", "1")]), false);
        assert_eq!(unread.asked(vec![7], &tests).recall(0, 1), None);
    }

    #[test]
    fn shots_do_not_grow_younger() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(Utf8Path::from_path(dir.path()).unwrap().to_owned());
        let tests = [TestId::new("a", "t")];
        let name = name("a", bases(&[("a", "1")])["a"].clone());
        let old = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
        store.write_dated(&name, &Entry { shots: [("t".into(), [(7, Kept::Passed)].into())].into() }, old).unwrap();
        let shots = Shots::open(&store, bases(&[("a", "1")]), true);
        let asked = shots.asked(vec![7, 8], &tests);
        assert!(shots.since() > old, "nothing was recalled yet");
        assert_eq!(asked.recall(0, 0), Some(Shot::Passed));
        asked.remember(1, 0, &Shot::Passed);
        shots.keep(&store).unwrap();
        let whole = |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let (entry, since) = store.read_dated::<Entry>(&name).unwrap();
        assert_eq!((entry.shots["t"].len(), whole(since), whole(shots.since())), (2, whole(old), whole(old)));
    }
}
