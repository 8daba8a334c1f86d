//! The static checks that a patch did not loosen the tests themselves.
//!
//! Nothing is built: test functions, fixtures, the list of frozen tests, nextest's configuration and the manifests are
//! read on both sides of the diff. A pass of new tests says little when old ones were taught to look away.

mod advice;
pub mod date;
mod files;
pub mod fixtures;
pub mod flakes;
mod forks;
mod looser;
mod manifests;
mod modules;
mod nextest;
mod pairs;
mod profile;
mod provenance;
mod read;
mod restated;
mod textual;
mod tokens;
mod weakened;

use crate::compare::model::{Reason, Rule};
use crate::error::Result;
use crate::run::session::Session;
use crate::test_id::TestId;
use crate::workspace::modules::FileRole;
use fixtures::Head;
use pairs::{Pairs, ReadFile, pair};
use read::Unit;
use restated::Declared;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub use tokens::code_words;

/// What the patch did to the tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Findings {
    /// Why the patch is rejected, or held.
    pub reasons: Vec<Reason>,
    /// Whether there was anything to look at: test code, fixtures, or the rules of judging.
    pub touched: bool,
    /// What a reviewer should look at; never a decision.
    pub advice: Vec<String>,
    /// What could not be read.
    pub unread: Vec<String>,
    /// Tests that the base does not have, renamed and moved ones aside.
    pub new_tests: Vec<TestName>,
    /// Tests of the base with their name at the head.
    pub kept_tests: Vec<(TestName, TestName)>,
    /// Tests of the base that are gone, or were changed.
    pub touched_tests: Vec<TestName>,
}

/// A test as far as syntax names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TestName {
    /// nextest's ID, where the target is known.
    pub id: Option<TestId>,
    /// Its function.
    pub function: String,
    /// Its file.
    pub file: String,
}

impl TestName {
    /// As it is shown and written: `binary-id name`, else the function alone.
    pub fn label(&self) -> String {
        self.id.as_ref().map_or_else(|| self.function.clone(), ToString::to_string)
    }
}

/// Looks at a session's patch.
///
/// # Errors
/// When git or the file system fails.
pub fn check(session: &Session) -> Result<Findings> {
    let mut findings = Findings::default();
    let read = files::read(session, &mut findings.unread);
    let pairs = pair(&read);
    let label = |file: &ReadFile, unit: &Unit| files::name(session, file, unit).label();
    findings.reasons.extend(weakened::weakened(&read, &pairs, &label));
    findings.reasons.extend(modules::check(session, &read, &label));

    findings.advice = advice::advice(&read, &pairs, &label);
    for input in &session.inputs {
        let production = |path: &&str| session.modules.role(path) == FileRole::Production;
        if let (Some(path), Some(new)) = (input.diff.new_path.as_deref().filter(production), &input.new) {
            findings.advice.extend(forks::forks(path, input.old.as_deref(), new));
        }
    }
    findings.advice.extend(restated::restated(&read, &pairs, &label, &|| declared(session)));

    let bytes = files::Bytes::new(session)?;
    let changed = bytes.changed_fixtures()?;
    let in_head = |path: &str| bytes.head(path);
    let in_base = |path: &str| bytes.in_base(path);
    let head = Head { read: &in_head, in_base: &in_base };
    findings.reasons.extend(fixtures::check(&changed, &head));
    let all = bytes.fixtures();
    findings.reasons.extend(fixtures::synthesized_only(&read, &pairs, &all, &head, &label));

    let freeze = session.freeze_path();
    let (old, new) = (bytes.text_of_base(&freeze)?, bytes.text_of_head(&freeze));
    findings.reasons.extend(flakes::compare(&freeze, old.as_deref(), new.as_deref()));
    let config = session.in_workspace(".config/nextest.toml");
    let (old, new) = (bytes.text_of_base(&config)?, bytes.text_of_head(&config));
    findings.reasons.extend(nextest::compare(&config, old.as_deref(), new.as_deref()));
    for input in session.inputs.iter().filter(|input| input.diff.path().rsplit('/').next() == Some("Cargo.toml")) {
        let path = input.diff.path();
        let dir = path.strip_suffix("Cargo.toml").unwrap_or_default();
        let near = |inside: &str| bytes.in_base(&format!("{dir}{inside}"));
        findings.reasons.extend(manifests::compare(path, input.old.as_deref(), input.new.as_deref(), &near));
    }
    for path in &session.watched_changes {
        let detail = "the patch changes what it is judged by; it is judged without that change";
        findings.reasons.push(Reason::new(Rule::PolicyChanged, detail).at(path, None));
    }
    findings.reasons.sort();
    findings.reasons.dedup();
    findings.touched = session.scope.test_side_changed
        || !changed.is_empty()
        || !findings.reasons.is_empty()
        || !read.iter().all(ReadFile::is_without_tests);
    names(session, &read, &pairs, &mut findings);
    Ok(findings)
}

/// Tests in changed files of the head whose assertions look only at `Debug` text or log lines.
pub fn text_only(session: &Session) -> BTreeSet<TestId> {
    let read = files::read(session, &mut Vec::new());
    let tests = read.iter().flat_map(|file| file.new.units.iter().map(move |unit| (file, unit)));
    let found = tests.filter(|(_, unit)| unit.is_test && textual::is_text_only(unit));
    found.filter_map(|(file, unit)| files::name(session, file, unit).id).collect()
}

/// What the loaded packages declare at the base: changed files as they were, all others as they are.
fn declared(session: &Session) -> Declared {
    let mut declared = Declared::default();
    let changed: BTreeSet<&str> = session.inputs.iter().filter_map(|input| input.diff.new_path.as_deref()).collect();
    session.inputs.iter().filter_map(|input| input.old.as_deref()).for_each(|text| declared.add(text));
    let unchanged = session.modules.files().map(|(path, _)| path).filter(|path| !changed.contains(path));
    for path in unchanged {
        // What cannot be read declares nothing that a test could use.
        declared.add(&std::fs::read_to_string(session.comparison.tree.join(path)).unwrap_or_default());
    }
    declared
}

/// Digests of all fixtures of a session's head, paths and bytes, and of its list of frozen tests.
///
/// # Errors
/// When git fails.
pub fn digests(session: &Session) -> Result<(String, String)> {
    let bytes = files::Bytes::new(session)?;
    let mut all = Vec::new();
    for path in bytes.fixtures() {
        let content = bytes.head(&path).unwrap_or_default();
        all.extend_from_slice(format!("{path}\0{}\0", content.len()).as_bytes());
        all.extend_from_slice(&content);
    }
    let freeze = bytes.head(&session.freeze_path()).unwrap_or_default();
    Ok((crate::text::sha256(all), crate::text::sha256(freeze)))
}

/// The tests that a changed helper touches: those of its file that name it, else whatever is built with the file.
fn touched_by_helper(session: &Session, file: &ReadFile, helper: &str, findings: &mut Findings) {
    let uses = |unit: &&Unit| unit.is_test && unit.profile.names.iter().any(|name| name == helper);
    let before = findings.touched_tests.len();
    let tests = file.old.units.iter().filter(uses);
    findings.touched_tests.extend(tests.map(|test| files::name_at_base(session, file, test)));
    if findings.touched_tests.len() == before {
        let path = file.old_path.clone().unwrap_or_default();
        findings.touched_tests.push(TestName { id: None, function: helper.to_owned(), file: path });
    }
}

/// Which tests are new, kept and touched.
fn names(session: &Session, read: &[ReadFile], pairs: &Pairs, findings: &mut Findings) {
    let old = |at: &pairs::At| (&read[at.0], &read[at.0].old.units[at.1]);
    let new = |at: &pairs::At| (&read[at.0], &read[at.0].new.units[at.1]);
    for (b, h) in &pairs.both {
        let ((base_file, base), (head_file, head)) = (old(b), new(h));
        if !base.is_test {
            if base.body != head.body && (base_file.test_file || base.test_only) {
                touched_by_helper(session, base_file, &base.name, findings);
            }
            continue;
        }
        let before = files::name_at_base(session, base_file, base);
        findings.kept_tests.push((before.clone(), files::name(session, head_file, head)));
        if base.body != head.body || base.ignored != head.ignored || base.gates != head.gates {
            findings.touched_tests.push(before);
        }
    }
    for at in pairs.gone.iter().filter(|at| !old(at).1.is_test && (old(at).0.test_file || old(at).1.test_only)) {
        touched_by_helper(session, old(at).0, &old(at).1.name, findings);
    }
    for at in pairs.gone.iter().filter(|at| old(at).1.is_test) {
        findings.touched_tests.push(files::name_at_base(session, old(at).0, old(at).1));
    }
    for at in pairs.new.iter().filter(|at| new(at).1.is_test) {
        findings.new_tests.push(files::name(session, new(at).0, new(at).1));
    }
}
