//! Electricity by the unit.

/// The standing charge.
pub const STANDING: u32 = 30;
