//! Marked.
