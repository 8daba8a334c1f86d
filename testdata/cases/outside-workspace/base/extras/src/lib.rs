//! Extras.
