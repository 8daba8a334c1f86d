//! A crowd.
