//! Which file belongs to which target: the module tree from each crate root down.
//!
//! Follows `mod x;`, `#[path]`, `cfg_attr(.., path = "..")` and `include!` by rustc's own directory rules
//! (`rustc_expand::module`), also inside function bodies and macro invocations, and keeps the conditions on the way.

use super::cfg::{CfgSet, Presence};
use super::{TargetKind, Workspace};
use crate::source::SourceFile;
use crate::source::cfg_expr::CfgExpr;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

mod decls;
mod files;

pub use files::{Disk, Files, normal, relative};

use decls::{Decl, Place, Route};

/// One way in which a file is part of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileUse {
    /// Index into [`Workspace::packages`].
    pub package: usize,
    /// Index into that package's targets.
    pub target: usize,
    /// The path of the module that the file's items belong to; empty for a crate root.
    pub module: Vec<String>,
    /// Conditions on the way and of the file's own inner attributes; all must hold.
    pub cfgs: Vec<CfgExpr>,
    /// Whether the file is the text of an `include!` rather than a module.
    pub included: bool,
}

/// A file that could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Path in the repository.
    pub file: String,
    /// What is the matter, lowercase.
    pub why: String,
}

/// What a file is, all its uses taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// Compiled into a library, binary or procedural macro when `test` is unset.
    Production,
    /// Reached only from tests, benchmarks and examples, or only when `test` is set.
    Test,
    /// Reached only from a build script.
    BuildScript,
    /// Reached, but compiled under no configuration that is active here.
    Off,
    /// No target of the loaded packages reaches it.
    Unreached,
}

/// The module trees of the loaded packages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleMap {
    files: BTreeMap<String, Vec<FileUse>>,
    /// Each member's configuration, also of those not loaded.
    configs: Vec<CfgSet>,
    kinds: Vec<Vec<TargetKind>>,
    problems: Vec<Problem>,
    /// Files that a module reaches through a symbolic link.
    linked: BTreeSet<String>,
}

impl ModuleMap {
    /// Walks every target of `packages` (indices into [`Workspace::packages`]). `root` is the root of the repository,
    /// free of symbolic links (`canonical`); files outside of it keep their absolute path. `cfg` is what rustc says
    /// ([`CfgSet::load`]); each package's features are added here.
    ///
    /// What does not parse, is not UTF-8 or is missing becomes a [`Problem`], never an error.
    pub fn load(ws: &Workspace, root: &Utf8Path, packages: &[usize], cfg: &CfgSet, files: &dyn Files) -> ModuleMap {
        let mut map = ModuleMap {
            configs: ws.packages.iter().map(|p| cfg.for_package(p)).collect(),
            kinds: ws.packages.iter().map(|p| p.targets.iter().map(|t| t.kind).collect()).collect(),
            ..ModuleMap::default()
        };
        let mut walker = Walker { root, files, parsed: HashMap::new(), map: &mut map };
        for &package in packages {
            for (target, t) in ws.packages[package].targets.iter().enumerate() {
                let unit = Unit { package, target, manifest_dir: &ws.packages[package].dir };
                let place = Place::root(&t.root);
                walker.file(&unit, &t.root, place, Vec::new(), Vec::new(), &mut Vec::new(), false);
            }
        }
        map.problems.sort();
        map.problems.dedup();
        map
    }

    /// Every file that a target reaches, by its path in the repository.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[FileUse])> {
        self.files.iter().map(|(path, uses)| (path.as_str(), uses.as_slice()))
    }

    /// All uses of a file; empty when no loaded target reaches it.
    pub fn uses(&self, file: &str) -> &[FileUse] {
        self.files.get(file).map_or(&[], Vec::as_slice)
    }

    /// What could not be followed.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The configuration of a package.
    pub fn config(&self, package: usize) -> &CfgSet {
        &self.configs[package]
    }

    /// The kind of a target.
    pub fn kind(&self, of: &FileUse) -> TargetKind {
        self.kinds[of.package][of.target]
    }

    /// Whether one use of a file is compiled.
    pub fn presence_of(&self, of: &FileUse) -> Presence {
        self.configs[of.package].presence(&of.cfgs)
    }

    /// What a file is, all its uses taken together.
    pub fn role(&self, file: &str) -> FileRole {
        let uses = self.uses(file);
        let roles = uses.iter().map(|u| match (self.presence_of(u), self.kind(u)) {
            (Presence::Off, _) => FileRole::Off,
            (_, TargetKind::BuildScript) => FileRole::BuildScript,
            (_, kind) if kind.is_test_code() => FileRole::Test,
            (Presence::TestOnly, _) => FileRole::Test,
            (Presence::Always | Presence::Unknown, _) => FileRole::Production,
        });
        let roles: Vec<FileRole> = roles.collect();
        let first = [FileRole::Production, FileRole::Test, FileRole::BuildScript, FileRole::Off];
        first.into_iter().find(|role| roles.contains(role)).unwrap_or(FileRole::Unreached)
    }

    /// The use that says most about a file's syntax: one that ships, else one in test code. Its conditions are what
    /// [`crate::source::regions::Regions::of`] wants as `outer`, its package's configuration as `cfg`.
    pub fn main_use(&self, file: &str) -> Option<&FileUse> {
        let rank = |u: &&FileUse| {
            let presence = self.presence_of(u);
            let off = presence == Presence::Off;
            let ships = self.kind(u).is_production() && matches!(presence, Presence::Always | Presence::Unknown);
            (off, !ships, self.kind(u) == TargetKind::BuildScript)
        };
        self.uses(file).iter().min_by_key(rank)
    }
}

/// The crate being walked.
struct Unit<'a> {
    package: usize,
    target: usize,
    manifest_dir: &'a Utf8Path,
}

struct Walker<'a> {
    root: &'a Utf8Path,
    files: &'a dyn Files,
    /// Declarations by the path that was read; `None` when it could not be.
    parsed: HashMap<Utf8PathBuf, Option<Rc<decls::FileDecls>>>,
    map: &'a mut ModuleMap,
}

impl ModuleMap {
    /// Whether a module reaches the file through a symbolic link: other text for it would not be found that way.
    pub fn is_linked(&self, path: &str) -> bool {
        self.linked.contains(path)
    }
}

impl Walker<'_> {
    /// Records a file that was found and follows what it declares.
    #[allow(clippy::too_many_arguments, reason = "one recursion's state; bundling it would only rename the arguments")]
    fn file(
        &mut self,
        unit: &Unit<'_>,
        path: &Utf8Path,
        place: Place,
        module: Vec<String>,
        mut cfgs: Vec<CfgExpr>,
        ancestors: &mut Vec<Utf8PathBuf>,
        included: bool,
    ) {
        let real = self.files.real(path);
        // A file that is its own ancestor is an error of the user's crate; rustc reports it.
        if ancestors.contains(&real) {
            return;
        }
        let name = self.name(&real);
        if normal(path) != real {
            self.map.linked.insert(name.clone());
        }
        let decls = self.parse(&real, &name);
        cfgs.extend(decls.iter().flat_map(|d| d.cfgs.iter().cloned()));
        let (package, target) = (unit.package, unit.target);
        let file_use = FileUse { package, target, module: module.clone(), cfgs: cfgs.clone(), included };
        let uses = self.map.files.entry(name.clone()).or_default();
        if !uses.contains(&file_use) {
            uses.push(file_use);
        }
        let Some(decls) = decls else { return };
        ancestors.push(real);
        for decl in &decls.decls {
            let cfgs: Vec<CfgExpr> = cfgs.iter().chain(&decl.cfgs).cloned().collect();
            self.decl(unit, decl, &place, &module, cfgs, ancestors, &name, path);
        }
        ancestors.pop();
    }

    #[allow(clippy::too_many_arguments, reason = "as above")]
    fn decl(
        &mut self,
        unit: &Unit<'_>,
        decl: &Decl,
        place: &Place,
        module: &[String],
        cfgs: Vec<CfgExpr>,
        ancestors: &mut Vec<Utf8PathBuf>,
        declared_in: &str,
        path: &Utf8Path,
    ) {
        let inner: Vec<String> = module.iter().chain(decl.inside.iter().map(|m| &m.name)).cloned().collect();
        match &decl.route {
            Route::Module { name, paths } => {
                let place = decl.inside.iter().fold(place.clone(), |place, m| place.enter(m));
                let place = if decl.in_block { place.without_offset() } else { place };
                let module: Vec<String> = inner.into_iter().chain([name.clone()]).collect();
                for candidate in place.candidates(name, paths) {
                    let all: Vec<CfgExpr> = cfgs.iter().chain(&candidate.when).cloned().collect();
                    let found = candidate.files.iter().find(|(file, _)| self.exists(file));
                    match found {
                        Some((file, next)) => {
                            self.file(unit, file, next.clone(), module.clone(), all, ancestors, false);
                        }
                        None => self.missing(unit, name, &all, declared_in, decl.line),
                    }
                }
            }
            Route::Include { base, path: literal } => {
                let base = match base {
                    decls::Base::File => path.parent().unwrap_or(Utf8Path::new("")),
                    decls::Base::Manifest => unit.manifest_dir,
                };
                let file = normal(&base.join(literal));
                if self.exists(&file) {
                    self.file(unit, &file, Place::root(&file), inner, cfgs, ancestors, true);
                } else {
                    self.missing(unit, literal, &cfgs, declared_in, decl.line);
                }
            }
        }
    }

    /// A missing file is a problem only where it would certainly be compiled.
    fn missing(&mut self, unit: &Unit<'_>, what: &str, cfgs: &[CfgExpr], declared_in: &str, line: u32) {
        match self.map.configs[unit.package].presence(cfgs) {
            Presence::Always | Presence::TestOnly => {
                let why = format!("`{what}`, declared in line {line}, has no file");
                self.map.problems.push(Problem { file: declared_in.to_owned(), why });
            }
            Presence::Off | Presence::Unknown => {}
        }
    }

    fn exists(&mut self, path: &Utf8Path) -> bool {
        let real = self.files.real(path);
        if self.parsed.contains_key(&real) {
            return true;
        }
        match self.files.read(&real) {
            Ok(bytes) => {
                let name = self.name(&real);
                self.remember(real, &name, bytes);
                true
            }
            Err(_) => false,
        }
    }

    fn parse(&mut self, real: &Utf8Path, name: &str) -> Option<Rc<decls::FileDecls>> {
        if let Some(known) = self.parsed.get(real) {
            return known.clone();
        }
        match self.files.read(real) {
            Ok(bytes) => self.remember(real.to_owned(), name, bytes),
            Err(why) => {
                self.map.problems.push(Problem { file: name.to_owned(), why: format!("cannot be read: {why}") });
                self.parsed.insert(real.to_owned(), None);
                None
            }
        }
    }

    fn remember(&mut self, real: Utf8PathBuf, name: &str, bytes: Vec<u8>) -> Option<Rc<decls::FileDecls>> {
        let decls = match String::from_utf8(bytes) {
            Err(_) => Err("is not UTF-8".to_owned()),
            Ok(text) => match SourceFile::parse(name, text.as_str()) {
                Ok(file) => Ok(Rc::new(decls::of_file(&file))),
                // `include!` may hold an expression.
                Err(_) if syn::parse_str::<syn::Expr>(&text).is_ok() => Ok(Rc::default()),
                Err(why) => Err(format!("does not parse: {}", why.why())),
            },
        };
        if let Err(why) = &decls {
            self.map.problems.push(Problem { file: name.to_owned(), why: why.clone() });
        }
        let decls = decls.ok();
        self.parsed.insert(real, decls.clone());
        decls
    }

    /// The path in the repository with `/`, or the absolute path of a file outside.
    fn name(&self, real: &Utf8Path) -> String {
        relative(self.root, real)
    }
}

#[cfg(test)]
mod tests;
