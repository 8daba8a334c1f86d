//! The identity of one test: nextest's binary ID and the test's path inside that binary.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One test as nextest names it, e.g. `app::checkout` + `ten_of_a_kind_are_cheaper`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestId {
    /// nextest's binary ID: `pkg` for a library, `pkg::target` for an integration test,
    /// `pkg::bin/target` for a binary.
    pub binary_id: String,
    /// The path of the test inside its binary, e.g. `m::tests::works`.
    pub name: String,
}

impl TestId {
    /// Joins the two halves.
    pub fn new(binary_id: impl Into<String>, name: impl Into<String>) -> Self {
        TestId { binary_id: binary_id.into(), name: name.into() }
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.binary_id, self.name)
    }
}
