//! What a stay in the car park costs. Money is in cents.

/// A stay no longer than this costs nothing.
pub const FREE_MINUTES: u32 = 15;
/// The price of every hour begun.
pub const HOUR: u32 = 180;
/// The most that one day can cost.
pub const DAY: u32 = 1_500;
/// The length of a day.
pub const DAY_MINUTES: u32 = 24 * 60;
/// Residents who spent this much in a month are loyal.
pub const LOYAL_FROM: u32 = 6_000;

/// The price of a stay within one day.
pub fn day_price(minutes: u32) -> u32 {
    (minutes.div_ceil(60) * HOUR).min(DAY)
}
