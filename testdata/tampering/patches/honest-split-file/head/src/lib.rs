//! Fees of a car park.

mod stays;
pub mod tickets;

pub use stays::may_stay;

/// Fee in cents for some minutes.
pub fn fee(minutes: u32) -> u32 {
    if minutes <= 15 {
        return 0;
    }
    let hours = minutes / 60 + 1;
    hours * 250
}
