//! Brötchen.
