//! What the compiler refused in the last woven build, kept for `rerun`: it begins where that ended.

use crate::build::Refusals;
use crate::report::atomic;
use camino::{Utf8Path, Utf8PathBuf};

fn file(hunkmut_dir: &Utf8Path) -> Utf8PathBuf {
    hunkmut_dir.join("refused.json")
}

/// Keeps them. Without them a later build takes longer, so that a failure to write is none.
pub fn keep(hunkmut_dir: &Utf8Path, refused: &Refusals) {
    if let Ok(text) = serde_json::to_vec(refused) {
        let _ = atomic::write(&file(hunkmut_dir), &text);
    }
}

/// Those of the last build; none when they cannot be read.
pub fn read(hunkmut_dir: &Utf8Path) -> Refusals {
    let text = std::fs::read(file(hunkmut_dir)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}
