//! The files that the freeze looks at, on both sides of the diff.

use super::TestName;
use super::fixtures::ChangedFixture;
use super::pairs::ReadFile;
use super::provenance::SIDECAR;
use super::read::{FileUnits, Unit};
use crate::error::Result;
use crate::policy::PathRule;
use crate::run::session::Session;
use crate::source::SourceFile;
use crate::test_id::TestId;
use crate::workspace::TargetKind;
use crate::workspace::modules::{FileRole, relative};
use camino::Utf8Path;
use std::collections::BTreeSet;

/// The units of every changed Rust file; what does not parse is named in `unread`.
pub fn read(session: &Session, unread: &mut Vec<String>) -> Vec<ReadFile> {
    let mut all = Vec::new();
    for input in &session.inputs {
        let path = input.diff.path();
        if !path.ends_with(".rs") && session.modules.uses(path).is_empty() {
            continue;
        }
        let mut units = |text: &Option<String>, side: &str| match text {
            None => FileUnits::default(),
            Some(text) => match SourceFile::parse(path, text.as_str()) {
                Ok(source) => FileUnits::of(&source),
                Err(why) => {
                    unread.push(format!("{path} of the {side}: {}", why.why()));
                    FileUnits::default()
                }
            },
        };
        let (old, new) = (units(&input.old, "base"), units(&input.new, "head"));
        all.push(ReadFile {
            old_path: input.diff.old_path.clone(),
            new_path: input.diff.new_path.clone(),
            old,
            new,
            test_file: is_test_file(session, path),
        });
    }
    all
}

fn is_test_file(session: &Session, path: &str) -> bool {
    session.policy.kind_by_path(path) == Some(PathRule::Test) || session.modules.role(path) == FileRole::Test
}

impl ReadFile {
    /// Whether neither side has a test or test code.
    pub fn is_without_tests(&self) -> bool {
        let none = |units: &FileUnits| units.units.iter().all(|unit| !unit.is_test && !unit.test_only);
        none(&self.old) && none(&self.new) && !self.test_file
    }
}

/// A test of the head by its name there (of the base, for a file that the head does not have).
pub fn name(session: &Session, file: &ReadFile, unit: &Unit) -> TestName {
    let path = file.new_path.as_deref().or(file.old_path.as_deref()).unwrap_or_default();
    named(session, path, unit)
}

/// A test of the base by its name there.
pub fn name_at_base(session: &Session, file: &ReadFile, unit: &Unit) -> TestName {
    let path = file.old_path.as_deref().or(file.new_path.as_deref()).unwrap_or_default();
    named(session, path, unit)
}

fn named(session: &Session, path: &str, unit: &Unit) -> TestName {
    let workspace = &session.workspace;
    let inner = unit.module.iter().chain([&unit.name]);
    let main = session.modules.main_use(path).map(|of| {
        let package = &workspace.packages[of.package];
        let name: Vec<&str> = of.module.iter().chain(inner.clone()).map(String::as_str).collect();
        TestId::new(package.binary_id(&package.targets[of.target]), name.join("::"))
    });
    // A file that the head does not have any more is where cargo looks for it.
    let id = main.or_else(|| {
        let package = workspace.package_of(&session.comparison.tree.join(path))?;
        let package = &workspace.packages[package];
        let dir = relative(&session.comparison.tree, &package.dir);
        let inside = Utf8Path::new(path).strip_prefix(&dir).ok()?;
        let parts: Vec<&str> = inside.components().map(|part| part.as_str()).collect();
        let target = match parts[..] {
            ["tests", file] => file.strip_suffix(".rs")?,
            ["tests", folder, "main.rs"] => folder,
            _ => return None,
        };
        let name: Vec<&str> = inner.clone().map(String::as_str).collect();
        Some(TestId::new(format!("{}::{target}", package.name), name.join("::")))
    });
    TestName { id, function: unit.name.clone(), file: path.to_owned() }
}

/// The bytes of both sides.
pub struct Bytes<'a> {
    session: &'a Session,
    base: BTreeSet<String>,
}

impl<'a> Bytes<'a> {
    /// Asks git for the base's files.
    ///
    /// # Errors
    /// When git fails.
    pub fn new(session: &'a Session) -> Result<Bytes<'a>> {
        let base = session.repo.ls_tree(&session.comparison.merge_base, "")?;
        Ok(Bytes { session, base: base.into_iter().collect() })
    }

    /// Whether the base has a file.
    pub fn in_base(&self, path: &str) -> bool {
        self.base.contains(path)
    }

    /// A file of the head; of a symbolic link its target, as git keeps it.
    pub fn head(&self, path: &str) -> Option<Vec<u8>> {
        let path = self.session.comparison.tree.join(path);
        match std::fs::symlink_metadata(&path).ok()? {
            meta if meta.is_symlink() => Some(std::fs::read_link(&path).ok()?.to_string_lossy().into_owned().into()),
            meta if meta.is_file() => std::fs::read(&path).ok(),
            _ => None,
        }
    }

    /// A text of the head.
    pub fn text_of_head(&self, path: &str) -> Option<String> {
        self.head(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A text of the base.
    ///
    /// # Errors
    /// When git fails.
    pub fn text_of_base(&self, path: &str) -> Result<Option<String>> {
        let bytes = self.session.repo.blob(&self.session.comparison.merge_base, path)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Whether a path is a fixture, or says where one comes from. Rust files that a target compiles are code.
    fn is_fixture(&self, path: &str) -> bool {
        let code = path.ends_with(".rs") && !self.session.modules.uses(path).is_empty();
        self.session.policy.fixtures.dirs.matches(path) && !code && !path.ends_with("/.gitkeep")
    }

    /// The files in fixture folders that the diff names.
    ///
    /// # Errors
    /// When git fails.
    pub fn changed_fixtures(&self) -> Result<Vec<ChangedFixture>> {
        let mut changed = Vec::new();
        for file in &self.session.comparison.files {
            let inside = |path: &Option<String>| path.clone().filter(|path| self.is_fixture(path));
            let (old_path, new_path) = (inside(&file.old_path), inside(&file.new_path));
            if old_path.is_none() && new_path.is_none() {
                continue;
            }
            // A copy leaves its original where it is: what is at the new path is new.
            let copied = old_path.is_some() && file.status == crate::diff::Status::Copied;
            let old_path = old_path.filter(|_| !copied);
            let old = old_path.as_ref().map(|_| self.session.comparison.base_text(&self.session.repo, file));
            changed.push(ChangedFixture {
                old: old.transpose()?.flatten(),
                new: new_path.as_deref().and_then(|path| self.head(path)),
                old_path,
                new_path,
            });
        }
        Ok(changed)
    }

    /// All fixtures of the head.
    pub fn fixtures(&self) -> Vec<String> {
        let mut paths = self.base.clone();
        for file in &self.session.comparison.files {
            if let Some(old) = &file.old_path {
                paths.remove(old);
            }
        }
        paths.extend(self.session.comparison.files.iter().filter_map(|file| file.new_path.clone()));
        paths.retain(|path| self.is_fixture(path) && !path.ends_with(SIDECAR));
        paths.into_iter().collect()
    }
}

/// Whether tests of a target run at all, for files whose module was taken out.
pub fn is_reached(session: &Session, path: &str) -> bool {
    session.modules.uses(path).iter().any(|of| {
        let kind = session.modules.kind(of);
        kind != TargetKind::BuildScript
    })
}
