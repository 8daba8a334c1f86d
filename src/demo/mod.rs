//! `cargo hunkmut demo`: a first look without a repository of one's own.
//!
//! The example is a small crate with a plausible patch: its new tests miss two boundaries and one function, and one of
//! them can catch nothing. It is written as a real git repository, so that what the demo shows can be repeated there
//! by hand.

mod files;
mod repository;

pub use repository::{DemoRepo, write};

use std::path::Path;

/// How a person calls this program: as a cargo subcommand once its folder is on the `PATH`, by its path until then
/// (`cargo run -- demo` in a fresh clone).
pub fn program() -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match std::env::current_exe() {
        Ok(exe) => call(&exe, std::env::split_paths(&path).any(|dir| Some(dir.as_path()) == exe.parent())),
        Err(_) => SUBCOMMAND.to_owned(),
    }
}

const SUBCOMMAND: &str = "cargo hunkmut";

fn call(exe: &Path, on_path: bool) -> String {
    if on_path { SUBCOMMAND.to_owned() } else { crate::process::Cmd::new(exe).arg("hunkmut").to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_installed_is_called_by_its_path() {
        let exe = Path::new("/my clone/target/release/cargo-hunkmut");
        assert_eq!(call(exe, false), "'/my clone/target/release/cargo-hunkmut' hunkmut");
        assert_eq!(call(exe, true), "cargo hunkmut");
    }
}
