//! What a run may never change: the work tree, the index, refs, stash, worktrees and settings of the repository.

use super::{Fixture, Problems, program};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// All of it at one moment.
#[derive(PartialEq)]
pub struct Snapshot {
    files: BTreeMap<String, (SystemTime, Vec<u8>)>,
    git: BTreeMap<&'static str, String>,
}

/// Questions to git whose answers stay the same.
const QUESTIONS: [(&str, &[&str]); 6] = [
    ("status", &["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--untracked-files=all"]),
    ("refs", &["for-each-ref"]),
    ("stash", &["stash", "list"]),
    ("worktrees", &["worktree", "list", "--porcelain"]),
    ("settings", &["config", "--local", "--list"]),
    ("index", &["ls-files", "--stage", "--debug"]),
];

impl Snapshot {
    pub fn of(fixture: &Fixture) -> Snapshot {
        let mut files = BTreeMap::new();
        gather(&fixture.root(), "", &mut files);
        let git = QUESTIONS.map(|(what, question)| {
            let mut git = program::clean("git", &fixture.root());
            git.args(question);
            (what, program::finish(git).stdout)
        });
        Snapshot { files, git: git.into() }
    }

    /// Compares with the present.
    pub fn check(&self, fixture: &Fixture, problems: &mut Problems) {
        let now = Snapshot::of(fixture);
        for (what, before) in &self.git {
            problems.same(&format!("git {what} after the run"), &now.git[what], before);
        }
        for path in self.files.keys().chain(now.files.keys()) {
            let touched = self.files.get(path) != now.files.get(path);
            problems.expect(!touched, || format!("the run changed `{path}`"));
        }
        let left: Vec<_> = std::fs::read_dir(fixture.temporary()).unwrap().map(|e| e.unwrap().file_name()).collect();
        problems.expect(left.is_empty(), || format!("left in the temporary folder: {left:?}"));
    }
}

/// Every file but those of git itself and of target folders, one of which is called `out`.
fn gather(root: &Path, folder: &str, files: &mut BTreeMap<String, (SystemTime, Vec<u8>)>) {
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if [".git", "target", "out"].contains(&name.as_str()) {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let meta = entry.metadata().unwrap();
        if meta.is_dir() {
            gather(root, &path, files);
        } else {
            let bytes = std::fs::read(root.join(&path)).unwrap_or_default();
            files.insert(path, (meta.modified().unwrap(), bytes));
        }
    }
}
