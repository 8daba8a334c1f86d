//! Names.

use std::ops::Add;

/// A full name.
pub fn full(first: &str, last: &str) -> String {
    first.to_string() + last
}

/// Sums of anything that can only be added.
pub fn total<T: Add<Output = T> + Clone>(a: T, b: &T) -> T {
    a + b.clone()
}

/// Whether initials are too long for a badge.
pub fn too_long(initials: &str) -> bool {
    initials.len() > 3
}
