//! Paths.

/// The length up to the query.
pub const fn scan(path: &[u8]) -> usize {
    let mut at = 0;
    while at < path.len() {
        if path[at] == b'?' || path[at] == b'#' {
            break;
        }
        at += 1;
    }
    at
}

/// Known when it is compiled.
pub const ROOT: usize = scan(b"/a?b");

/// Twice as much.
pub fn twice(n: usize) -> usize {
    n * 2
}
