//! When a campaign has to end before it is done: somebody asks for it, or the budget is spent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Asked before and after every run of a test; a run during which it comes means nothing.
#[derive(Debug, Default)]
pub struct Ending {
    stop: AtomicBool,
    deadline: Option<Instant>,
}

impl Ending {
    /// Comes at `deadline`, if there is one, or when [`Ending::stop`] is called.
    pub fn at(deadline: Option<Instant>) -> Ending {
        Ending { stop: AtomicBool::new(false), deadline }
    }

    /// Ends the campaign now. Follow it with [`super::Running::kill_all`] to end the running tests as well.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Whether the campaign is over.
    pub fn reached(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The end of the budget.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_by_request_or_by_time() {
        let ending = Ending::default();
        assert!(!ending.reached());
        ending.stop();
        assert!(ending.reached());
        assert!(Ending::at(Some(Instant::now())).reached());
    }
}
