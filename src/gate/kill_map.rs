//! The gate `kill-map`: a patch that lost any detection that the base had is rejected.

/// The gate's name.
pub const NAME: &str = "kill-map";
