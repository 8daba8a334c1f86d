//! What earlier campaigns have seen: for the very same test executable in the very same surroundings.

use super::shot::Shot;

/// Remembers what single tests make of single mutants. Only passes and kills can be recalled; whether one may be is for
/// the implementation to know, and what it recalls is believed.
pub trait Memory: Sync {
    /// What `test` makes of the mutant of `job`.
    fn recall(&self, job: usize, test: usize) -> Option<Shot>;

    /// Hears what it has just made of it.
    fn remember(&self, job: usize, test: usize, shot: &Shot);
}

/// Nothing is remembered.
impl Memory for () {
    fn recall(&self, _job: usize, _test: usize) -> Option<Shot> {
        None
    }

    fn remember(&self, _job: usize, _test: usize, _shot: &Shot) {}
}
