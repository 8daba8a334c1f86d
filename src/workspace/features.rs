//! Which features of each member are active, from the members' manifests alone.
//!
//! Only members can turn on features of members, so the fixed point over their manifests is what cargo's resolver
//! finds (unified over the workspace, dev-dependencies included; a dependency for another platform counts as used).

use super::{CargoOptions, Workspace, canonical};
use camino::Utf8Path;
use cargo_metadata::Package as Manifest;
use std::collections::BTreeSet;

/// For each member, for each of its dependencies in manifest order: the member that it is, if it is one.
pub(super) fn links(members: &[&Manifest], workspace: &Workspace) -> Vec<Vec<Option<usize>>> {
    let member_at = |dir: &Utf8Path| {
        let dir = canonical(dir);
        workspace.packages.iter().position(|p| p.dir == dir)
    };
    let link = |m: &&Manifest| m.dependencies.iter().map(|d| d.path.as_deref().and_then(member_at)).collect();
    members.iter().map(link).collect()
}

/// The active features of each member.
pub(super) fn active(
    members: &[&Manifest],
    links: &[Vec<Option<usize>>],
    opts: &CargoOptions,
    chosen: &BTreeSet<usize>,
) -> Vec<BTreeSet<String>> {
    let mut state = State { members, links, features: vec![BTreeSet::new(); members.len()], used: BTreeSet::new() };
    for &package in chosen {
        if opts.all_features {
            members[package].features.keys().for_each(|f| state.turn_on(package, f));
        }
        if !opts.no_default_features {
            state.turn_on(package, "default");
        }
        for wanted in opts.feature_names() {
            match wanted.split_once('/') {
                Some((name, feature)) if members[package].name.as_str() == name => state.turn_on(package, feature),
                Some(_) => state.follow(package, wanted),
                None => state.turn_on(package, wanted),
            }
        }
    }
    // Features of members that are only depended on; each round may enable optional dependencies.
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    let mut before = None;
    while before != Some((state.count(), reached.len())) {
        before = Some((state.count(), reached.len()));
        for package in chosen.iter().chain(&reached.clone()).copied() {
            for (index, dependency) in members[package].dependencies.iter().enumerate() {
                let Some(member) = links[package][index] else { continue };
                if dependency.optional && !state.used.contains(&(package, dependency_name(dependency).to_owned())) {
                    continue;
                }
                reached.insert(member);
                if dependency.uses_default_features {
                    state.turn_on(member, "default");
                }
                dependency.features.iter().for_each(|f| state.turn_on(member, f));
            }
        }
    }
    state.features
}

struct State<'a> {
    members: &'a [&'a Manifest],
    links: &'a [Vec<Option<usize>>],
    features: Vec<BTreeSet<String>>,
    /// Optional dependencies in use, by package and name.
    used: BTreeSet<(usize, String)>,
}

impl State<'_> {
    fn count(&self) -> usize {
        self.features.iter().map(BTreeSet::len).sum::<usize>() + self.used.len()
    }

    /// Activates a feature that the package declares, and what it implies.
    fn turn_on(&mut self, package: usize, feature: &str) {
        let members = self.members;
        let Some(implied) = members[package].features.get(feature) else { return };
        if self.features[package].insert(feature.to_owned()) {
            implied.iter().for_each(|value| self.follow(package, value));
        }
    }

    /// One value of a feature's list: `feature`, `dep:name`, `name/feature` or `name?/feature`.
    fn follow(&mut self, package: usize, value: &str) {
        if let Some(name) = value.strip_prefix("dep:") {
            self.used.insert((package, name.to_owned()));
        } else if let Some((name, feature)) = value.split_once('/') {
            let (name, weak) = name.strip_suffix('?').map_or((name, false), |name| (name, true));
            let members = self.members;
            for (index, dependency) in members[package].dependencies.iter().enumerate() {
                if dependency_name(dependency) != name {
                    continue;
                }
                if dependency.optional && !weak {
                    self.used.insert((package, name.to_owned()));
                    self.turn_on(package, name);
                }
                // A weak feature of a dependency that stays unused is on without effect: nothing compiles it.
                if let Some(member) = self.links[package][index] {
                    self.turn_on(member, feature);
                }
            }
        } else {
            self.turn_on(package, value);
        }
    }
}

/// The name that the manifest's own feature lists use.
fn dependency_name(dependency: &cargo_metadata::Dependency) -> &str {
    dependency.rename.as_deref().unwrap_or(&dependency.name)
}
