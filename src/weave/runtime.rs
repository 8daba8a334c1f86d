//! Compiles the runtime crate that woven code calls, once per compiler and program version.

use crate::error::{Context, Error, Result};
use crate::process::Cmd;
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;

/// The crate's source.
const SOURCE: &str = include_str!("runtime/lib.rs");

/// So long is the channel's path in woven programs at least, filled up with slashes: an archive that is unpacked elsewhere
/// writes another one over it.
const CHANNEL_LENGTH: usize = 512;

/// The path at which woven code looks for the channel.
pub fn channel(hunkmut_dir: &Utf8Path) -> String {
    format!("{:/<CHANNEL_LENGTH$}", format!("{}/", hunkmut_dir.join("t").join(crate::exec::channel::FOLDER)))
}

/// Digest of what woven code and this program agree on.
pub fn protocol() -> String {
    crate::text::sha256(SOURCE)
}

/// A compiled runtime crate.
#[derive(Debug, Clone)]
pub struct Runtime {
    /// The `.rlib`.
    pub rlib: Utf8PathBuf,
    /// Changes with the source and the compiler.
    pub digest: String,
}

/// Compiles it below `hunkmut_dir`, unless that was done already for this compiler and target.
///
/// # Errors
/// When the compiler cannot be run or refuses.
pub fn compile(hunkmut_dir: &Utf8Path, rustc: &str, version: &str, target: Option<&str>) -> Result<Runtime> {
    let channel = channel(hunkmut_dir);
    let digest = crate::text::sha256(format!("{version}\n{}\n{channel}\n{SOURCE}", target.unwrap_or("")));
    let dir = hunkmut_dir.join("runtime").join(&digest[..16]);
    let rlib = dir.join("libhunkmut_rt.rlib");
    if rlib.exists() {
        return Ok(Runtime { rlib, digest });
    }
    fs::create_dir_all(&dir).doing(|| format!("create `{dir}`"))?;
    // Written elsewhere and renamed, so that a run that is killed here leaves no half library behind.
    let scratch =
        tempfile::Builder::new().prefix("build-").tempdir_in(&dir).doing(|| format!("write below `{dir}`"))?;
    let scratch_dir = Utf8Path::from_path(scratch.path())
        .ok_or_else(|| Error::new("compile the runtime crate", "the target directory's path is not UTF-8"))?;
    let source = scratch_dir.join("lib.rs");
    fs::write(&source, SOURCE).doing(|| format!("write `{source}`"))?;
    let mut cmd = Cmd::new(rustc)
        .args(["--edition=2021", "--crate-name=hunkmut_rt", "--crate-type=rlib", "--cap-lints=allow", "-Copt-level=3"])
        .args(["-Cmetadata=hunkmut", "--out-dir", scratch_dir.as_str(), source.as_str()]);
    cmd = cmd.env("HUNKMUT_CHANNEL", &channel);
    if let Some(target) = target {
        cmd = cmd.args(["--target", target]);
    }
    cmd.run()?;
    fs::rename(scratch_dir.join("libhunkmut_rt.rlib"), &rlib).doing(|| format!("write `{rlib}`"))?;
    Ok(Runtime { rlib, digest })
}
