//! What cargo knows: packages, targets and active features of the workspace.
//!
//! One `cargo metadata --no-deps`: no network, no lock file written into the user's tree, and time that does not grow
//! with the dependencies. The active features follow from the manifests of the members (`features`).

pub mod cfg;
mod config;
mod features;
pub mod modules;
mod options;

pub use cargo_metadata::Edition;
pub use config::cargo_config;
pub use options::CargoOptions;

use crate::error::{Context, Error, Result};
use crate::process::Cmd;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// The workspace as cargo sees it. Paths are absolute and free of symbolic links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The directory of the root manifest.
    pub root: Utf8PathBuf,
    /// Where cargo puts what it builds.
    pub target_dir: Utf8PathBuf,
    /// Where cargo puts intermediate files, when this cargo knows (1.91).
    pub build_dir: Option<Utf8PathBuf>,
    /// The members, in cargo's order.
    pub packages: Vec<Package>,
    /// The members whose libraries run while others are compiled: procedural macros, what these depend on, and what
    /// build scripts depend on.
    pub compile_time: BTreeSet<usize>,
}

/// A member of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// cargo's package ID.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The directory of its manifest.
    pub dir: Utf8PathBuf,
    /// Its `Cargo.toml`.
    pub manifest: Utf8PathBuf,
    /// Its targets, in cargo's order.
    pub targets: Vec<Target>,
    /// The features that are active.
    pub features: BTreeSet<String>,
    /// Indices of the members that it depends on, dev and build dependencies included.
    pub dependencies: BTreeSet<usize>,
}

/// One crate of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name, as in the manifest.
    pub name: String,
    /// What it is.
    pub kind: TargetKind,
    /// The file of the crate root.
    pub root: Utf8PathBuf,
    /// Its edition.
    pub edition: Edition,
    /// Whether `cargo test` runs its tests by default.
    pub test: bool,
    /// Whether `cargo test` runs its documentation tests.
    pub doctest: bool,
    /// Features without which cargo leaves it out.
    pub required_features: Vec<String>,
}

/// The kinds of targets that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetKind {
    /// A library of any crate type but a procedural macro.
    Lib,
    /// A procedural macro.
    ProcMacro,
    /// A binary.
    Bin,
    /// An integration test.
    Test,
    /// A benchmark.
    Bench,
    /// An example.
    Example,
    /// A build script.
    BuildScript,
}

impl TargetKind {
    /// Whether what it compiles ships.
    pub fn is_production(self) -> bool {
        match self {
            TargetKind::Lib | TargetKind::ProcMacro | TargetKind::Bin => true,
            TargetKind::Test | TargetKind::Bench | TargetKind::Example | TargetKind::BuildScript => false,
        }
    }

    /// Whether everything in it is test code.
    pub fn is_test_code(self) -> bool {
        match self {
            TargetKind::Test | TargetKind::Bench | TargetKind::Example => true,
            TargetKind::Lib | TargetKind::ProcMacro | TargetKind::Bin | TargetKind::BuildScript => false,
        }
    }
}

impl Target {
    /// cargo's flags that build this target's tests and no others.
    pub fn flags(&self) -> Vec<String> {
        let named = |flag: &str| vec![flag.to_owned(), self.name.clone()];
        match self.kind {
            TargetKind::Lib | TargetKind::ProcMacro => vec!["--lib".to_owned()],
            TargetKind::Bin => named("--bin"),
            TargetKind::Test => named("--test"),
            TargetKind::Bench => named("--bench"),
            TargetKind::Example => named("--example"),
            TargetKind::BuildScript => Vec::new(),
        }
    }

    fn read(target: &cargo_metadata::Target) -> Option<Target> {
        use cargo_metadata::TargetKind as K;
        // A library may have several crate types; every other target has exactly one kind.
        let kind = match target.kind.first()? {
            K::Lib | K::RLib | K::DyLib | K::CDyLib | K::StaticLib => TargetKind::Lib,
            K::ProcMacro => TargetKind::ProcMacro,
            K::Bin => TargetKind::Bin,
            K::Test => TargetKind::Test,
            K::Bench => TargetKind::Bench,
            K::Example => TargetKind::Example,
            K::CustomBuild => TargetKind::BuildScript,
            _ => return None, // A kind of a later cargo: nothing is known about it.
        };
        Some(Target {
            name: target.name.clone(),
            kind,
            root: canonical(&target.src_path),
            edition: target.edition,
            test: target.test,
            doctest: target.doctest,
            required_features: target.required_features.clone(),
        })
    }
}

impl Package {
    /// nextest's binary ID of one of its targets: the package for a library, `package::name` for an integration test,
    /// `package::kind/name` for the rest.
    pub fn binary_id(&self, target: &Target) -> String {
        let of_kind = |kind: &str| format!("{}::{kind}/{}", self.name, target.name);
        match target.kind {
            TargetKind::Lib | TargetKind::ProcMacro => self.name.clone(),
            TargetKind::Test => format!("{}::{}", self.name, target.name),
            TargetKind::Bin => of_kind("bin"),
            TargetKind::Bench => of_kind("bench"),
            TargetKind::Example => of_kind("example"),
            TargetKind::BuildScript => of_kind("custom-build"),
        }
    }

    /// What `-p` wants so that cargo takes no other package for it: a dependency may have the same name.
    pub fn spec(&self) -> &str {
        &self.id
    }

    /// Whether cargo builds the target under the active features. Features of dependencies (`name/feature`) are not
    /// known here and taken to be on.
    pub fn is_built(&self, target: &Target) -> bool {
        self.missing_features(target).is_empty()
    }

    /// The features that a target requires and that are not active; those of dependencies as above.
    pub fn missing_features(&self, target: &Target) -> Vec<String> {
        let missing = target.required_features.iter().filter(|f| !f.contains('/') && !self.features.contains(*f));
        missing.cloned().collect()
    }

    /// Whether a build script may set `cfg` names and generate code.
    pub fn has_build_script(&self) -> bool {
        self.targets.iter().any(|t| t.kind == TargetKind::BuildScript)
    }
}

impl Workspace {
    /// The option that turns features of a package on, as a person would type it.
    pub fn features_option<'a>(&self, package: usize, features: impl IntoIterator<Item = &'a String>) -> String {
        let prefix = match self.packages.as_slice() {
            [_] => String::new(),
            packages => format!("{}/", packages[package].name),
        };
        let names: Vec<String> = features.into_iter().map(|feature| format!("{prefix}{feature}")).collect();
        format!("--features {}", names.join(","))
    }

    /// Asks cargo.
    ///
    /// # Errors
    /// When a manifest does not load; the error has cargo's own words.
    pub fn load(opts: &CargoOptions) -> Result<Workspace> {
        Workspace::parse(&Workspace::ask(opts)?, opts)
    }

    /// What `cargo metadata --no-deps` prints.
    ///
    /// # Errors
    /// When a manifest does not load; the error has cargo's own words.
    pub fn ask(opts: &CargoOptions) -> Result<String> {
        let cargo = std::env::var_os("CARGO").filter(|c| !c.is_empty()).unwrap_or_else(|| "cargo".into());
        let args = ["metadata", "--format-version", "1", "--no-deps", "--color", "never"];
        let cmd = Cmd::new(cargo).args(args).args(opts.metadata_flags()).cwd(opts.directory());
        let out = cmd.output()?;
        if !out.status.success() {
            let said = out.err_text();
            let said = said.trim().strip_prefix("error: ").unwrap_or(said.trim()).to_owned();
            return Err(Error::new("load the cargo workspace", said).hint(format!("`{cmd}` shows the same")));
        }
        Ok(out.text())
    }

    /// Reads what `cargo metadata --no-deps` prints.
    ///
    /// # Errors
    /// When the text is not of the form that `cargo metadata` documents.
    pub fn parse(json: &str, opts: &CargoOptions) -> Result<Workspace> {
        let meta =
            cargo_metadata::MetadataCommand::parse(json).doing(|| "read what `cargo metadata` printed".to_owned())?;
        let members: Vec<&cargo_metadata::Package> =
            meta.packages.iter().filter(|p| meta.workspace_members.contains(&p.id)).collect();
        let packages = members.iter().map(|p| {
            let manifest = canonical(&p.manifest_path);
            Package {
                id: p.id.repr.clone(),
                name: p.name.to_string(),
                dir: manifest.parent().map(Utf8Path::to_owned).unwrap_or_default(),
                manifest,
                targets: p.targets.iter().filter_map(Target::read).collect(),
                features: BTreeSet::new(),
                dependencies: BTreeSet::new(),
            }
        });
        let mut workspace = Workspace {
            root: canonical(&meta.workspace_root),
            target_dir: canonical(&meta.target_directory),
            build_dir: meta.build_directory.as_deref().map(canonical),
            packages: packages.collect(),
            compile_time: BTreeSet::new(),
        };
        let chosen: BTreeSet<usize> = opts.select(&workspace)?.into_iter().collect();
        let links = features::links(&members, &workspace);
        for (package, active) in features::active(&members, &links, opts, &chosen).into_iter().enumerate() {
            workspace.packages[package].features = active;
            workspace.packages[package].dependencies =
                links[package].iter().flatten().copied().filter(|d| *d != package).collect();
        }
        workspace.compile_time = compile_time(&members, &links);
        Ok(workspace)
    }

    /// The member whose directory holds this path most closely.
    pub fn package_of(&self, path: &Utf8Path) -> Option<usize> {
        let holders = self.packages.iter().enumerate().filter(|(_, p)| path.starts_with(&p.dir));
        holders.max_by_key(|(_, p)| p.dir.components().count()).map(|(index, _)| index)
    }

    /// Package and target of a nextest binary ID.
    pub fn target_of(&self, binary_id: &str) -> Option<(usize, usize)> {
        self.targets().find(|(p, t)| self.packages[*p].binary_id(&self.packages[*p].targets[*t]) == binary_id)
    }

    /// These members and all that depend on them, in one step or several.
    pub fn dependents(&self, of: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut affected = of;
        loop {
            let depends = |index: &usize| self.packages[*index].dependencies.iter().any(|on| affected.contains(on));
            let more: Vec<usize> =
                (0..self.packages.len()).filter(|index| !affected.contains(index) && depends(index)).collect();
            if more.is_empty() {
                return affected;
            }
            affected.extend(more);
        }
    }

    /// The members that one depends on, in one step or several; itself only in a circle of dev-dependencies.
    pub fn dependencies_of(&self, package: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open: Vec<usize> = self.packages[package].dependencies.iter().copied().collect();
        while let Some(member) = open.pop() {
            if found.insert(member) {
                open.extend(&self.packages[member].dependencies);
            }
        }
        found
    }

    /// Every target of every member, by index.
    pub fn targets(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.packages.iter().enumerate().flat_map(|(p, package)| (0..package.targets.len()).map(move |t| (p, t)))
    }
}

/// The members that run while others are compiled. Dev-dependencies of a procedural macro do not.
fn compile_time(members: &[&cargo_metadata::Package], links: &[Vec<Option<usize>>]) -> BTreeSet<usize> {
    use cargo_metadata::DependencyKind as Kind;
    let linked = |package: usize, kind: Kind| {
        let dependencies = members[package].dependencies.iter().zip(&links[package]);
        dependencies.filter(move |(dependency, _)| dependency.kind == kind).filter_map(|(_, member)| *member)
    };
    let is_macro = |package: &usize| members[*package].targets.iter().any(cargo_metadata::Target::is_proc_macro);
    let mut open: Vec<usize> = (0..members.len()).filter(is_macro).collect();
    open.extend((0..members.len()).flat_map(|package| linked(package, Kind::Build)));
    let mut found = BTreeSet::new();
    while let Some(package) = open.pop() {
        if found.insert(package) {
            open.extend(linked(package, Kind::Normal));
        }
    }
    found
}

/// The path without symbolic links, as git names the root of its work tree. Of a path that does not exist yet the
/// existing part is resolved.
pub fn canonical(path: &Utf8Path) -> Utf8PathBuf {
    match path.canonicalize_utf8() {
        Ok(real) => match real.as_str().strip_prefix(r"\\?\") {
            Some(plain) => Utf8PathBuf::from(plain),
            None => real,
        },
        Err(_) => match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) if !parent.as_str().is_empty() => canonical(parent).join(name),
            _ => path.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests;
