//! Sums.

/// Adds.
///
/// ```
/// assert_eq!(sum::add(1, 2), 3);
/// ```
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}
