//! How long cars may stay.

/// Whether a car may stay so many days.
pub fn may_stay(days: u32, member: bool) -> bool {
    member || days < 7
}
