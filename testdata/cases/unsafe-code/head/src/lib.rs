//! Bytes.

pub fn next(bytes: &[u8], at: usize) -> Option<u8> {
    let inside = at + 1 < bytes.len();
    if inside {
        // SAFETY: inside.
        return Some(unsafe { *bytes.as_ptr().add(at + 1) });
    }
    None
}
