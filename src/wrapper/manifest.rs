//! What the wrapper has to know, written by the build and read for every unit.

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;

/// The weave of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The compiled runtime crate.
    pub runtime: Utf8PathBuf,
    /// The directory that mirrors the root of the tree.
    pub shadow: Utf8PathBuf,
    /// The same for the cargo workspace in it.
    pub shadow_workspace: Utf8PathBuf,
    /// The root of the tree, with a final slash.
    pub tree: String,
    /// The wrapper that the user's own configuration names, with its arguments.
    pub chained: Vec<String>,
    /// Where the command of each woven unit is recorded.
    pub commands: Utf8PathBuf,
    /// Woven units by the canonical path of their crate root.
    pub units: BTreeMap<Utf8PathBuf, Unit>,
}

/// One woven crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The crate root in the shadow.
    pub shadow_root: Utf8PathBuf,
    /// Hex digest of everything woven into it.
    pub digest: String,
}

impl Manifest {
    /// Reads a manifest.
    pub(super) fn read(path: &OsStr) -> Result<Manifest, String> {
        let text = std::fs::read_to_string(path).map_err(|why| format!("could not read {path:?}: {why}"))?;
        serde_json::from_str(&text).map_err(|why| format!("could not read {path:?}: {why}"))
    }

    /// The directory of the runtime crate, for `-L dependency=`.
    pub fn runtime_dir(&self) -> &Utf8Path {
        self.runtime.parent().unwrap_or(Utf8Path::new("."))
    }

    /// The variables that cargo has to see, so that it rebuilds exactly the units whose weave changed.
    pub fn environment(&self) -> impl Iterator<Item = (String, &str)> {
        self.units.iter().map(|(root, unit)| (variable_of(root), unit.digest.as_str()))
    }
}

/// How a woven unit was compiled, so that the same can be asked again of other text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitCommand {
    /// The crate root in the user's tree.
    pub root: Utf8PathBuf,
    /// Whether the unit holds the crate's unit tests.
    pub test: bool,
    /// The compiler, and the wrapper before it if there is one.
    pub program: Vec<String>,
    /// rustc's arguments, with the root in the user's tree.
    pub args: Vec<String>,
    /// Where rustc ran.
    pub cwd: Utf8PathBuf,
    /// Its whole environment.
    pub env: Vec<(String, String)>,
}

impl UnitCommand {
    /// The file in which the command of a unit is recorded.
    pub fn file(commands: &Utf8Path, root: &Utf8Path, test: bool) -> Utf8PathBuf {
        let kind = if test { "test" } else { "plain" };
        commands.join(format!("{}-{kind}.json", &crate::text::sha256(root.as_str())[..16]))
    }

    /// The recorded command of a unit, if it was compiled.
    pub fn read(commands: &Utf8Path, root: &Utf8Path, test: bool) -> Option<UnitCommand> {
        let text = std::fs::read_to_string(UnitCommand::file(commands, root, test)).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// The name of a unit's variable.
pub fn variable_of(root: &Utf8Path) -> String {
    format!("HUNKMUT_WEAVE_{}", &crate::text::sha256(root.as_str())[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_apart_by_their_root() {
        assert_ne!(variable_of("/a/src/lib.rs".into()), variable_of("/a/src/main.rs".into()));
    }
}
