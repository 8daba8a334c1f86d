//! The pinned cargo-nextest, for machines that have none: put below `target/tools` the first time it is needed.

use super::program::clean;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

/// The version that is installed; one that is on the `PATH` already may be another.
const VERSION: &str = "0.9.143";

/// A `PATH` on which `cargo nextest` works; `None` when the caller's does.
pub fn path() -> Option<&'static OsString> {
    static PATH: OnceLock<Option<OsString>> = OnceLock::new();
    PATH.get_or_init(|| {
        let found = std::env::var_os("PATH").unwrap_or_default();
        if works(&found) {
            return None;
        }
        let exe = Path::new(env!("CARGO_BIN_EXE_cargo-hunkmut"));
        let tools = exe.parent().and_then(Path::parent).expect("target/<profile>/<program>").join("tools");
        let dirs = std::iter::once(tools.join("bin")).chain(std::env::split_paths(&found));
        let path = std::env::join_paths(dirs).expect("the folders of a PATH make a PATH");
        if !works(&path) {
            install(&tools);
        }
        Some(path)
    })
    .as_ref()
}

fn works(path: &OsString) -> bool {
    let mut nextest = clean("cargo", Path::new(env!("CARGO_MANIFEST_DIR")));
    nextest.args(["nextest", "--version"]).env("PATH", path).output().is_ok_and(|out| out.status.success())
}

/// Built without optimisation and without what only its own updates need, which is done sooner.
fn install(tools: &Path) {
    // Straight to the terminal: the test harness shows what it captures only of tests that fail.
    let _ = writeln!(std::io::stderr(), "installing cargo-nextest {VERSION} into {}, once", tools.display());
    let mut cargo = clean("cargo", Path::new(env!("CARGO_MANIFEST_DIR")));
    cargo.args(["install", "--locked", "--debug", "--no-default-features", "--root"]).arg(tools);
    cargo.arg(format!("cargo-nextest@{VERSION}")).env_remove("CARGO_NET_OFFLINE").env("CARGO_PROFILE_DEV_DEBUG", "0");
    let out = cargo.output().expect("cargo can be run");
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "cargo-nextest cannot be installed; put it on the PATH\n{said}");
}
