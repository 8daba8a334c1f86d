//! Depths.

/// Goes down until it is deep enough.
pub fn dive(depth: u64) -> u64 {
    if depth > 40 { return depth; }
    if depth < 4 { std::process::abort(); }
    dive(depth + 1)
}
