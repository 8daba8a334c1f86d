//! cargo's configuration for a folder.

use crate::process::Cmd;
use camino::Utf8Path;
use cargo_config2::{Config, ResolveOptions};

/// Reads it. The target that the compiler runs on is asked of the compiler: cargo's own verbose version looks around the
/// whole system first, which takes longer than most of what a run does before its build.
///
/// # Errors
/// When a file of it cannot be read or makes no sense.
pub fn cargo_config(dir: &Utf8Path) -> Result<Config, cargo_config2::Error> {
    let rustc = std::env::var_os("RUSTC").filter(|rustc| !rustc.is_empty()).unwrap_or_else(|| "rustc".into());
    let said = Cmd::new(rustc).arg("-vV").cwd(dir).run().map(|said| said.text()).unwrap_or_default();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    // Without an answer cargo is asked.
    let options = host.into_iter().fold(ResolveOptions::default(), ResolveOptions::host_triple);
    Config::load_with_options(dir, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_the_one_that_the_compiler_names() {
        let said = std::process::Command::new("rustc").arg("-vV").output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let config = cargo_config(Utf8Path::new(".")).unwrap();
        assert!(said.lines().any(|line| line.strip_prefix("host: ") == Some(config.host_triple().unwrap())));
    }
}
