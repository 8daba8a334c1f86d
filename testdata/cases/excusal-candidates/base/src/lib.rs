//! A lamp.
