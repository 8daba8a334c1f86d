//! Electricity by the unit.

/// The standing charge.
pub const STANDING: u32 = 30;

/// The price of some units: small customers pay less for each.
pub fn price(units: u32) -> u32 {
    if units <= 10 {
        return units * 9;
    }
    if units <= 100 {
        units * 12
    } else {
        units * 14 + STANDING
    }
}
