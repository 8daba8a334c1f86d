//! Fees of a car park.

pub mod tickets;

/// Fee in cents for some minutes.
pub fn fee(minutes: u32) -> u32 {
    if minutes <= 15 {
        return 0;
    }
    let hours = minutes / 60 + 1;
    hours * 250
}

/// Fee in cents of a lost ticket.
pub fn lost(days: u32) -> u32 {
    if days > 3 { 9_000 } else { 3_000 }
}

/// Whether a car may stay so many days.
pub fn may_stay(days: u32, member: bool) -> bool {
    member || days < 7
}
