//! What every subcommand needs first: the repository, the two revisions, the workspace at the head, the policy of the
//! merge base, the changed lines and the mutants. Builds nothing.

use crate::catalog::LocalMacros;
use crate::cli::args::{CargoArgs, PatchArgs};
use crate::diff::FileDiff;
use crate::error::{Context, Error, Result};
use crate::freeze::{date::Date, flakes};
use crate::git::{Comparison, Repo};
use crate::ledger;
use crate::plan::{Plan, plan};
use crate::policy::{self, Policy};
use crate::report::model::PolicySource;
use crate::scope::{Input, Scope, Surroundings, classify};
use crate::source::SourceFile;
use crate::text::sha256;
use crate::workspace::cfg::CfgSet;
use crate::workspace::modules::{Disk, ModuleMap};
use crate::workspace::{CargoOptions, Workspace, canonical};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::io::Read;

/// A resolved question.
pub struct Session {
    /// The user's repository.
    pub repo: Repo,
    /// `target/hunkmut` of the user's workspace.
    pub hunkmut_dir: Utf8PathBuf,
    /// Base, head and what differs.
    pub comparison: Comparison,
    /// The workspace of the head.
    pub workspace: Workspace,
    /// cargo's options for it.
    pub options: CargoOptions,
    /// The path of the cargo workspace in the repository, `""` when the same.
    pub workspace_path: String,
    /// Where rustc's configuration and the packages' features meet.
    pub modules: ModuleMap,
    /// Who judges.
    pub policy: Policy,
    /// Where it was read from.
    pub policy_source: PolicySource,
    /// Its path, when it has one.
    pub policy_path: Option<String>,
    /// Files of the patch that are judged by nobody it may choose: policy, ledger, freeze file, nextest configuration.
    pub watched_changes: Vec<String>,
    /// The day on which the patch is judged.
    pub today: Date,
    /// Tests that neither kill nor block: frozen by the base's list until a day that has not passed.
    pub frozen: BTreeSet<String>,
    /// Tests whose freeze has run out.
    pub thawed: BTreeSet<String>,
    /// The excused survivors.
    pub ledger: SessionLedger,
    /// The changed files with both texts.
    pub inputs: Vec<Input>,
    /// The changed lines.
    pub scope: Scope,
    /// The mutants.
    pub plan: Plan,
    /// Digest of the user's tree when the session was opened.
    pub tree_before: String,
}

/// Who says what cargo and the compiler would say.
#[derive(Debug, Clone, Copy)]
pub enum Answers<'a> {
    /// They themselves.
    Tools,
    /// Somebody who has asked them: what `cargo metadata --no-deps` and `rustc --print cfg` print for the tree that is
    /// checked out.
    Known {
        /// Of `cargo metadata --no-deps`.
        workspace: &'a str,
        /// Of `rustc --print cfg`.
        cfg: &'a str,
    },
}

impl Answers<'_> {
    fn workspace(&self, options: &CargoOptions) -> Result<Workspace> {
        match self {
            Answers::Tools => Workspace::load(options),
            Answers::Known { workspace, .. } => Workspace::parse(workspace, options),
        }
    }

    fn cfg(&self, options: &CargoOptions) -> Result<CfgSet> {
        match self {
            Answers::Tools => CfgSet::load(options),
            Answers::Known { cfg, .. } => Ok(CfgSet::parse(cfg, options)),
        }
    }
}

impl Session {
    /// Resolves everything.
    ///
    /// # Errors
    /// Whatever is wrong with the repository, the revisions, the manifest or the policy.
    pub fn open(patch: &PatchArgs, cargo: &CargoArgs) -> Result<Session> {
        Session::open_by(patch, cargo, Answers::Tools)
    }

    /// As [`Session::open`]; with known answers no cargo and no compiler is needed.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open_by(patch: &PatchArgs, cargo: &CargoArgs, answers: Answers<'_>) -> Result<Session> {
        let here = current_dir()?;
        let near = match &cargo.manifest_path {
            Some(path) => here.join(path).parent().map_or(here.clone(), Utf8Path::to_owned),
            None => here.clone(),
        };
        let repo = Repo::discover(&near)?;
        let tree_before = repo.tree_digest()?;
        let options = cargo.options(here.clone());
        let home = answers.workspace(&options)?;
        let hunkmut_dir = home.target_dir.join("hunkmut");
        let in_diff = patch.in_diff.as_deref().map(read_diff).transpose()?;
        let comparison =
            Comparison::resolve(&repo, patch.base.as_deref(), patch.head.as_deref(), in_diff.as_deref(), &hunkmut_dir)?;
        let (workspace, options) = at_head(&repo, &comparison, home, options, &here)?;
        let workspace_path = relative(&comparison.tree, &workspace.root);
        let (mut policy, policy_source, policy_path) = read_policy(&repo, &comparison, patch, &workspace_path)?;
        if !patch.operator.is_empty() {
            policy.operators.enable.clone_from(&patch.operator);
        }
        policy.operators.disable.extend(patch.without_operator.iter().cloned());
        let watched = policy::watched_paths(&policy, &join(&workspace_path, policy::FILE));
        let ledger = SessionLedger::read(&repo, &comparison, &join(&workspace_path, &policy.ledger.file))?;
        let watched_changes = comparison.touched(&watched).into_iter().map(str::to_owned).collect();
        let today = match patch.date {
            Some(date) => date,
            None => day(&repo, &comparison)?,
        };
        let (frozen, thawed) = frozen(&repo, &comparison, &join(&workspace_path, &policy.freeze.file), today)?;
        let chosen: BTreeSet<usize> = options.select(&workspace)?.into_iter().collect();
        let modules = load_modules(&comparison, &workspace, &options, answers)?;
        let inputs = read_inputs(&repo, &comparison, &modules)?;
        let attributes = base_attributes(&repo, &comparison, comparison.files.iter().map(FileDiff::path))?;
        let around = Surroundings {
            policy: &policy,
            workspace: &workspace,
            modules: &modules,
            tree: &comparison.tree,
            attributes: &attributes,
            chosen: &chosen,
        };
        let mut scope = classify(&inputs, &around);
        scope.notes.extend(modules.problems().iter().map(|problem| format!("`{}`: {}", problem.file, problem.why)));
        let macros = local_macros(&comparison, &modules, &scope);
        let plan = plan(&scope, &policy, &workspace, &macros)?;
        Ok(Session {
            repo,
            hunkmut_dir,
            comparison,
            workspace,
            options,
            workspace_path,
            modules,
            policy,
            policy_source,
            policy_path,
            watched_changes,
            today,
            frozen,
            thawed,
            ledger,
            inputs,
            scope,
            plan,
            tree_before,
        })
    }

    /// A path of the cargo workspace as a path in the repository.
    pub fn in_workspace(&self, path: &str) -> String {
        join(&self.workspace_path, path)
    }

    /// The list of frozen tests, as a path in the repository.
    pub fn freeze_path(&self) -> String {
        self.in_workspace(&self.policy.freeze.file)
    }

    /// The head's text of a file, for whoever shows it.
    pub fn source(&self, file: &str) -> Option<String> {
        std::fs::read(self.comparison.tree.join(file)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The day of the head's commit; today for changes that are not committed. A commit that says that it is older than the
/// base's does not turn the clock back.
fn day(repo: &Repo, comparison: &Comparison) -> Result<Date> {
    let head = repo.committed_at(&comparison.head_commit)?;
    let committed = Date::of_unix(head.max(repo.committed_at(&comparison.merge_base)?));
    Ok(if comparison.dirty { committed.max(Date::today()) } else { committed })
}

/// The tests that are frozen, and those that were.
fn frozen(
    repo: &Repo,
    comparison: &Comparison,
    path: &str,
    today: Date,
) -> Result<(BTreeSet<String>, BTreeSet<String>)> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let base = repo.blob(&comparison.merge_base, path)?.map(text);
    let head = std::fs::read(comparison.tree.join(path)).ok().map(text);
    let (frozen, thawed) = flakes::frozen(base.as_deref(), head.as_deref(), today);
    Ok((frozen.into_iter().collect(), thawed.into_iter().collect()))
}

/// The ledger on both sides of the patch.
#[derive(Debug, Clone)]
pub struct SessionLedger {
    /// Its path in the repository, when the merge base has one.
    pub path: Option<String>,
    /// Hex SHA-256 of the merge base's text, of the empty text when there is none.
    pub sha256: String,
    /// The merge base's text; empty when there is none.
    pub text: String,
    /// The head's text; empty when there is none.
    pub head_text: String,
    /// What it says at the merge base and at the head.
    pub entries: ledger::Entries,
}

impl SessionLedger {
    fn read(repo: &Repo, comparison: &Comparison, path: &str) -> Result<SessionLedger> {
        let origin = format!("{path} at {}", comparison.merge_base.short());
        let old = repo.blob(&comparison.merge_base, path)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let head_text = std::fs::read_to_string(comparison.tree.join(path)).unwrap_or_default();
        let text = old.clone().unwrap_or_default();
        let entries = ledger::Entries::read(&text, &origin, &head_text, path)?;
        let path = old.is_some().then(|| path.to_owned());
        Ok(SessionLedger { path, sha256: sha256(&text), text, head_text, entries })
    }
}

/// The current directory, free of symbolic links.
pub fn current_dir() -> Result<Utf8PathBuf> {
    let dir = std::env::current_dir().doing(|| "find the current directory".into())?;
    let dir = Utf8PathBuf::from_path_buf(dir)
        .map_err(|dir| Error::new(format!("work in `{}`", dir.display()), "its path is not UTF-8"))?;
    Ok(canonical(&dir))
}

fn read_diff(path: &Utf8Path) -> Result<Vec<u8>> {
    let doing = || format!("read the diff `{path}`");
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).doing(doing)?;
        return Ok(bytes);
    }
    std::fs::read(path).doing(doing)
}

/// The workspace in the tree of the head. A head that is not checked out lies elsewhere, but is built into the user's
/// own target directory.
fn at_head(
    repo: &Repo,
    comparison: &Comparison,
    home: Workspace,
    options: CargoOptions,
    here: &Utf8Path,
) -> Result<(Workspace, CargoOptions)> {
    if comparison.in_place() {
        return Ok((home, options));
    }
    let there = |path: &Utf8Path| match path.strip_prefix(repo.root()) {
        Ok(inside) => comparison.tree.join(inside),
        Err(_) => path.to_owned(),
    };
    let manifest_path = options.manifest_path.as_ref().map(|path| there(&canonical(&here.join(path))));
    let mut dir = there(here);
    while !dir.is_dir() && dir.starts_with(&comparison.tree) {
        dir.pop();
    }
    let options = CargoOptions { dir: Some(dir), manifest_path, ..options };
    let workspace = Workspace::load(&options)?;
    Ok((Workspace { target_dir: home.target_dir, build_dir: home.build_dir, ..workspace }, options))
}

fn read_policy(
    repo: &Repo,
    comparison: &Comparison,
    patch: &PatchArgs,
    workspace_path: &str,
) -> Result<(Policy, PolicySource, Option<String>)> {
    if let Some(file) = &patch.policy {
        let text = std::fs::read_to_string(file).doing(|| format!("read the policy `{file}`"))?;
        return Ok((Policy::parse(&text, file.as_str())?, PolicySource::File, Some(file.to_string())));
    }
    let path = join(workspace_path, policy::FILE);
    let (policy, source) = Policy::at_commit(repo, &comparison.merge_base, &path)?;
    let path = (source == PolicySource::MergeBase).then_some(path);
    Ok((policy, source, path))
}

/// The module trees of the packages that the diff touches; of all packages when a changed file belongs to none of them.
fn load_modules(
    comparison: &Comparison,
    workspace: &Workspace,
    options: &CargoOptions,
    answers: Answers<'_>,
) -> Result<ModuleMap> {
    let changed: Vec<&str> =
        comparison.files.iter().filter_map(|file| file.new_path.as_deref()).filter(|p| p.ends_with(".rs")).collect();
    if changed.is_empty() {
        return Ok(ModuleMap::default());
    }
    let owners: BTreeSet<usize> =
        changed.iter().filter_map(|path| workspace.package_of(&comparison.tree.join(path))).collect();
    let cfg = answers.cfg(options)?;
    let some: Vec<usize> = owners.into_iter().collect();
    let map = ModuleMap::load(workspace, &comparison.tree, &some, &cfg, &Disk);
    let all_reached = changed.iter().all(|path| !map.uses(path).is_empty());
    if all_reached || some.len() == workspace.packages.len() {
        return Ok(map);
    }
    let all: Vec<usize> = (0..workspace.packages.len()).collect();
    Ok(ModuleMap::load(workspace, &comparison.tree, &all, &cfg, &Disk))
}

/// Both texts of every changed file that may be Rust code.
fn read_inputs(repo: &Repo, comparison: &Comparison, modules: &ModuleMap) -> Result<Vec<Input>> {
    let wanted = |file: &FileDiff| {
        let code = file.path().ends_with(".rs") || !modules.uses(file.path()).is_empty();
        (code || file.path().ends_with("Cargo.toml")) && !file.binary && !file.submodule && !file.symlink
    };
    let code: Vec<&FileDiff> = comparison.files.iter().filter(|file| wanted(file)).collect();
    let mut old_texts = comparison.base_texts(repo, &code)?.into_iter();
    let input = |diff: &FileDiff| {
        let (mut old, mut new) = (None, None);
        if wanted(diff) {
            old = old_texts.next().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
            if let Some(path) = &diff.new_path {
                let path = comparison.tree.join(path);
                let bytes = std::fs::read(&path).doing(|| format!("read `{path}`"))?;
                new = String::from_utf8(bytes).ok();
            }
        }
        Ok(Input { diff: diff.clone(), old, new })
    };
    comparison.files.iter().map(input).collect()
}

/// The macros by example of the packages whose production code changed.
pub(super) fn local_macros(comparison: &Comparison, modules: &ModuleMap, scope: &Scope) -> LocalMacros {
    let packages: BTreeSet<usize> =
        scope.files.iter().filter(|file| file.source.is_some()).filter_map(|file| file.package).collect();
    let mut macros = LocalMacros::default();
    for (path, uses) in modules.files() {
        if !uses.iter().any(|of| packages.contains(&of.package)) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(comparison.tree.join(path)) else { continue };
        // Most files define none, and parsing is what takes time.
        if text.contains("macro_rules!")
            && let Ok(source) = SourceFile::parse(path, text)
        {
            macros.collect(&source.ast.items);
        }
    }
    macros
}

/// The base's `.gitattributes` in the folders on the way to changed files.
pub(super) fn base_attributes<'a>(
    repo: &Repo,
    comparison: &Comparison,
    paths: impl Iterator<Item = &'a str>,
) -> Result<Vec<(String, String)>> {
    let dirs: BTreeSet<String> = paths
        .flat_map(|path| Utf8Path::new(path).ancestors().skip(1).map(|dir| join(dir.as_str(), ".gitattributes")))
        .collect();
    let paths: Vec<&str> = dirs.iter().map(String::as_str).collect();
    let texts = repo.blobs(&comparison.merge_base, &paths)?;
    Ok(dirs
        .iter()
        .zip(texts)
        .filter_map(|(path, bytes)| Some((path.clone(), String::from_utf8_lossy(&bytes?).into_owned())))
        .collect())
}

pub(super) fn relative(root: &Utf8Path, path: &Utf8Path) -> String {
    path.strip_prefix(root).map(|inside| inside.as_str().replace('\\', "/")).unwrap_or_default()
}

fn join(dir: &str, file: &str) -> String {
    if dir.is_empty() { file.to_owned() } else { format!("{dir}/{file}") }
}
