//! The test processes that run at this moment, so that an interruption need not wait for the slowest of them.

use super::os;
use std::collections::BTreeSet;
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shared by the workers of a campaign and whoever may end it early. When the last of them drops it, what left the
/// process groups of all its tests is ended as well.
#[derive(Debug)]
pub struct Running {
    ids: Mutex<BTreeSet<u32>>,
    /// What starts from now on is killed at once.
    over: AtomicBool,
    mark: String,
}

impl Default for Running {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Running {
            ids: Mutex::default(),
            over: AtomicBool::new(false),
            mark: format!("{}-{number}-", std::process::id()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        os::kill_strays(&format!("{}={}", super::RUN, self.mark));
    }
}

impl Running {
    /// What the value of [`super::RUN`] begins with in all these tests and in no other process.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Kills every running test, and every one that starts later. Their runs end by a signal; the caller has to know
    /// that they mean nothing.
    pub fn kill_all(&self) {
        self.over.store(true, Ordering::SeqCst);
        // under the lock: none of these is reaped meanwhile, so no ID can name another process
        for id in self.ids().iter() {
            os::kill_group_of(*id);
        }
    }

    pub(super) fn add(&self, child: &Child) {
        let mut ids = self.ids();
        ids.insert(child.id());
        if self.over.load(Ordering::SeqCst) {
            os::kill_group_of(child.id());
        }
    }

    /// Must come before the child is reaped.
    pub(super) fn remove(&self, child: &Child) {
        self.ids().remove(&child.id());
    }

    fn ids(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
