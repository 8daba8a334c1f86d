//! Compiling: all woven mutants at once, single ones as real source changes, and the unmutated tree.
//!
//! Intermediate files go to the user's own build directory, so that compiled dependencies are shared; the wrapper's path
//! is part of cargo's fingerprint of workspace crates, so the user's own artifacts stay as they are.

mod assembly;
mod blame;
mod body;
mod bystanders;
mod cargo;
mod copies;
mod direct;
mod equivalence;
mod rebuild;
mod seen;
mod validity;
mod woven;

pub use bystanders::Bystanders;
pub use cargo::{BuildFailure, Diagnostic};
pub use equivalence::compare as compare_optimised;
pub use rebuild::{rebuild, rebuild_texts};
pub use validity::{Validity, check};
pub use woven::{Fate, Refusals, WovenBuild, weave_and_build, weave_from};

use crate::error::{Context, Result};
use crate::exec::Ending;
use crate::plan::Planned;
use crate::scope::Scope;
use crate::weave::{Shadow, runtime::Runtime};
use crate::workspace::modules::ModuleMap;
use crate::workspace::{CargoOptions, Edition, TargetKind, Workspace};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that stays the same over all builds of a run.
pub struct Builder<'a> {
    /// The root of the tree in which the head lies.
    pub tree: &'a Utf8Path,
    /// The workspace in it.
    pub workspace: &'a Workspace,
    /// Its module trees.
    pub modules: &'a ModuleMap,
    /// The changed files.
    pub scope: &'a Scope,
    /// The mutants.
    pub mutants: &'a [Planned],
    /// Features, profile, target triple …
    pub options: &'a CargoOptions,
    /// `target/hunkmut` of the user's workspace.
    pub hunkmut_dir: &'a Utf8Path,
    /// The user's build directory, when cargo knows of one.
    pub build_dir: Option<&'a Utf8Path>,
    /// The test targets in use: (package, target).
    pub targets: &'a BTreeSet<(usize, usize)>,
    /// This program.
    pub program: &'a Utf8Path,
    /// A workspace wrapper of the user's own, with arguments.
    pub chained: &'a [String],
    /// The compiled runtime crate.
    pub runtime: &'a Runtime,
    /// When builds have to end.
    pub ending: &'a Ending,
}

/// The text of every file that differs from the user's tree, by path in the repository.
pub type Texts = BTreeMap<String, String>;

impl Builder<'_> {
    fn shadow(&self) -> Shadow {
        Shadow::new(self.hunkmut_dir, self.tree)
    }

    fn manifest_file(&self) -> Utf8PathBuf {
        self.hunkmut_dir.join("wrapper.json")
    }

    fn commands(&self) -> Utf8PathBuf {
        self.hunkmut_dir.join("units")
    }

    /// The path in the repository of the cargo workspace, `""` when the same.
    fn workspace_path(&self) -> &Utf8Path {
        self.workspace.root.strip_prefix(self.tree).unwrap_or(Utf8Path::new(""))
    }

    /// Whether the targets in use compile a mutant's code at all.
    pub fn is_built(&self, mutant: &Planned) -> bool {
        let (path, _) = self.file_of(mutant);
        self.modules.uses(path).iter().any(|of| {
            if self.targets.contains(&(of.package, of.target)) {
                return true;
            }
            let kind = |(package, target): &(usize, usize)| self.workspace.packages[*package].targets[*target].kind;
            match kind(&(of.package, of.target)) {
                TargetKind::Lib | TargetKind::ProcMacro => {
                    let users = self.workspace.dependents(BTreeSet::from([of.package]));
                    self.targets.iter().any(|(package, _)| users.contains(package))
                }
                // The tests beside a program can start it.
                TargetKind::Bin => self.targets.iter().any(|target| {
                    target.0 == of.package && matches!(kind(target), TargetKind::Test | TargetKind::Bench)
                }),
                TargetKind::Test | TargetKind::Bench | TargetKind::Example => false,
                TargetKind::BuildScript => true,
            }
        })
    }

    /// The file's path and text of a mutant.
    fn file_of(&self, mutant: &Planned) -> (&str, &str) {
        let file = &self.scope.files[mutant.file];
        (&file.path, file.source.as_ref().map_or("", |source| &source.text))
    }

    /// The text of a mutant's file with the mutant as a plain change.
    pub fn mutated(&self, mutant: &Planned) -> String {
        let (_, text) = self.file_of(mutant);
        let span = &mutant.proposal.span;
        format!("{}{}{}", &text[..span.start], mutant.proposal.replacement, &text[span.end..])
    }

    /// The crate roots that hold any of these files: canonical path, edition, and the files.
    fn units_of(&self, files: &Texts) -> BTreeMap<Utf8PathBuf, (Edition, BTreeSet<String>)> {
        let mut units: BTreeMap<Utf8PathBuf, (Edition, BTreeSet<String>)> = BTreeMap::new();
        for file in files.keys() {
            for of in self.modules.uses(file) {
                let target = &self.workspace.packages[of.package].targets[of.target];
                if target.kind == crate::workspace::TargetKind::BuildScript {
                    continue;
                }
                let unit = units.entry(target.root.clone()).or_insert((target.edition, BTreeSet::new()));
                unit.1.insert(file.clone());
            }
        }
        units
    }

    /// Lays changed texts over the tree and says so to the wrapper. `runtime` is set when they call the runtime crate.
    fn lay(&self, mut texts: Texts, runtime: bool) -> Result<crate::wrapper::Manifest> {
        let shadow = self.shadow();
        let units = self.units_of(&texts);
        let mut digests = BTreeMap::new();
        for (root, (edition, files)) in &units {
            let Ok(path) = root.strip_prefix(self.tree) else { continue };
            let parts: Vec<&str> = files.iter().flat_map(|file| [file.as_str(), texts[file].as_str()]).collect();
            let digest = crate::text::sha256(format!("{}\0{}", self.runtime.digest, parts.join("\0")));
            if *edition == Edition::E2015 && runtime {
                // Only from 2018 on a crate that is handed in can be named without this.
                let text = match texts.get(path.as_str()) {
                    Some(text) => text.clone(),
                    None => std::fs::read_to_string(root).unwrap_or_default(),
                };
                texts.insert(path.to_string(), with_extern_crate(&text));
            }
            digests.insert(root.clone(), (path.to_owned(), digest));
        }
        // A crate root that is not woven itself must lie in the shadow all the same, beside its woven modules.
        let roots: Vec<String> = digests.values().map(|(path, _)| path.to_string()).collect();
        for path in roots {
            if let std::collections::btree_map::Entry::Vacant(entry) = texts.entry(path) {
                let home = self.tree.join(entry.key());
                let text = std::fs::read_to_string(&home).doing(|| format!("read `{home}`"))?;
                entry.insert(text);
            }
        }
        shadow.lay(&texts)?;
        let manifest = crate::wrapper::Manifest {
            runtime: self.runtime.rlib.clone(),
            shadow: shadow.dir().to_owned(),
            shadow_workspace: shadow.dir().join(self.workspace_path()).as_str().trim_end_matches('/').into(),
            tree: format!("{}/", self.tree),
            chained: self.chained.to_vec(),
            commands: self.commands(),
            inherited: std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect(),
            units: digests
                .into_iter()
                .map(|(root, (path, digest))| {
                    let shadow_root = shadow.path_of(path.as_str());
                    (root, crate::wrapper::Unit { shadow_root, digest })
                })
                .collect(),
        };
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|why| crate::error::Error::new("write the wrapper's manifest", why))?;
        crate::weave::write_if_changed(&self.manifest_file(), text.as_bytes())?;
        Ok(manifest)
    }
}

/// Puts the `extern crate` item of edition 2015 before the first item, on its line.
fn with_extern_crate(text: &str) -> String {
    const ITEM: &str = "#[allow(unused_extern_crates)] extern crate hunkmut_rt; ";
    let Ok(source) = crate::source::SourceFile::parse("", text) else { return text.to_owned() };
    let at = match source.ast.items.first() {
        Some(item) => source.byte_range(syn::spanned::Spanned::span(item)).start,
        None => text.len(),
    };
    format!("{}{ITEM}{}", &text[..at], &text[at..])
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_extern_crate_goes_after_inner_attributes_and_keeps_lines() {
        let text = "#![no_std]\n//! Docs.\n\n/// First.\nfn a() {}\n";
        let with = super::with_extern_crate(text);
        assert!(syn::parse_file(&with).is_ok(), "{with}");
        assert_eq!(with.lines().count(), text.lines().count());
        assert!(with.starts_with("#![no_std]\n//! Docs.\n\n#[allow"), "{with}");
    }
}
