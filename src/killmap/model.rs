//! A kill map (`schema: "hunkmut-killmap/1"`): which tests of one revision notice which mutants of its code.

use crate::error::{Context, Error, Result};
use crate::report::atomic;
use crate::report::model::Verdict;
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The value of [`KillMap::schema`].
pub const SCHEMA: &str = "hunkmut-killmap/1";

/// One revision's map. All lists are in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KillMap {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The revision's full ID; of a work tree with uncommitted changes the commit below them, with `-dirty`.
    pub rev: String,
    /// The catalog in use.
    pub catalog: Catalog,
    /// The program that made it.
    pub tool: Tool,
    /// Mutants that a test fails on.
    pub killed: BTreeSet<String>,
    /// Mutants that are executed and pass all tests.
    pub survived: BTreeSet<String>,
    /// Mutants that no test executes.
    pub unexecuted: BTreeSet<String>,
    /// Mutants on which a test exceeds a limit; as good as killed.
    pub timeout: BTreeSet<String>,
    /// Mutants that do not compile.
    pub invalid: BTreeSet<String>,
    /// Mutants whose outcome did not reproduce.
    pub flaky: BTreeSet<String>,
    /// Mutants without a verdict.
    pub unverified: BTreeSet<String>,
    /// What they are.
    pub mutants: BTreeMap<String, MapMutant>,
    /// The tests in use: all but ignored, frozen and failing ones, `binary-id name`.
    pub tests: BTreeSet<String>,
    /// Tests that the revision has and that were not used, with the reason.
    #[serde(default)]
    pub unused: BTreeMap<String, String>,
    /// Digest of all fixtures, paths and bytes.
    pub fixture_sha256: String,
    /// Digest of the list of frozen tests; of nothing when there is none.
    pub flake_freeze_sha256: String,
    /// Mutants that the cap left out.
    #[serde(default)]
    pub left_out: usize,
    /// What a reader should know besides.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Whether every mutant has a final verdict.
    pub complete: bool,
}

/// The operators in use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Catalog {
    /// `mutants-v1`.
    pub name: String,
    /// Hex SHA-256 of the registry.
    pub sha256: String,
}

/// Versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tool {
    /// `cargo-hunkmut`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The first line of `rustc -V`; empty where nothing was compiled.
    pub rustc: String,
}

/// A mutant and who kills it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MapMutant {
    /// Its file in this revision.
    pub file: String,
    /// Its first line there.
    pub line: u32,
    /// The enclosing item.
    pub function: String,
    /// The operator's name.
    pub operator: String,
    /// The replaced text.
    pub original: String,
    /// What stands there instead.
    pub replacement: String,
    /// Tests that fail on it, at least one of those that do, the first one first.
    pub killed_by: Vec<String>,
    /// Why the verdict, where it needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl KillMap {
    /// Adds a mutant with its verdict.
    pub fn add(&mut self, id: &str, mutant: MapMutant, verdict: Verdict) {
        let list = match verdict {
            Verdict::Killed => &mut self.killed,
            Verdict::Timeout => &mut self.timeout,
            Verdict::Survived | Verdict::Excused => &mut self.survived,
            Verdict::Unexecuted => &mut self.unexecuted,
            Verdict::Invalid => &mut self.invalid,
            Verdict::Flaky => &mut self.flaky,
            Verdict::Unverified => &mut self.unverified,
        };
        list.insert(id.to_owned());
        self.mutants.insert(id.to_owned(), mutant);
    }

    /// Whether a test notices the mutant.
    pub fn is_dead(&self, id: &str) -> bool {
        self.killed.contains(id) || self.timeout.contains(id)
    }

    /// Whether no test notices the mutant, for sure.
    pub fn is_alive(&self, id: &str) -> bool {
        self.survived.contains(id) || self.unexecuted.contains(id)
    }

    /// Every mutant that a test notices.
    pub fn dead(&self) -> impl Iterator<Item = &String> {
        self.killed.union(&self.timeout)
    }

    /// The mutants that count: dead or alive.
    pub fn valid(&self) -> usize {
        self.killed.len() + self.timeout.len() + self.survived.len() + self.unexecuted.len()
    }

    /// The word for a mutant's verdict; `None` when the map does not have it.
    pub fn verdict(&self, id: &str) -> Option<Verdict> {
        let lists = [
            (&self.killed, Verdict::Killed),
            (&self.timeout, Verdict::Timeout),
            (&self.survived, Verdict::Survived),
            (&self.unexecuted, Verdict::Unexecuted),
            (&self.invalid, Verdict::Invalid),
            (&self.flaky, Verdict::Flaky),
            (&self.unverified, Verdict::Unverified),
        ];
        lists.into_iter().find(|(list, _)| list.contains(id)).map(|(_, verdict)| verdict)
    }

    /// The map as it is written.
    ///
    /// # Errors
    /// Never for values of these types; serde's own words otherwise.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self).doing(|| "write the kill map as JSON".into())? + "\n")
    }

    /// Writes the map, replacing an earlier one in one step.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Utf8Path) -> Result<()> {
        atomic::write(path, self.json()?.as_bytes())
    }

    /// Reads a map back.
    ///
    /// # Errors
    /// When the file cannot be read, is cut off, is no JSON, has another schema or not the schema's fields, or
    /// contradicts itself.
    pub fn read(path: &Utf8Path) -> Result<KillMap> {
        let text = atomic::read(path)?;
        let fault = |why: String| {
            Error::new(format!("read the kill map `{path}`"), why).hint("make it again with `cargo hunkmut killmap`")
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|why| match why.is_eof() {
            true => fault(format!("it is cut off ({why})")),
            false => fault(format!("it is not JSON ({why})")),
        })?;
        match value.get("schema").and_then(serde_json::Value::as_str) {
            Some(SCHEMA) => {}
            Some(other) => return Err(fault(format!("its schema is `{other}`, and this version reads `{SCHEMA}`"))),
            None => return Err(fault(format!("it has no schema, so it is not a `{SCHEMA}`"))),
        }
        let map: KillMap =
            serde_json::from_value(value).map_err(|why| fault(format!("it does not follow `{SCHEMA}`: {why}")))?;
        map.consistent().map_err(fault)?;
        Ok(map)
    }

    /// Every mutant has exactly one verdict, and a complete map none that is open.
    ///
    /// # Errors
    /// What contradicts that, in words.
    pub fn consistent(&self) -> Result<(), String> {
        let lists = [
            &self.killed,
            &self.timeout,
            &self.survived,
            &self.unexecuted,
            &self.invalid,
            &self.flaky,
            &self.unverified,
        ];
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        for id in lists.into_iter().flatten() {
            if !seen.insert(id) {
                return Err(format!("`{id}` has two verdicts"));
            }
            if !self.mutants.contains_key(id) {
                return Err(format!("`{id}` has a verdict and is not described"));
            }
        }
        if let Some(id) = self.mutants.keys().find(|id| !seen.contains(id)) {
            return Err(format!("`{id}` has no verdict"));
        }
        if self.complete && !self.unverified.is_empty() {
            return Err("it says that it is complete, and has mutants without a verdict".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn map() -> KillMap {
        let mut map = KillMap { schema: SCHEMA.into(), rev: "0".repeat(40), complete: true, ..KillMap::default() };
        map.add("m-1", MapMutant { killed_by: vec!["a::t x".into()], ..MapMutant::default() }, Verdict::Killed);
        map.add("m-2", MapMutant::default(), Verdict::Survived);
        map
    }

    fn reread(text: &str) -> Result<KillMap> {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().join("map.json")).unwrap();
        std::fs::write(&path, text).unwrap();
        KillMap::read(&path)
    }

    #[test]
    fn a_map_comes_back_as_it_was_written() {
        assert_eq!(reread(&map().json().unwrap()).unwrap(), map());
    }

    #[test]
    fn a_map_that_is_cut_off_foreign_or_contradicts_itself_is_refused() {
        let whole = map().json().unwrap();
        for at in (0..whole.len() - 2).step_by(61) {
            assert!(reread(&whole[..at]).unwrap_err().why().contains("cut off"), "{at}");
        }
        assert!(reread("{\"schema\": \"hunkmut-killmap/9\"}").unwrap_err().why().contains("hunkmut-killmap/9"));
        assert!(reread("{}").unwrap_err().why().contains("no schema"));
        let mut twice = map();
        twice.survived.insert("m-1".into());
        assert!(reread(&twice.json().unwrap()).unwrap_err().why().contains("two verdicts"));
        let mut open = map();
        open.add("m-3", MapMutant::default(), Verdict::Unverified);
        assert!(reread(&open.json().unwrap()).unwrap_err().why().contains("complete"));
    }
}
