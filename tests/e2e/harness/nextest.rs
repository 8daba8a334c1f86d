//! The pinned cargo-nextest, for machines that have none: put below `target/tools` the first time it is needed.

use super::program::clean;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The version that is installed; one that is on the `PATH` already may be another.
const VERSION: &str = "0.9.143";

/// A `PATH` on which `cargo nextest` works; `None` when the caller's does, or when none can be had.
pub fn path() -> Option<&'static OsString> {
    provided().as_ref().ok()?.as_ref()
}

/// Fails the test when there is no cargo-nextest and none can be installed.
#[track_caller]
pub fn required() {
    if let Err(why) = provided() {
        panic!("this test needs cargo-nextest, which cannot be installed:\n{why}");
    }
}

/// Asked once: a second try would not end better.
fn provided() -> &'static Result<Option<OsString>, String> {
    static PROVIDED: OnceLock<Result<Option<OsString>, String>> = OnceLock::new();
    PROVIDED.get_or_init(|| {
        let found = std::env::var_os("PATH").unwrap_or_default();
        if works(&found) {
            return Ok(None);
        }
        let exe = Path::new(env!("CARGO_BIN_EXE_cargo-hunkmut"));
        let tools = exe.parent().and_then(Path::parent).expect("target/<profile>/<program>").join("tools");
        let path = with(std::iter::once(tools.join("bin")).chain(std::env::split_paths(&found)));
        if !works(&path) {
            install(&tools, &found).inspect_err(|_| say("cargo-nextest cannot be installed: testing without it"))?;
        }
        Ok(Some(path))
    })
}

fn with(dirs: impl Iterator<Item = PathBuf>) -> OsString {
    std::env::join_paths(dirs).expect("the folders of a PATH make a PATH")
}

fn works(path: &OsString) -> bool {
    let mut nextest = clean("cargo", Path::new(env!("CARGO_MANIFEST_DIR")));
    nextest.args(["nextest", "--version"]).env("PATH", path).output().is_ok_and(|out| out.status.success())
}

/// Built without optimisation and without what only its own updates need, which is done sooner.
fn install(tools: &Path, path: &OsString) -> Result<(), String> {
    say(&format!("installing cargo-nextest {VERSION} into {}, once", tools.display()));
    // It has C code in it, and a linker alone compiles none: the rest of the C tools are where the linker really is.
    let dirs: Vec<PathBuf> = std::env::split_paths(path).collect();
    let linker = dirs.iter().filter_map(|dir| dir.join("cc").canonicalize().ok()).next();
    let beside = linker.as_deref().and_then(Path::parent).map(Path::to_owned);
    let mut cargo = clean("cargo", Path::new(env!("CARGO_MANIFEST_DIR")));
    cargo.args(["install", "--locked", "--debug", "--no-default-features", "--root"]).arg(tools);
    cargo.arg(format!("cargo-nextest@{VERSION}")).env("PATH", with(dirs.into_iter().chain(beside)));
    cargo.env_remove("CARGO_NET_OFFLINE").env("CARGO_PROFILE_DEV_DEBUG", "0");
    let out = cargo.output().map_err(|why| why.to_string())?;
    if out.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&out.stderr).into_owned()) }
}

/// Straight to the terminal: the test harness shows what it captures only of tests that fail.
fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}
