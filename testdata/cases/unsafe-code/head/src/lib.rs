//! Bytes.

pub fn next(bytes: &[u8], at: usize) -> Option<u8> {
    let inside = at + 1 < bytes.len();
    if inside {
        // SAFETY: inside.
        let byte = unsafe { *bytes.as_ptr().add(at + 1) };
        return Some(byte);
    }
    None
}
