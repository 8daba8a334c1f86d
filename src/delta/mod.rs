//! The tests that a diff added or changed.
//!
//! Two steps, with the build between them. [`candidates`] reads syntax only and says which test targets can hold such
//! tests, so that only these are built. [`Candidates::resolve`] takes the test list of what was built and gives exact
//! IDs. Both compare tokens of base and head, not lines: a test that only moved is none of the patch's, and a deletion
//! inside a test is. Where source positions cannot tell, `resolve` asks for the base's test list.

mod candidates;
mod compare;
mod doctests;
mod graph;
mod manifests;
mod opaque;
mod origin;
mod resolve;
mod tokens;
mod units;

#[cfg(test)]
mod tests;

pub use candidates::{Candidates, candidates};

use crate::report::model::{DeltaTest, TestChange};
use crate::test_id::TestId;
use crate::workspace::Workspace;
use crate::workspace::modules::ModuleMap;
use camino::Utf8Path;
use std::collections::BTreeSet;

/// A file that the diff names, with both of its versions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedFile {
    /// Path in the base, with `/`; `None` for an added file.
    pub old_path: Option<String>,
    /// Path in the head; `None` for a deleted file.
    pub new_path: Option<String>,
    /// The base's text; `None` when there is none or it is no text.
    pub old: Option<String>,
    /// The head's text; `None` when there is none or it is no text.
    pub new: Option<String>,
    /// Lines of the head (1-based) that really changed.
    pub changed_new_lines: BTreeSet<u32>,
}

/// Everything that the static step reads.
pub struct Inputs<'a> {
    /// The workspace of the head.
    pub workspace: &'a Workspace,
    /// Its module trees.
    pub modules: &'a ModuleMap,
    /// The root of the repository in which the head's files lie, as given to [`ModuleMap::load`].
    pub root: &'a Utf8Path,
    /// The diff.
    pub files: &'a [ChangedFile],
    /// The head's text of a file by its path in the repository; `None` when there is none or it is not UTF-8.
    pub read: &'a dyn Fn(&str) -> Option<String>,
    /// Whether the policy's path rules call a file test code.
    pub test_path: &'a dyn Fn(&str) -> bool,
    /// `[tests] manifest` of the policy.
    pub manifest: &'a [TestId],
}

/// A test in the list of the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTest {
    /// Its identity.
    pub id: TestId,
    /// Whether it is `#[ignore]`d.
    pub ignored: bool,
    /// Where libtest says that it is written: path in the repository and 1-based line. `None` when it does not say,
    /// or names a file outside of the repository.
    pub source: Option<(String, u32)>,
}

/// A test of the delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaEntry {
    /// As it is reported.
    pub test: DeltaTest,
    /// Why it is in the delta, as one could say it to the author.
    pub why: String,
}

/// The test delta.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    /// The tests, in order of their IDs.
    pub tests: Vec<DeltaEntry>,
    /// Tests that would be in it were they not `#[ignore]`d.
    pub ignored: Vec<DeltaEntry>,
    /// Lines of documentation tests that the patch touches, which are no tests here: path and line.
    pub doctests: Vec<(String, u32)>,
    /// What a reader should know: tests that could not be told apart, touched tests that are not in the list.
    pub notes: Vec<String>,
}

impl Delta {
    /// Whether the patch has tests, but documentation tests only.
    pub fn is_doctests_only(&self) -> bool {
        self.tests.is_empty() && self.ignored.is_empty() && !self.doctests.is_empty()
    }
}

/// Why the delta cannot be told from the head alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedsBaseList {
    /// The targets (package and target index in the head's [`Workspace`]) whose list at the base decides. The base may
    /// lack them: then its list is empty.
    pub targets: Vec<(usize, usize)>,
    /// The reasons, one a line for a person.
    pub why: Vec<String>,
}

fn entry(id: &TestId, change: TestChange, at: Option<(String, u32)>, why: String) -> DeltaEntry {
    let (file, line) = at.unzip();
    DeltaEntry { test: DeltaTest { id: id.clone(), change, file, line }, why }
}
