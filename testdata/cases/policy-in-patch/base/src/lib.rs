//! Weather.
