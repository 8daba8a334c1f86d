//! Both sides of a patch as trees of their own, with one catalog of mutants for both.

use super::session::{Session, base_attributes, local_macros, relative};
use crate::diff::{FileDiff, Hunk, Status};
use crate::error::Result;
use crate::freeze;
use crate::git::Comparison;
use crate::killmap::identity::{Side, align};
use crate::killmap::importers::{Module, imports};
use crate::killmap::select::{Candidate, Cap, Nearness, select};
use crate::plan::{Plan, plan};
use crate::scope::{Input, Scope, Surroundings, classify};
use crate::workspace::cfg::CfgSet;
use crate::workspace::modules::{Disk, FileRole, ModuleMap};
use crate::workspace::{CargoOptions, Workspace, canonical};
use std::collections::{BTreeMap, BTreeSet};

/// What a pair of maps is made of.
pub struct Sides {
    /// The head.
    pub head: Session,
    /// The base; or why it cannot be looked at.
    pub base: Result<Session>,
    /// Mutants that the cap left out.
    pub left_out: usize,
    /// What still has to be found out by running tests.
    pub probe: Probe,
}

/// Which tests have to be run to see what they execute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Probe {
    /// The base's versions of touched and deleted tests.
    pub base: bool,
    /// The head's new tests: where no production code changed, what they execute is all there is to compare.
    pub head: bool,
}

impl Probe {
    /// Whether there is anything to find out.
    pub fn is_needed(self) -> bool {
        self.base || self.head
    }

    fn of(findings: &freeze::Findings, production: bool) -> Probe {
        Probe { base: !findings.touched_tests.is_empty(), head: !production && !findings.new_tests.is_empty() }
    }

    /// The files of these tests.
    fn files(self, findings: &freeze::Findings) -> impl Iterator<Item = &str> {
        let old = findings.touched_tests.iter().filter(move |_| self.base);
        old.chain(findings.new_tests.iter().filter(move |_| self.head)).map(|test| test.file.as_str())
    }
}

/// How much goes into the catalog.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// All production files of the packages of the diff.
    pub whole_package: bool,
    /// How many mutants.
    pub cap: Cap,
}

/// A file of the catalog: its path in a tree, and its path at the base, by which its mutants are named.
type Named = (String, String);

impl Sides {
    /// Plans everything that touched and new tests can reach, to find out what they execute.
    ///
    /// # Errors
    /// As [`Sides::plan`].
    pub fn plan_all(session: &Session, findings: &freeze::Findings, extent: Extent, probe: Probe) -> Result<Sides> {
        let (head, base) = (session.again()?, session.at_base());
        let mut all = BTreeSet::new();
        for side in [Some(&head), base.as_ref().ok()].into_iter().flatten() {
            all.extend(side.reached_from(probe.files(findings)));
        }
        drop((head, base));
        Sides::plan(session, findings, extent, &all)
    }

    /// Plans both sides. `executed` are production files (of either side) that touched tests are known to execute.
    ///
    /// # Errors
    /// When the head cannot be read; what is wrong with the base is kept in [`Sides::base`].
    pub fn plan(
        session: &Session,
        findings: &freeze::Findings,
        extent: Extent,
        executed: &BTreeSet<String>,
    ) -> Result<Sides> {
        let mut head = session.again()?;
        let mut base = session.at_base();
        let renamed: BTreeMap<&str, &str> = session
            .comparison
            .files
            .iter()
            .filter(|file| file.status != Status::Copied)
            .filter_map(|file| Some((file.new_path.as_deref()?, file.old_path.as_deref()?)))
            .collect();
        let identity = |path: &str| renamed.get(path).copied().unwrap_or(path).to_owned();

        // The diff's own files, and who imports them, by their names at the base.
        let mut near: BTreeSet<String> = BTreeSet::new();
        for file in &session.comparison.files {
            if let Some(path) = file.new_path.as_deref().filter(|path| head.is_production(path)) {
                near.insert(identity(path));
            }
            if let (Some(path), Ok(base)) = (file.old_path.as_deref(), &base)
                && base.is_production(path)
            {
                near.insert(path.to_owned());
            }
        }
        let mut chosen = near.clone();
        for side in [Some(&head), base.as_ref().ok()].into_iter().flatten() {
            let own: BTreeSet<String> =
                side.production().filter(|path| near.contains(&identity(path))).map(str::to_owned).collect();
            let more = match extent.whole_package {
                true => side.beside(&own),
                false => side.importers(&own),
            };
            chosen.extend(more.iter().map(|path| identity(path)));
        }
        chosen.extend(executed.iter().map(|path| identity(path)));

        let mut probe = if executed.is_empty() { Probe::of(findings, !near.is_empty()) } else { Probe::default() };
        if probe.is_needed() {
            // Where everything that these tests can reach fits under the cap, nothing has to be found out.
            let mut all = chosen.clone();
            for side in [Some(&head), base.as_ref().ok()].into_iter().flatten() {
                all.extend(side.reached_from(probe.files(findings)).iter().map(|path| identity(path)));
            }
            let more = all.len() > chosen.len();
            if more {
                head.take(&all, &identity)?;
            }
            if !more || head.plan.mutants.len() <= extent.cap.mutants {
                chosen = all;
                probe = Probe::default();
            }
        }
        head.take(&chosen, &identity)?;
        if let Ok(base) = &mut base {
            base.take(&chosen, &|path: &str| path.to_owned())?;
        }
        let left_out = agree(session, &mut head, base.as_mut().ok(), &near, extent.cap);
        Ok(Sides { head, base, left_out, probe })
    }
}

/// Gives the same mutants the same names on both sides, and leaves the same ones out. Returns how many.
fn agree(
    session: &Session,
    head: &mut Session,
    base: Option<&mut Session>,
    near: &BTreeSet<String>,
    cap: Cap,
) -> usize {
    let none = (Scope::default(), Plan::default());
    let (old_scope, old_plan) = base.as_ref().map_or((&none.0, &none.1), |base| (&base.scope, &base.plan));
    let ids = align(
        Side { scope: old_scope, mutants: &old_plan.mutants },
        Side { scope: &head.scope, mutants: &head.plan.mutants },
        &session.comparison.files,
    );
    let mut candidates: BTreeMap<String, Candidate> = BTreeMap::new();
    let mut add = |id: &String, nearness, alone| {
        let entry = candidates.entry(id.clone()).or_insert(Candidate { nearness, alone });
        entry.nearness = entry.nearness.min(nearness);
        entry.alone |= alone;
    };
    let place = |scope: &Scope, file: usize| {
        let file = &scope.files[file];
        let name = file.old_path.as_ref().unwrap_or(&file.path);
        if near.contains(name) { Nearness::SameFile } else { Nearness::Elsewhere }
    };
    for (mutant, (id, unchanged)) in head.plan.mutants.iter_mut().zip(&ids) {
        mutant.id.clone_from(id);
        let changed = !unchanged && base.is_some();
        let nearness = if changed { Nearness::Changed } else { place(&head.scope, mutant.file) };
        add(id, nearness, mutant.encodings.is_empty());
    }
    for mutant in &old_plan.mutants {
        add(&mutant.id, place(old_scope, mutant.file), mutant.encodings.is_empty());
    }
    let chosen = select(&candidates, cap);
    head.plan.keep(|mutant| chosen.contains(&mutant.id));
    if let Some(base) = base {
        base.plan.keep(|mutant| chosen.contains(&mutant.id));
    }
    candidates.len() - chosen.len()
}

impl Session {
    /// The same tree with the module trees of all packages and nothing planned.
    ///
    /// # Errors
    /// When the compiler does not tell its configuration.
    pub(super) fn again(&self) -> Result<Session> {
        self.over(self.comparison.again(), self.workspace.clone(), self.options.clone(), self.hunkmut_dir.clone())
    }

    /// The merge base in a tree of its own, below the hunkmut directory.
    fn at_base(&self) -> Result<Session> {
        let hunkmut_dir = self.hunkmut_dir.join("base");
        let commit = &self.comparison.merge_base;
        let comparison = Comparison::of_commit(&self.repo, commit, &hunkmut_dir.join("tree"))?;
        let there = |path: &camino::Utf8Path| match path.strip_prefix(&self.comparison.tree) {
            Ok(inside) => comparison.tree.join(inside),
            Err(_) => path.to_owned(),
        };
        let here = self.options.dir.clone().unwrap_or_else(|| self.workspace.root.clone());
        let manifest_path = self.options.manifest_path.as_ref().map(|path| there(&canonical(&here.join(path))));
        let mut dir = there(&here);
        while !dir.is_dir() && dir.starts_with(&comparison.tree) {
            dir.pop();
        }
        // A lock file that nobody commits is the user's all the same.
        let lock = there(&self.workspace.root).join("Cargo.lock");
        if !lock.exists() {
            let _ = std::fs::copy(self.workspace.root.join("Cargo.lock"), &lock);
        }
        let options = CargoOptions { dir: Some(dir), manifest_path, ..self.options.clone() };
        let workspace = Workspace::load(&options)?;
        let (target_dir, build_dir) = (self.workspace.target_dir.clone(), self.workspace.build_dir.clone());
        self.over(comparison, Workspace { target_dir, build_dir, ..workspace }, options, hunkmut_dir)
    }

    fn over(
        &self,
        comparison: Comparison,
        workspace: Workspace,
        options: CargoOptions,
        hunkmut_dir: camino::Utf8PathBuf,
    ) -> Result<Session> {
        let all: Vec<usize> = (0..workspace.packages.len()).collect();
        let modules = ModuleMap::load(&workspace, &comparison.tree, &all, &CfgSet::load(&options)?, &Disk);
        Ok(Session {
            repo: self.repo.clone(),
            hunkmut_dir,
            workspace_path: relative(&comparison.tree, &workspace.root),
            comparison,
            workspace,
            options,
            modules,
            policy: self.policy.clone(),
            policy_source: self.policy_source,
            policy_path: self.policy_path.clone(),
            watched_changes: self.watched_changes.clone(),
            today: self.today,
            frozen: self.frozen.clone(),
            thawed: self.thawed.clone(),
            ledger: self.ledger.clone(),
            inputs: Vec::new(),
            scope: Scope::default(),
            plan: Plan::default(),
            tree_before: self.tree_before.clone(),
        })
    }

    /// Plans whole files. `chosen` are names at the base.
    fn take(&mut self, chosen: &BTreeSet<String>, identity: &dyn Fn(&str) -> String) -> Result<()> {
        let files: Vec<Named> = self
            .production()
            .map(|path| (path.to_owned(), identity(path)))
            .filter(|(_, name)| chosen.contains(name))
            .collect();
        let inputs: Vec<Input> = files.iter().filter_map(|file| self.whole(file)).collect();
        let attributes = base_attributes(&self.repo, &self.comparison, files.iter().map(|(path, _)| path.as_str()))?;
        let packages: BTreeSet<usize> = self.options.select(&self.workspace)?.into_iter().collect();
        let around = Surroundings {
            policy: &self.policy,
            workspace: &self.workspace,
            modules: &self.modules,
            tree: &self.comparison.tree,
            attributes: &attributes,
            chosen: &packages,
        };
        self.scope = classify(&inputs, &around);
        let macros = local_macros(&self.comparison, &self.modules, &self.scope);
        self.plan = plan(&self.scope, &self.policy, &self.workspace, &macros)?;
        Ok(())
    }

    /// A file with all of its lines in scope.
    fn whole(&self, (path, name): &Named) -> Option<Input> {
        let new = std::fs::read_to_string(self.comparison.tree.join(path)).ok()?;
        let lines = u32::try_from(new.lines().count()).ok()?;
        let diff = FileDiff {
            old_path: Some(name.clone()),
            new_path: Some(path.clone()),
            status: Status::Modified,
            binary: false,
            submodule: false,
            symlink: false,
            old_blob: None,
            hunks: vec![Hunk { old_start: 0, old_lines: 0, new_start: 1, new_lines: lines }],
        };
        Some(Input { diff, old: None, new: Some(new) })
    }

    fn is_production(&self, path: &str) -> bool {
        self.modules.role(path) == FileRole::Production && !path.starts_with('/')
    }

    /// The production files of the tree.
    fn production(&self) -> impl Iterator<Item = &str> {
        self.modules.files().map(|(path, _)| path).filter(|path| self.is_production(path))
    }

    fn package_of(&self, path: &str) -> Option<usize> {
        self.modules.main_use(path).map(|of| of.package)
    }

    /// The production files of the same packages.
    fn beside(&self, own: &BTreeSet<String>) -> BTreeSet<String> {
        let packages: BTreeSet<Option<usize>> = own.iter().map(|path| self.package_of(path)).collect();
        self.production().filter(|path| packages.contains(&self.package_of(path))).map(str::to_owned).collect()
    }

    /// The production files that import one of these directly.
    fn importers(&self, own: &BTreeSet<String>) -> BTreeSet<String> {
        let module = |path: &str| {
            let of = self.modules.main_use(path)?;
            let package = self.workspace.packages[of.package].name.replace('-', "_");
            Some(Module { package, path: of.module.clone() })
        };
        let wanted: Vec<Module> = own.iter().filter_map(|path| module(path)).collect();
        let reads = |path: &&str| {
            let Some(own_module) = module(path) else { return false };
            let Ok(text) = std::fs::read_to_string(self.comparison.tree.join(path)) else { return false };
            wanted.iter().any(|wanted| imports(&text, &own_module, wanted) == Some(true))
        };
        self.production().filter(|path| !own.contains(*path)).filter(reads).map(str::to_owned).collect()
    }

    /// The production files of the packages that tests in these files can reach.
    fn reached_from<'a>(&self, tests: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
        let mut packages: BTreeSet<usize> = tests
            .filter_map(|path| {
                self.package_of(path).or_else(|| self.workspace.package_of(&self.comparison.tree.join(path)))
            })
            .collect();
        let mut open: Vec<usize> = packages.iter().copied().collect();
        while let Some(package) = open.pop() {
            for dependency in &self.workspace.packages[package].dependencies {
                if packages.insert(*dependency) {
                    open.push(*dependency);
                }
            }
        }
        self.production()
            .filter(|path| self.package_of(path).is_some_and(|package| packages.contains(&package)))
            .map(str::to_owned)
            .collect()
    }

    /// The test targets of the packages that can reach the code of this session's mutants.
    pub(super) fn reaching_targets(&self) -> Result<BTreeSet<(usize, usize)>> {
        let mut packages: BTreeSet<usize> =
            self.plan.mutants.iter().filter_map(|mutant| self.scope.files[mutant.file].package).collect();
        loop {
            let more: Vec<usize> = (0..self.workspace.packages.len())
                .filter(|index| !packages.contains(index))
                .filter(|index| self.workspace.packages[*index].dependencies.iter().any(|d| packages.contains(d)))
                .collect();
            if more.is_empty() {
                break;
            }
            packages.extend(more);
        }
        let chosen: BTreeSet<usize> = self.options.select(&self.workspace)?.into_iter().collect();
        Ok(self
            .workspace
            .targets()
            .filter(|(package, target)| {
                let of = &self.workspace.packages[*package];
                let target = &of.targets[*target];
                let built =
                    target.test && of.is_built(target) && target.kind != crate::workspace::TargetKind::BuildScript;
                built && packages.contains(package) && chosen.contains(package)
            })
            .collect())
    }
}
