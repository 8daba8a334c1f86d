//! Depths.
