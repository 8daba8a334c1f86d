//! When a run has to end before it is done: somebody asks for it, the budget is spent, or the disk is full.

use super::Running;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// Why a run ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Ctrl-C or a request of the system.
    Interrupted,
    /// The budget is spent.
    Cap,
    /// Nothing more can be written.
    DiskFull,
}

/// Asked before and after every run of a test and every command; what is going on when it comes is ended and means
/// nothing.
#[derive(Debug, Default)]
pub struct Ending {
    asked: OnceLock<Cause>,
    deadline: OnceLock<Instant>,
    told: Mutex<Told>,
}

/// Who learns of a request at once. A budget needs no telling: whoever waits knows when it ends.
#[derive(Debug, Default)]
struct Told {
    commands: Vec<Sender<()>>,
    tests: Vec<Weak<Running>>,
}

impl Ending {
    /// Comes at `deadline`, if there is one, or when [`Ending::stop`] is called.
    pub fn at(deadline: Option<Instant>) -> Ending {
        let ending = Ending::default();
        if let Some(deadline) = deadline {
            ending.limit(deadline);
        }
        ending
    }

    /// Sets the end of the budget, once it is known. A second call changes nothing.
    pub fn limit(&self, deadline: Instant) {
        let _ = self.deadline.set(deadline);
    }

    /// Ends the run now, with the commands and tests that are going on.
    pub fn stop(&self, cause: Cause) {
        let _ = self.asked.set(cause);
        let told = self.told();
        for sender in &told.commands {
            let _ = sender.send(());
        }
        told.tests.iter().filter_map(Weak::upgrade).for_each(|running| running.kill_all());
    }

    /// Whether the run is over.
    pub fn reached(&self) -> bool {
        self.cause().is_some()
    }

    /// Why the run is over; `None` while it is not.
    pub fn cause(&self) -> Option<Cause> {
        let spent = || self.deadline().is_some_and(|deadline| Instant::now() >= deadline);
        self.asked.get().copied().or_else(|| spent().then_some(Cause::Cap))
    }

    /// The end of the budget.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.get().copied()
    }

    /// These tests end with the run.
    pub fn ends(&self, running: &Arc<Running>) {
        self.told().tests.push(Arc::downgrade(running));
        if self.asked.get().is_some() {
            running.kill_all();
        }
    }

    /// Something to wait on: gets a message when the run is ended by request, before this call or after it.
    pub(super) fn requests(&self) -> (Sender<()>, Receiver<()>) {
        let (sender, receiver) = channel();
        let mut told = self.told();
        told.commands.push(sender.clone());
        if self.asked.get().is_some() {
            let _ = sender.send(());
        }
        (sender, receiver)
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_by_request_or_by_time_and_says_why() {
        let ending = Ending::default();
        assert_eq!(ending.cause(), None);
        ending.stop(Cause::Interrupted);
        ending.stop(Cause::DiskFull);
        assert_eq!(ending.cause(), Some(Cause::Interrupted), "the first cause counts");
        assert_eq!(Ending::at(Some(Instant::now())).cause(), Some(Cause::Cap));
    }

    #[test]
    fn a_budget_can_be_set_later_and_only_once() {
        let ending = Ending::default();
        ending.limit(Instant::now());
        ending.limit(Instant::now() + std::time::Duration::from_secs(600));
        assert!(ending.reached());
    }

    #[test]
    fn who_asks_too_late_is_told_at_once() {
        let ending = Ending::default();
        ending.stop(Cause::Interrupted);
        let (_sender, receiver) = ending.requests();
        assert_eq!(receiver.try_recv(), Ok(()));
    }
}
