//! Without Landlock nothing is enforced.

use std::path::PathBuf;

/// What is enforced: nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restricted {
    /// Never.
    pub writes: bool,
    /// Never.
    pub all: bool,
}

/// Restricts nothing.
pub fn restrict(_writable: &[PathBuf], _tcp: bool) -> std::io::Result<Restricted> {
    Ok(Restricted { writes: false, all: false })
}
