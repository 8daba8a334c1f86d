//! Scales.
