//! Coins.
