//! A crowd.

use std::sync::atomic::{AtomicU32, Ordering};

/// Adds twice the numbers, each in a thread of its own.
pub fn total(numbers: &[u32]) -> u32 {
    let total = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for n in numbers.iter().copied() {
            let total = &total;
            scope.spawn(move || {
                total.fetch_add(n * 2, Ordering::Relaxed);
            });
        }
    });
    total.into_inner()
}
