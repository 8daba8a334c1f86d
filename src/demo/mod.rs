//! `cargo hunkmut demo`: a first look without a repository of one's own.
//!
//! The example is a small crate with a plausible patch: its new tests miss two boundaries and one function, and one of
//! them can catch nothing. It is written as a real git repository, so that what the demo shows can be repeated there
//! by hand.

mod files;
mod repository;

pub use repository::{DemoRepo, write};

use crate::process::Cmd;
use std::path::Path;

/// How a person calls this program: as a cargo subcommand once its folder is on the `PATH`, by its path until then
/// (`cargo run -- demo` in a fresh clone).
pub fn program() -> Cmd {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match std::env::current_exe() {
        Ok(exe) if !std::env::split_paths(&path).any(|dir| Some(dir.as_path()) == exe.parent()) => by_path(&exe),
        Ok(_) | Err(_) => Cmd::new("cargo").arg("hunkmut"),
    }
}

fn by_path(exe: &Path) -> Cmd {
    Cmd::new(exe).arg("hunkmut")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_installed_is_called_by_its_path() {
        let exe = Path::new("/my clone/target/release/cargo-hunkmut");
        assert_eq!(by_path(exe).to_string(), "'/my clone/target/release/cargo-hunkmut' hunkmut");
        // The test binary's folder is on nobody's PATH.
        assert_ne!(program().to_string(), "cargo hunkmut");
    }
}
