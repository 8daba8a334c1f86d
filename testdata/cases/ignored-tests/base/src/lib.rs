//! Slow things.
