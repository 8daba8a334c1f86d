//! What was found out where the compiler was: the last thing in an archive.

use crate::build::{Fate, Validity};
use crate::runner::Built;
use crate::test_id::TestId;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that a machine without a compiler has to be told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Contents {
    /// What `cargo metadata --no-deps` prints.
    pub workspace: String,
    /// What `rustc --print cfg` prints.
    pub cfg: String,
    /// Digest of all mutants with their switches.
    pub plan: String,
    /// The build; `None` when the patch is judged without one.
    pub build: Option<Build>,
    /// Every other file of the archive.
    pub files: Vec<Stored>,
}

/// A file of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Its path in the archive.
    pub path: String,
    /// Hex SHA-256 of its bytes.
    pub sha256: String,
}

/// What was built, and what the compiler said.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Build {
    /// `rustc -V`.
    pub rustc: String,
    /// What `cargo metadata` prints.
    pub metadata: String,
    /// The host's target triple.
    pub host: String,
    /// The user's own target runner of the host.
    pub host_runner: Vec<String>,
    /// The user's own target runner of the target.
    pub runner: Vec<String>,
    /// The woven build.
    pub built: Built,
    /// One for each mutant and part of the reverted patch.
    pub fates: Vec<Fate>,
    /// The compiler's word on mutants of which the woven build does not tell.
    pub validity: BTreeMap<usize, Validity>,
    /// What the base lists, if it had to be asked.
    pub base_list: Option<BaseList>,
    /// The patch's own tests.
    pub delta: Vec<TestId>,
    /// What a reader should know of the build.
    pub notes: Vec<String>,
    /// One x of the cap in milliseconds, where the cap is a multiple.
    pub one_x_ms: Option<u64>,
    /// Mutants that are compiled alone, by index, and the reverted patch.
    pub alone: BTreeMap<String, Alone>,
    /// The build for the historical suite, when it was asked for.
    pub historical: Option<Built>,
}

/// The tests of the base.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct BaseList {
    /// The tests.
    pub tests: Vec<TestId>,
    /// What a reader should know of them.
    pub note: Option<String>,
}

/// A mutant that was compiled alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Alone {
    /// The compiler refused it.
    Invalid(String),
    /// It could not be compiled, for a reason that proves nothing.
    Unverified(String),
    /// Its executables: the path in the archive, and where each has to lie when its tests run.
    Built(Vec<(String, Utf8PathBuf)>),
}
