//! The test processes that run at this moment, so that an interruption need not wait for the slowest of them.

use super::os;
use std::collections::BTreeSet;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shared by the workers of a campaign and whoever may end it early.
#[derive(Debug, Default)]
pub struct Running(Mutex<BTreeSet<u32>>);

impl Running {
    /// Kills every running test. Their runs end by a signal; the caller has to know that they mean nothing.
    pub fn kill_all(&self) {
        // under the lock: none of these is reaped meanwhile, so no ID can name another process
        for id in self.ids().iter() {
            os::kill_group_of(*id);
        }
    }

    pub(super) fn add(&self, child: &Child) {
        self.ids().insert(child.id());
    }

    /// Must come before the child is reaped.
    pub(super) fn remove(&self, child: &Child) {
        self.ids().remove(&child.id());
    }

    fn ids(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
