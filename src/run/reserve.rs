//! Space for the report, set aside before anything else can fill the disk.
//!
//! Mutants write, builds write, other programs write. A run that ends because the disk is full still has verdicts, and
//! they have to reach the disk.

use camino::{Utf8Path, Utf8PathBuf};
use std::fs::File;
use std::io::Write;

/// Room for the reports of some thousand mutants, in both forms.
const BYTES: usize = 8 << 20;

/// A file that takes up space until it is dropped.
pub struct Reserve(Utf8PathBuf);

impl Reserve {
    /// Sets space aside below `dir`. Where that fails there is nothing to set aside, and the run goes on without.
    pub fn hold(dir: &Utf8Path) -> Reserve {
        let path = dir.join("reserve");
        let _ = File::create(&path).and_then(|file| fill(&file));
        Reserve(path)
    }
}

#[cfg(target_os = "linux")]
fn fill(file: &File) -> std::io::Result<()> {
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, BYTES as u64) {
        Ok(()) => Ok(()),
        Err(_) => write(file),
    }
}

#[cfg(not(target_os = "linux"))]
fn fill(file: &File) -> std::io::Result<()> {
    write(file)
}

fn write(mut file: &File) -> std::io::Result<()> {
    // not zeros: some file systems do not store them
    file.write_all(&vec![0x5a; BYTES])
}

impl Drop for Reserve {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_space_is_taken_while_it_is_held_and_free_afterwards() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(scratch.path()).unwrap();
        let reserve = Reserve::hold(dir);
        assert_eq!(std::fs::metadata(dir.join("reserve")).unwrap().len(), BYTES as u64);
        drop(reserve);
        assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0);
    }
}
