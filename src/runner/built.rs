//! What a build made, as far as running tests needs it.

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Message, Metadata, TargetKind};
use nextest_metadata::{RustBinaryId, RustTestBinaryKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One test executable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestBinary {
    /// nextest's ID; see [`crate::test_id::TestId::binary_id`].
    pub binary_id: String,
    /// The package's name.
    pub package_name: String,
    /// The folder of its `Cargo.toml`: where its tests run.
    pub package_dir: Utf8PathBuf,
    /// cargo's own ID of the package.
    pub package_id: String,
    /// `lib`, `proc-macro`, `bin`, `example`, `test` or `bench`.
    pub target_kind: String,
    /// The target's name.
    pub target_name: String,
    /// The executable.
    pub path: Utf8PathBuf,
}

/// A plain executable that tests may start through `CARGO_BIN_EXE_<name>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// cargo's ID of its package.
    pub package_id: String,
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub path: Utf8PathBuf,
}

/// What a build script said that matters when tests run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// cargo's ID of its package.
    pub package_id: String,
    /// Its `OUT_DIR`.
    pub out_dir: Utf8PathBuf,
    /// Its `cargo::rustc-env` variables.
    pub env: Vec<(String, String)>,
    /// Its `cargo::rustc-link-search` folders, without the kind.
    pub linked_paths: Vec<Utf8PathBuf>,
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// cargo's target directory of this build.
    pub target_dir: Utf8PathBuf,
    /// cargo's build directory of this build; the target directory unless set otherwise.
    pub build_dir: Utf8PathBuf,
    /// Test executables.
    pub binaries: Vec<TestBinary>,
    /// Plain executables.
    pub programs: Vec<Program>,
    /// Build scripts, dependencies' included.
    pub scripts: Vec<Script>,
    /// Dynamic libraries, procedural macros apart.
    pub libraries: Vec<Utf8PathBuf>,
}

impl Built {
    /// Reads cargo's JSON messages of a build. Packages that `metadata` does not know are left out.
    pub fn from_messages<'m>(
        messages: impl IntoIterator<Item = &'m Message>,
        metadata: &Metadata,
        target_dir: &Utf8Path,
        build_dir: &Utf8Path,
    ) -> Built {
        let packages: BTreeMap<_, _> = metadata.packages.iter().map(|package| (&package.id, package)).collect();
        let mut built =
            Built { target_dir: target_dir.to_owned(), build_dir: build_dir.to_owned(), ..Built::default() };
        for message in messages {
            match message {
                Message::CompilerArtifact(artifact) => {
                    built.libraries.extend(dynamic_libraries(artifact));
                    let Some(path) = artifact.executable.clone() else { continue };
                    let Some(package) = packages.get(&artifact.package_id) else { continue };
                    let Some(kind) = kind(&artifact.target.kind) else { continue };
                    let package_id = artifact.package_id.repr.clone();
                    if artifact.profile.test {
                        let id = RustBinaryId::from_parts(
                            &package.name,
                            &RustTestBinaryKind::new(kind),
                            &artifact.target.name,
                        );
                        built.binaries.push(TestBinary {
                            binary_id: id.as_str().to_owned(),
                            package_name: package.name.to_string(),
                            package_dir: package.manifest_path.parent().unwrap_or(Utf8Path::new("/")).to_owned(),
                            package_id,
                            target_kind: kind.to_owned(),
                            target_name: artifact.target.name.clone(),
                            path,
                        });
                    } else if kind == "bin" {
                        built.programs.push(Program { package_id, name: artifact.target.name.clone(), path });
                    }
                }
                Message::BuildScriptExecuted(script) => built.scripts.push(Script {
                    package_id: script.package_id.repr.clone(),
                    out_dir: script.out_dir.clone(),
                    env: script.env.clone(),
                    linked_paths: script.linked_paths.iter().map(|path| without_kind(path)).collect(),
                }),
                _ => {}
            }
        }
        built
    }

    /// The binary with this ID.
    pub fn binary(&self, binary_id: &str) -> Option<&TestBinary> {
        self.binaries.iter().find(|binary| binary.binary_id == binary_id)
    }

    /// The folders that final artifacts lie in, e.g. `debug`, relative to the build or target directory.
    pub(super) fn output_dirs(&self) -> Vec<Utf8PathBuf> {
        let paths = self.binaries.iter().map(|binary| &binary.path).chain(self.programs.iter().map(|p| &p.path));
        let mut dirs: Vec<Utf8PathBuf> = paths.filter_map(|path| self.output_dir(path)).collect();
        dirs.sort();
        dirs.dedup();
        dirs
    }

    fn output_dir(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let dir = path.parent()?;
        let above = if matches!(dir.file_name(), Some("deps" | "examples")) { dir.parent()? } else { dir };
        [&self.build_dir, &self.target_dir]
            .into_iter()
            .find_map(|root| above.strip_prefix(root).ok())
            .map(Utf8Path::to_owned)
    }
}

/// What tests may load at run time.
fn dynamic_libraries(artifact: &cargo_metadata::Artifact) -> impl Iterator<Item = Utf8PathBuf> + '_ {
    let is_loaded = artifact.target.kind.iter().any(|kind| matches!(kind, TargetKind::DyLib | TargetKind::CDyLib));
    let is_dynamic = |path: &&Utf8PathBuf| matches!(path.extension(), Some("so" | "dylib" | "dll"));
    artifact.filenames.iter().filter(move |path| is_loaded && is_dynamic(path)).cloned()
}

/// The kind as nextest's binary IDs have it; `None` for build scripts and kinds of the future.
fn kind(kinds: &[TargetKind]) -> Option<&'static str> {
    kinds.iter().find_map(|kind| match kind {
        TargetKind::Lib | TargetKind::RLib | TargetKind::DyLib | TargetKind::CDyLib | TargetKind::StaticLib => {
            Some("lib")
        }
        TargetKind::ProcMacro => Some("proc-macro"),
        TargetKind::Bin => Some("bin"),
        TargetKind::Example => Some("example"),
        TargetKind::Test => Some("test"),
        TargetKind::Bench => Some("bench"),
        _ => None,
    })
}

/// `native=/dir` is `/dir`.
fn without_kind(path: &Utf8Path) -> Utf8PathBuf {
    let text = path.as_str();
    let kinds = ["dependency=", "crate=", "native=", "framework=", "all="];
    kinds.iter().find_map(|kind| text.strip_prefix(kind)).unwrap_or(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_folders_are_seen_from_either_root() {
        let binary = |path: &str| TestBinary {
            binary_id: "a".into(),
            package_name: "a".into(),
            package_dir: "/w".into(),
            package_id: "a".into(),
            target_kind: "lib".into(),
            target_name: "a".into(),
            path: path.into(),
        };
        let program = Program { package_id: "a".into(), name: "a".into(), path: "/w/target/hunkmut/x/debug/a".into() };
        let built = Built {
            target_dir: "/w/target/hunkmut/x".into(),
            build_dir: "/w/target".into(),
            binaries: vec![binary("/w/target/debug/deps/a-1"), binary("/w/target/debug/deps/b-1")],
            programs: vec![program],
            scripts: vec![],
            libraries: vec![],
        };
        // the target directory lies below the build directory here: the build directory's view wins
        assert_eq!(built.output_dirs(), ["debug", "hunkmut/x/debug"]);
    }

    #[test]
    fn a_search_path_loses_its_kind() {
        assert_eq!(without_kind("native=/a b".into()), "/a b");
        assert_eq!(without_kind("/plain=x".into()), "/plain=x");
    }
}
