//! The two steps together, on sources in memory and lists made by hand.

mod functions;
mod macros;
mod outside;

use super::*;
use crate::workspace::cfg::CfgSet;
use crate::workspace::modules::{Files, normal};
use crate::workspace::{Edition, Package, Target, TargetKind};
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::io;

/// A base, a head, and what the head's test binaries list.
#[derive(Default)]
struct Case {
    base: BTreeMap<String, String>,
    head: BTreeMap<String, String>,
    renames: Vec<(String, String)>,
    list: Vec<ListedTest>,
    manifest: Vec<TestId>,
    features: Vec<&'static str>,
}

struct Memory<'a>(&'a BTreeMap<String, String>);

impl Files for Memory<'_> {
    fn read(&self, path: &Utf8Path) -> io::Result<Vec<u8>> {
        let name = path.strip_prefix("/r").unwrap_or(path);
        self.0.get(name.as_str()).map(|t| t.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        normal(path)
    }
}

impl Case {
    /// A file that is the same on both sides.
    fn same(mut self, path: &str, text: &str) -> Case {
        self.base.insert(path.into(), text.into());
        self.head.insert(path.into(), text.into());
        self
    }

    fn change(mut self, path: &str, base: &str, head: &str) -> Case {
        self.base.insert(path.into(), base.into());
        self.head.insert(path.into(), head.into());
        self
    }

    fn add(mut self, path: &str, head: &str) -> Case {
        self.head.insert(path.into(), head.into());
        self
    }

    fn remove(mut self, path: &str, base: &str) -> Case {
        self.base.insert(path.into(), base.into());
        self
    }

    fn rename(mut self, from: &str, to: &str) -> Case {
        self.renames.push((from.into(), to.into()));
        self
    }

    /// Tests of a binary, located at the first line of a file of the head that holds the text.
    fn list(mut self, binary: &str, file: &str, tests: &[(&str, &str)]) -> Case {
        for (name, text) in tests {
            let head = &self.head[file];
            let line = head.lines().position(|l| l.contains(text)).unwrap_or_else(|| panic!("`{text}` in {head}"));
            let source = Some((file.to_owned(), line as u32 + 1));
            self.list.push(ListedTest { id: TestId::new(binary, *name), ignored: false, source });
        }
        self
    }

    /// Tests of a binary without a location.
    fn unplaced(mut self, binary: &str, tests: &[&str]) -> Case {
        let test = |name: &&str| ListedTest { id: TestId::new(binary, *name), ignored: false, source: None };
        self.list.extend(tests.iter().map(test));
        self
    }

    fn ignore(mut self, name: &str) -> Case {
        self.list.iter_mut().filter(|t| t.id.name == name).for_each(|t| t.ignored = true);
        self
    }

    /// Packages are directories with a `src`; targets lie where cargo looks for them.
    fn workspace(&self) -> Workspace {
        let mut packages: Vec<Package> = Vec::new();
        let dirs: BTreeSet<String> =
            self.head.keys().filter_map(|p| p.split_once("src/").map(|(d, _)| d.to_owned())).collect();
        for dir in &dirs {
            let name = dir.trim_end_matches('/').rsplit('/').next().filter(|n| !n.is_empty()).unwrap_or("p");
            let mut targets = Vec::new();
            for path in self.head.keys() {
                let Some(inner) = path.strip_prefix(dir.as_str()) else { continue };
                let (target, kind) = match inner {
                    "src/lib.rs" => (name, TargetKind::Lib),
                    "src/main.rs" => (name, TargetKind::Bin),
                    "build.rs" => ("build-script-build", TargetKind::BuildScript),
                    _ => match inner.strip_prefix("tests/").and_then(|t| t.strip_suffix(".rs")) {
                        Some(stem) if !stem.contains('/') => (stem, TargetKind::Test),
                        _ => continue,
                    },
                };
                targets.push(Target {
                    name: target.to_owned(),
                    kind,
                    root: format!("/r/{path}").into(),
                    edition: Edition::E2021,
                    test: true,
                    doctest: false,
                    required_features: Vec::new(),
                });
            }
            packages.push(Package {
                id: name.to_owned(),
                name: name.to_owned(),
                dir: format!("/r/{dir}").trim_end_matches('/').into(),
                manifest: format!("/r/{dir}Cargo.toml").into(),
                targets,
                features: self.features.iter().map(|f| (*f).to_owned()).collect(),
                dependencies: BTreeSet::new(),
            });
        }
        Workspace {
            root: "/r".into(),
            target_dir: "/r/target".into(),
            build_dir: None,
            packages,
            compile_time: BTreeSet::new(),
        }
    }

    fn diff(&self) -> Vec<ChangedFile> {
        let mut pairs: Vec<(Option<String>, Option<String>)> = Vec::new();
        let (from, to): (Vec<String>, Vec<String>) = self.renames.iter().cloned().unzip();
        pairs.extend(self.renames.iter().map(|(f, t)| (Some(f.clone()), Some(t.clone()))));
        let all: BTreeSet<&String> = self.base.keys().chain(self.head.keys()).collect();
        for path in all.into_iter().filter(|p| self.base.get(*p) != self.head.get(*p)) {
            let old = self.base.get(path).filter(|_| !from.contains(path)).map(|_| path.clone());
            let new = self.head.get(path).filter(|_| !to.contains(path)).map(|_| path.clone());
            if old.is_some() || new.is_some() {
                pairs.push((old, new));
            }
        }
        let file = |(old_path, new_path): (Option<String>, Option<String>)| {
            let old = old_path.as_ref().and_then(|p| self.base.get(p)).cloned();
            let new = new_path.as_ref().and_then(|p| self.head.get(p)).cloned();
            let before: Vec<&str> = old.as_deref().unwrap_or("").lines().collect();
            let lines = (1..).zip(new.as_deref().unwrap_or("").lines()).filter(|(_, l)| !before.contains(l));
            let changed_new_lines = lines.map(|(n, _)| n).collect();
            ChangedFile { old_path, new_path, old, new, changed_new_lines }
        };
        pairs.into_iter().map(file).collect()
    }

    fn candidates(&self) -> (Workspace, Candidates) {
        let workspace = self.workspace();
        let all: Vec<usize> = (0..workspace.packages.len()).collect();
        let cfg = CfgSet::from_rustc_lines("unix\ntarget_os=\"linux\"");
        let modules = ModuleMap::load(&workspace, Utf8Path::new("/r"), &all, &cfg, &Memory(&self.head));
        let found = candidates(&Inputs {
            workspace: &workspace,
            modules: &modules,
            root: Utf8Path::new("/r"),
            files: &self.diff(),
            read: &|path| self.head.get(path).cloned(),
            test_path: &|path| path.starts_with("tests/") || path.contains("/tests/"),
            manifest: &self.manifest,
        });
        (workspace, found)
    }

    /// The binary IDs of the candidates.
    fn targets(&self) -> Vec<String> {
        let (ws, found) = self.candidates();
        found.targets().map(|(p, t)| ws.packages[p].binary_id(&ws.packages[p].targets[t])).collect()
    }

    /// The delta by the head's list alone.
    fn delta(&self) -> Delta {
        self.candidates().1.resolve(&self.list, None, false).unwrap_or_else(|needs| panic!("{needs:?}"))
    }

    /// The delta with the base's list.
    fn with_base(&self, base: &[(&str, &str)]) -> Delta {
        let base: Vec<TestId> = base.iter().map(|(binary, name)| TestId::new(*binary, *name)).collect();
        let found = self.candidates().1;
        let Err(needs) = found.resolve(&self.list, None, false) else { panic!("the base's list is not asked for") };
        assert!(!needs.targets.is_empty() && !needs.why.is_empty());
        found.resolve(&self.list, Some(&base), false).unwrap()
    }
}

/// The tests of a delta, e.g. `p::it m::t added`.
fn shown(delta: &Delta) -> Vec<String> {
    let word = |change| match change {
        TestChange::Added => "added",
        TestChange::Modified => "modified",
        TestChange::ModifiedHelper => "helper",
    };
    delta.tests.iter().map(|e| format!("{} {}", e.test.id, word(e.test.change))).collect()
}

fn whys(delta: &Delta) -> Vec<&str> {
    delta.tests.iter().map(|e| e.why.as_str()).collect()
}

const NONE: [&str; 0] = [];
