//! Whether tests may look at Rust source of the repository while they run: then another target's source counts as well.
//!
//! What a process opens is not watched, so the text of its crates has to tell: to read a source file it takes its name, a
//! look around in folders, or another program. A word too many costs a few runs of tests; one too few a wrong verdict.

use crate::run::session::Session;
use crate::runner::TestBinary;
use crate::workspace::{Target, TargetKind};
use std::collections::BTreeSet;

/// What names Rust source, lists folders, or starts programs and tools that do.
const WORDS: &[&str] = &[
    ".rs\"",
    "\"rs\"",
    "file!",
    "read_dir",
    "walk",
    "Walk",
    "glob",
    "Command",
    "assert_cmd",
    "snapbox",
    "trycmd",
    "duct",
    "xshell",
    "git2",
    "gix",
    "trybuild",
    "ui_test",
    "datatest",
    "dir_test",
    "macrotest",
];

/// What is known of the workspace's source.
pub struct Sources<'a> {
    session: &'a Session,
    /// Files with one of the words.
    looking: BTreeSet<&'a str>,
}

impl<'a> Sources<'a> {
    /// Reads all files of all targets. A file that cannot be read may hold anything.
    pub fn read(session: &'a Session) -> Sources<'a> {
        let tree = &session.comparison.tree;
        let looks = |path: &str| std::fs::read_to_string(tree.join(path)).map_or(true, |text| may_look(&text));
        let looking = session.modules.files().map(|(path, _)| path).filter(|path| looks(path)).collect();
        Sources { session, looking }
    }

    /// Whether the tests of an executable may read source: by themselves, or by any library or program of the workspace.
    pub fn may_be_read_by(&self, binary: &TestBinary) -> bool {
        let packages = &self.session.workspace.packages;
        let is_own = |package: usize, target: &Target| {
            packages[package].id == binary.package_id && target.name == binary.target_name
        };
        self.looking.iter().flat_map(|path| self.session.modules.uses(path)).any(|of| {
            let target = &packages[of.package].targets[of.target];
            match target.kind {
                TargetKind::Lib | TargetKind::ProcMacro | TargetKind::Bin => true,
                TargetKind::Test | TargetKind::Bench | TargetKind::Example => is_own(of.package, target),
                TargetKind::BuildScript => false,
            }
        })
    }
}

fn may_look(text: &str) -> bool {
    WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_source_folders_and_other_programs_tell() {
        assert!(may_look("fs::read_to_string(\"tests/other.rs\")"));
        assert!(may_look("for entry in std::fs::read_dir(\"tests\") {}"));
        assert!(may_look("Command::new(\"cargo\")"));
        assert!(!may_look("fs::read_to_string(\"tests/data.txt\")"));
    }
}
