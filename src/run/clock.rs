//! The clock of a run: where the time went, and when it has to end.

use crate::report::model::Timings;
use std::time::{Duration, Instant};

/// A phase of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// git, policy, metadata, classification, mutants.
    Scope,
    /// The static test delta.
    Plan,
    /// Weaving and compiling.
    Build,
    /// Listing and the unmutated runs.
    Baseline,
    /// All runs with a mutant.
    Mutants,
    /// Rendering.
    Report,
}

/// Measures phases.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    timings: Timings,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { started: Instant::now(), timings: Timings::default() }
    }
}

impl Clock {
    /// When the run began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Runs a part of a phase and adds its time.
    pub fn time<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let from = Instant::now();
        let value = work();
        self.add(phase, from.elapsed());
        value
    }

    /// Adds time to a phase.
    pub fn add(&mut self, phase: Phase, time: Duration) {
        let slot = match phase {
            Phase::Scope => &mut self.timings.scope,
            Phase::Plan => &mut self.timings.plan,
            Phase::Build => &mut self.timings.build,
            Phase::Baseline => &mut self.timings.baseline,
            Phase::Mutants => &mut self.timings.mutants,
            Phase::Report => &mut self.timings.report,
        };
        *slot += millis(time);
    }

    /// The times so far, the total up to now.
    pub fn timings(&self) -> Timings {
        Timings { total: millis(self.started.elapsed()), ..self.timings }
    }
}

/// Milliseconds with three decimals.
pub fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_add_up() {
        let mut clock = Clock::default();
        clock.add(Phase::Build, Duration::from_millis(5));
        clock.add(Phase::Build, Duration::from_micros(2500));
        assert_eq!(clock.timings().build, 7.5);
        assert_eq!(clock.time(Phase::Scope, || 3), 3);
    }
}
