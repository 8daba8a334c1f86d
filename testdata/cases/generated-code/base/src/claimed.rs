//! Claimed to be generated.
