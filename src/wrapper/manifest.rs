//! What the wrapper has to know, written by the build and read for every unit.

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
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
    /// Names of the variables that the run itself was started with: their values are the user's business.
    pub inherited: BTreeSet<String>,
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

    /// Whether a variable of a unit is written down: what cargo set for it, and nothing that the run has anyway.
    pub(super) fn records(&self, name: &str) -> bool {
        const BY_CARGO: [&str; 8] = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_CRATE_NAME",
            "CARGO_BIN_",
            "CARGO_PRIMARY_PACKAGE",
            "CARGO_TARGET_TMPDIR",
            "OUT_DIR",
            "LD_LIBRARY_PATH",
        ];
        !self.inherited.contains(name) || BY_CARGO.iter().any(|prefix| name.starts_with(prefix))
    }

    /// The variables that cargo has to see, so that it rebuilds exactly the units whose weave changed.
    pub fn environment(&self) -> impl Iterator<Item = (String, &str)> {
        self.units.iter().map(|(root, unit)| (variable_of(root), unit.digest.as_str()))
    }
}

/// What was made of a crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A library or a program.
    Plain,
    /// Its unit tests.
    Test,
    /// Nothing: it was checked. Dependencies that were only checked hold too little to generate code with.
    Checked,
}

/// How a woven unit was compiled, so that the same can be asked again of other text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitCommand {
    /// The crate root in the user's tree.
    pub root: Utf8PathBuf,
    /// What was made of it.
    pub form: Form,
    /// The compiler, and the wrapper before it if there is one.
    pub program: Vec<String>,
    /// rustc's arguments, with the root in the user's tree.
    pub args: Vec<String>,
    /// Where rustc ran.
    pub cwd: Utf8PathBuf,
    /// What its environment has beside the run's own: nothing of the user's is written down.
    pub env: Vec<(String, String)>,
}

impl UnitCommand {
    /// The files in which it is recorded: for its features, because a unit is compiled anew for others and found fresh
    /// when they come back; and as the latest one.
    pub fn files(&self, commands: &Utf8Path) -> [Utf8PathBuf; 2] {
        [Some(&self.features()), None].map(|features| UnitCommand::file_of(commands, &self.root, self.form, features))
    }

    fn file_of(commands: &Utf8Path, root: &Utf8Path, form: Form, features: Option<&BTreeSet<&str>>) -> Utf8PathBuf {
        let kind = match form {
            Form::Plain => "plain",
            Form::Test => "test",
            Form::Checked => "checked",
        };
        let features = features.map_or("latest".to_owned(), |features| format!("{features:?}"));
        let digest = crate::text::sha256(format!("{root}\0{features}"));
        commands.join(format!("{}-{kind}.json", &digest[..16]))
    }

    /// The features that it was compiled with.
    pub fn features(&self) -> BTreeSet<&str> {
        self.args.iter().filter_map(|arg| arg.strip_prefix("feature=\"")?.strip_suffix('"')).collect()
    }

    /// The recorded command of a unit with these features, or the latest one, if it was compiled.
    pub fn read(
        commands: &Utf8Path,
        root: &Utf8Path,
        form: Form,
        features: Option<&BTreeSet<&str>>,
    ) -> Option<UnitCommand> {
        let text = std::fs::read_to_string(UnitCommand::file_of(commands, root, form, features)).ok()?;
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
