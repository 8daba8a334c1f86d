//! Inside.
