//! The clock of a run: where the time went, and when it has to end.

use crate::report::model::Timings;
use std::sync::{Mutex, MutexGuard, PoisonError};
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
    measured: Mutex<Measured>,
}

#[derive(Debug, Default)]
struct Measured {
    timings: Timings,
    /// In the order in which they first ended.
    steps: Vec<(&'static str, Duration)>,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { started: Instant::now(), measured: Mutex::default() }
    }
}

impl Clock {
    /// When the run began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Runs a part of a phase and adds its time.
    pub fn time<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let from = Instant::now();
        let value = work();
        self.add(phase, from.elapsed());
        value
    }

    /// Runs a step inside a phase and remembers its time under a name. Steps of several threads may overlap.
    pub fn step<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let from = Instant::now();
        let value = work();
        let time = from.elapsed();
        let steps = &mut self.measured().steps;
        match steps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => steps.push((name, time)),
        }
        value
    }

    /// Adds time to a phase.
    pub fn add(&self, phase: Phase, time: Duration) {
        let timings = &mut self.measured().timings;
        let slot = match phase {
            Phase::Scope => &mut timings.scope,
            Phase::Plan => &mut timings.plan,
            Phase::Build => &mut timings.build,
            Phase::Baseline => &mut timings.baseline,
            Phase::Mutants => &mut timings.mutants,
            Phase::Report => &mut timings.report,
        };
        *slot += millis(time);
    }

    /// The times so far, the total up to now.
    pub fn timings(&self) -> Timings {
        Timings { total: millis(self.started.elapsed()), ..self.measured().timings }
    }

    /// The steps inside the phases, in their order.
    pub fn steps(&self) -> Vec<(&'static str, Duration)> {
        self.measured().steps.clone()
    }

    fn measured(&self) -> MutexGuard<'_, Measured> {
        // Sums are whole at any time.
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
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
        let clock = Clock::default();
        clock.add(Phase::Build, Duration::from_millis(5));
        clock.add(Phase::Build, Duration::from_micros(2500));
        assert_eq!(clock.timings().build, 7.5);
        assert_eq!(clock.time(Phase::Scope, || 3), 3);
    }

    #[test]
    fn a_step_that_comes_again_adds_up() {
        let clock = Clock::default();
        clock.step("a", || ());
        assert_eq!(clock.step("b", || 7), 7);
        clock.step("a", || ());
        let names: Vec<_> = clock.steps().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "b"]);
    }
}
