//! What the user's toolchain and cargo configuration say about running tests.

use crate::error::{Context as _, Error, Result};
use crate::exec::Ending;
use crate::process::Cmd;
use crate::workspace::cargo_config;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::Metadata;
use std::ffi::OsString;
use std::sync::Arc;

/// The first argument by which the program knows that it is the shim.
pub const SHIM: &str = "__hunkmut-shim";

/// The fixed surroundings of all test runs.
#[derive(Debug, Clone)]
pub struct Context {
    /// cargo.
    pub cargo: OsString,
    /// Where cargo is called from.
    pub cwd: Utf8PathBuf,
    /// What `cargo metadata` says: nextest's configuration lies at its root.
    pub metadata: Metadata,
    /// A file with the very text that `cargo metadata --format-version 1` printed.
    pub metadata_file: Utf8PathBuf,
    /// Variables that the build was given and test runs need as well, e.g. `CARGO_TARGET_DIR`.
    pub env: Vec<(OsString, OsString)>,
    /// `[env]` of the user's cargo configuration.
    pub config_env: Vec<(OsString, OsString)>,
    /// The host's target triple.
    pub host: String,
    /// `--target`, when given.
    pub target: Option<String>,
    /// The user's own target runner of the host; empty without one.
    pub host_runner: Vec<String>,
    /// The user's own target runner of the target; the host's without `--target`.
    pub runner: Vec<String>,
    /// The standard library's folders: the target's and the toolchain's own.
    pub libdirs: Vec<Utf8PathBuf>,
    /// The command that records a test; arguments are appended.
    pub shim: Vec<String>,
    /// `--profile` of nextest, when asked for.
    pub nextest_profile: Option<String>,
    /// A short folder of this program's own.
    pub scratch: Utf8PathBuf,
    /// Variables of the caller's environment that are kept from tests. By default none.
    pub withheld: Vec<OsString>,
    /// When commands have to end. By default never.
    pub ending: Arc<Ending>,
}

impl Context {
    /// Asks rustc and reads the cargo configuration as seen from `cwd`. The remaining fields are defaults that the
    /// caller may change.
    ///
    /// # Errors
    /// When the configuration cannot be read or rustc does not answer.
    pub fn new(
        cwd: &Utf8Path,
        metadata: Metadata,
        metadata_file: Utf8PathBuf,
        target: Option<&str>,
        scratch: Utf8PathBuf,
    ) -> Result<Context> {
        let reading = || format!("read the cargo configuration of `{cwd}`");
        let config = cargo_config(cwd).doing(reading)?;
        let host = config.host_triple().doing(reading)?.to_owned();
        let runner = |triple: &str| -> Result<Vec<String>> {
            let Some(runner) = config.runner(triple).doing(reading)? else { return Ok(Vec::new()) };
            let words = std::iter::once(runner.path.into_os_string()).chain(runner.args);
            words.map(|word| word.into_string().map_err(|_| Error::new(reading(), "a runner is not UTF-8"))).collect()
        };
        let set = |key: &str| std::env::var_os(key).is_some();
        let config_env = config.env.iter().filter(|(key, value)| value.force || !set(key));
        let this = std::env::current_exe().doing(|| "find this program".into())?;
        let this = this.into_os_string().into_string().map_err(|_| {
            Error::new("name this program to nextest", "its path is not UTF-8").hint("install it elsewhere")
        })?;
        Ok(Context {
            cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            cwd: cwd.to_owned(),
            metadata,
            metadata_file,
            env: Vec::new(),
            config_env: config_env.map(|(key, value)| (key.into(), value.value.clone())).collect(),
            target: target.map(str::to_owned),
            host_runner: runner(&host)?,
            runner: runner(target.unwrap_or(&host))?,
            libdirs: libdirs(&config.rustc().path, target)?,
            host,
            shim: vec![this, SHIM.to_owned()],
            nextest_profile: None,
            scratch,
            withheld: Vec::new(),
            ending: Arc::default(),
        })
    }
}

fn libdirs(rustc: &std::path::Path, target: Option<&str>) -> Result<Vec<Utf8PathBuf>> {
    let mut ask = Cmd::new(rustc).args(["--print", "target-libdir", "--print", "sysroot"]);
    if let Some(target) = target {
        ask = ask.args(["--target", target]);
    }
    let said = ask.run()?.text();
    let mut lines = said.lines();
    let target = lines.next().map(Utf8PathBuf::from);
    let sysroot = lines.next().map(|root| Utf8Path::new(root).join("lib"));
    Ok(target.into_iter().chain(sysroot).collect())
}

/// Who runs the tests of the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// nextest.
    Nextest {
        /// Its version.
        version: String,
    },
    /// This program, one libtest process a test.
    Direct,
}

impl Driver {
    /// nextest where it is installed. Without it, this program itself, unless nextest is `forced` or the workspace
    /// configures it: what its configuration does to tests cannot be guessed.
    ///
    /// # Errors
    /// When nextest is needed and missing.
    pub fn choose(context: &Context, forced: bool) -> Result<Driver> {
        if let Some(version) = nextest_version(&context.cargo) {
            return Ok(Driver::Nextest { version });
        }
        let configured = context.metadata.workspace_root.join(".config/nextest.toml").exists();
        match (forced, configured) {
            (true, _) => Err(missing("it was asked for")),
            (false, true) => Err(missing("this workspace configures it in `.config/nextest.toml`")),
            (false, false) => Ok(Driver::Direct),
        }
    }
}

/// The version of the installed nextest.
fn nextest_version(cargo: &OsString) -> Option<String> {
    let said = Cmd::new(cargo).args(["nextest", "--version"]).run().ok()?.text();
    version(&said).map(str::to_owned)
}

fn version(said: &str) -> Option<&str> {
    said.lines().next()?.strip_prefix("cargo-nextest ")?.split_whitespace().next()
}

/// The error for a missing nextest.
pub(super) fn missing(why: &str) -> Error {
    Error::new("run the tests", format!("cargo-nextest is not installed, and {why}"))
        .hint("install it with `cargo install --locked cargo-nextest`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_first_line() {
        assert_eq!(version("cargo-nextest 0.9.143 (60fa45f63 2026-08-04)\nrelease: 0.9.143\n"), Some("0.9.143"));
        assert_eq!(version("error: no such command"), None);
    }

    #[test]
    fn without_nextest_there_is_no_version() {
        assert_eq!(nextest_version(&"/no/such/cargo".into()), None);
    }

    #[test]
    fn a_missing_nextest_says_how_to_get_it() {
        assert!(missing("x").to_string().contains("cargo install --locked cargo-nextest"));
    }
}
