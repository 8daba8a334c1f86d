//! Changes that can add tests without touching any: a module linked in, a condition lifted, a build script, a manifest,
//! a file that makes a test. Only the base's list can tell what they added.

use super::graph::Node;
use super::manifests::{ManifestChange, changes};
use super::units::FileUnits;
use super::{ChangedFile, Inputs};
use crate::workspace::TargetKind;
use crate::workspace::modules::relative;
use std::collections::BTreeSet;

/// A change after which some tests may be new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opaque {
    /// Which tests may be.
    pub scope: Scope,
    /// The change, for a person.
    pub why: String,
}

/// The tests that an opaque change may have added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// All of the target.
    All,
    /// Those in this module and below.
    Module(Vec<String>),
    /// Those that no code in view makes: generated ones, and those made from files.
    Unplaced,
}

/// Words that show that tests come from files or from a build script's output.
const FILE_DRIVEN: [&str; 5] = ["#[files(", "test_resources", "dir_test", "datatest", "test_each_file"];

/// Modules of a changed file that were linked in or whose conditions changed; `gone` are the names of modules whose
/// declaration the patch removed elsewhere.
pub(super) fn modules(
    file: &str,
    at: &[String],
    old: Option<&FileUnits>,
    new: &FileUnits,
    gone: &BTreeSet<String>,
) -> Vec<Opaque> {
    let mut out = Vec::new();
    for head in &new.modules {
        let full: Vec<String> = at.iter().chain(&head.path).cloned().collect();
        let shown = if head.path.is_empty() { file.to_owned() } else { full.join("::") };
        let before = old.and_then(|old| old.modules.iter().find(|m| m.path == head.path));
        let why = match before {
            Some(before) if before.conditions != head.conditions => {
                format!("the conditions of `{shown}` changed in {file}")
            }
            None if head.outside && !head.path.last().is_some_and(|name| gone.contains(name)) => {
                format!("module `{shown}` was linked in by {file}")
            }
            Some(_) | None => continue,
        };
        out.push(Opaque { scope: Scope::Module(full), why });
    }
    out
}

/// Whether there is code in the scope that makes tests.
pub(super) fn can_add(opaque: &Opaque, nodes: &[Node]) -> bool {
    match &opaque.scope {
        Scope::All | Scope::Unplaced => true,
        Scope::Module(module) => nodes.iter().any(|node| {
            let inside = node.module.as_deref().is_none_or(|m| m.starts_with(module));
            inside && node.unit().makes_tests()
        }),
    }
}

/// What manifests, build scripts and files may have added to a target.
pub(super) fn outside_code(inputs: &Inputs<'_>, package: usize, target: usize) -> Vec<Opaque> {
    let (p, t) = (&inputs.workspace.packages[package], &inputs.workspace.packages[package].targets[target]);
    let manifest = relative(inputs.root, &p.manifest);
    let mentions = |words: &[String]| {
        let uses =
            inputs.modules.files().filter(|(_, uses)| uses.iter().any(|u| (u.package, u.target) == (package, target)));
        uses.map(|(file, _)| file).filter_map(inputs.read).any(|text| words.iter().any(|w| text.contains(w)))
    };
    let mut out = Vec::new();
    let mut push = |scope, why: String| out.push(Opaque { scope, why });
    for file in inputs.files {
        if file.new_path.as_deref() == Some(&manifest)
            && let (Some(old), Some(new)) = (&file.old, &file.new)
        {
            for change in changes(p, old, new) {
                match change {
                    ManifestChange::Target(index)
                        if index == target && !is_added(inputs, &relative(inputs.root, &t.root)) =>
                    {
                        push(Scope::All, format!("the declaration of target `{}` changed in {manifest}", t.name));
                    }
                    ManifestChange::Target(_) => {}
                    ManifestChange::Feature(name) => {
                        if mentions(&[format!("feature = \"{name}\""), format!("feature=\"{name}\"")]) {
                            push(Scope::All, format!("feature `{name}` changed in {manifest}"));
                        }
                    }
                }
            }
        }
    }
    let of_script = |file: &&ChangedFile| {
        let uses = file.new_path.as_deref().map_or(&[][..], |path| inputs.modules.uses(path));
        uses.iter().any(|u| u.package == package && inputs.modules.kind(u) == TargetKind::BuildScript)
    };
    let script = inputs.files.iter().find(of_script).and_then(|f| f.new_path.clone());
    let data = data_files(inputs, package);
    let read = read_by_build_script(inputs, package);
    let new = data.first().filter(|_| t.kind == TargetKind::Test).cloned();
    let by = script.or(read).or(new).filter(|_| p.has_build_script());
    if let Some(by) = by
        && mentions(&["OUT_DIR".to_owned()])
    {
        push(Scope::Unplaced, format!("{by} may change the tests that the build script makes"));
    }
    if let Some(file) = changed_with_own_harness(inputs, package, target) {
        push(Scope::Unplaced, format!("{file} belongs to a target with a test harness of its own"));
    }
    if !data.is_empty() && mentions(&FILE_DRIVEN.map(str::to_owned)) {
        push(Scope::Unplaced, format!("{} may be a test of its own", data[0]));
    }
    out
}

/// Files other than code that the patch adds to a package or moves in it.
fn data_files(inputs: &Inputs<'_>, package: usize) -> Vec<String> {
    let moved = inputs.files.iter().filter(|f| f.old_path != f.new_path).filter_map(|f| f.new_path.clone());
    let data = moved.filter(|path| !path.ends_with(".rs") && inputs.modules.uses(path).is_empty());
    data.filter(|path| inputs.workspace.package_of(&inputs.root.join(path)) == Some(package)).collect()
}

/// A changed file of an integration test that brings its own `main`: its tests are no functions that syntax shows.
fn changed_with_own_harness(inputs: &Inputs<'_>, package: usize, target: usize) -> Option<String> {
    let t = &inputs.workspace.packages[package].targets[target];
    let root = relative(inputs.root, &t.root);
    let file = (t.kind == TargetKind::Test).then(|| (inputs.read)(&root)).flatten()?;
    let items = syn::parse_file(&file).ok()?.items;
    let main = items.iter().any(|item| matches!(item, syn::Item::Fn(f) if f.sig.ident == "main"));
    let uses = |path: &str| inputs.modules.uses(path).iter().any(|u| (u.package, u.target) == (package, target));
    let changed = inputs.files.iter().filter(|f| f.new != f.old).filter_map(|f| f.new_path.clone());
    changed.filter(|path| main && uses(path)).min()
}

/// A changed file that is no code and whose name, or whose folder's, the package's build script names.
fn read_by_build_script(inputs: &Inputs<'_>, package: usize) -> Option<String> {
    let p = &inputs.workspace.packages[package];
    let roots = p.targets.iter().filter(|t| t.kind == TargetKind::BuildScript).map(|t| relative(inputs.root, &t.root));
    let scripts: String = roots.filter_map(|root| (inputs.read)(&root)).collect();
    let named = |path: &&str| {
        let mut parts = path.rsplit('/');
        let (name, folder) = (parts.next().unwrap_or_default(), parts.next().filter(|f| !f.is_empty() && *f != "src"));
        scripts.contains(name) || folder.is_some_and(|folder| scripts.contains(folder))
    };
    let paths = inputs.files.iter().filter_map(|f| f.new_path.as_deref().or(f.old_path.as_deref()));
    let data = paths.filter(|path| !path.ends_with(".rs") && !path.ends_with("Cargo.toml"));
    let own = data.filter(|path| inputs.workspace.package_of(&inputs.root.join(path)) == Some(package));
    own.filter(|path| !scripts.is_empty() && named(path)).map(str::to_owned).next()
}

fn is_added(inputs: &Inputs<'_>, path: &str) -> bool {
    inputs.files.iter().any(|f| f.new_path.as_deref() == Some(path) && f.old_path.is_none())
}
