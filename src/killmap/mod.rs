//! Kill maps: which mutants of one revision its tests notice, with names that mean the same on both sides of a diff.

pub mod identity;
pub mod importers;
pub mod model;
pub mod select;
