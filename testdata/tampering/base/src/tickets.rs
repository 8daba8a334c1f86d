//! Lost and found tickets.

/// The number of a ticket, like `T-0042`.
pub fn number(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("T-").ok_or("no ticket")?;
    digits.parse().map_err(|_| "no number".to_string())
}

/// What share of the places is taken.
pub fn load(taken: u32, places: u32) -> f64 {
    f64::from(taken) / f64::from(places)
}
