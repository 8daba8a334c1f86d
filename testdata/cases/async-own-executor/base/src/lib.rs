//! Shelves.
