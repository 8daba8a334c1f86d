//! How a process learns which mutant is live when the test that started it has cleared its environment.
//!
//! Woven code reads environment variables, and children inherit them, unless a test starts its program with none. Such a
//! process looks for a parent that starts tests: that parent has a file `p<its ID>` in the channel's folder, whose path
//! is compiled into the woven program, and a file `c<ID>` for each test that it has started, which holds the variables.
//! The parent's file is there before the test is, so that whoever finds it knows that the other one will come.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The channel's folder below the folder of the workers' files.
pub const FOLDER: &str = "channel";

/// This process as one that starts tests.
#[derive(Debug, Clone)]
pub struct Channel {
    dir: PathBuf,
}

impl Channel {
    /// Says that this process starts tests.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn open(dir: &Path) -> std::io::Result<Channel> {
        std::fs::create_dir_all(dir)?;
        std::fs::write(dir.join(format!("p{}", std::process::id())), "")?;
        Ok(Channel { dir: dir.to_owned() })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What a test that has just been started, and all below it, are to know.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn tell(&self, child: u32, variables: &[(&str, OsString)]) -> std::io::Result<()> {
        let mut text = Vec::new();
        for (key, value) in variables {
            text.extend_from_slice(key.as_bytes());
            text.push(b'=');
            text.extend_from_slice(OsStr::as_encoded_bytes(value));
            text.push(0);
        }
        // whoever reads finds the whole of it
        let new = self.dir.join(format!("c{child}.new"));
        std::fs::write(&new, text)?;
        std::fs::rename(&new, self.file(child))
    }

    /// Takes it back. Must come before the child is reaped: until then its ID cannot name another process.
    pub fn forget(&self, child: u32) {
        let _ = std::fs::remove_file(self.file(child));
    }

    /// This process starts no more tests.
    pub fn close(&self) {
        let _ = std::fs::remove_file(self.dir.join(format!("p{}", std::process::id())));
        // where others use it still, it is not empty
        let _ = std::fs::remove_dir(&self.dir);
    }

    fn file(&self, child: u32) -> PathBuf {
        self.dir.join(format!("c{child}"))
    }
}
