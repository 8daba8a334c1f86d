//! Which tests the binaries hold, and where they are written.
//!
//! Each binary is asked by itself, so that one with its own harness which cannot answer fails nobody else. libtest
//! tells names and positions in one go (`--format json`, unstable, so `RUSTC_BOOTSTRAP=1`); any other harness is asked
//! as nextest asks: `--list --format terse`, once with `--ignored`.

use super::built::{Built, TestBinary};
use super::context::Context;
use super::environment;
use crate::error::Result;
use crate::exec::{Ending, each, output};
use crate::process::Cmd;
use crate::test_id::TestId;
use camino::Utf8PathBuf;
use serde::Deserialize;
use std::collections::BTreeSet;

/// A test as its binary lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTest {
    /// Its identity.
    pub id: TestId,
    /// Whether it is `#[ignore]`d.
    pub ignored: bool,
    /// Where it is written, when the harness says so.
    pub source: Option<Source>,
}

/// Where a test is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file as `file!()` gives it: relative to where cargo called rustc, the root of the workspace. For tests
    /// made by a `macro_rules!` of another file it is that file.
    pub file: Utf8PathBuf,
    /// First line of the test's name or attribute.
    pub line: u32,
}

/// Who answers in a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harness {
    /// libtest.
    Libtest,
    /// Something that speaks libtest's language in part.
    Custom,
}

/// A binary that listed its tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBinary {
    /// Its ID.
    pub binary_id: String,
    /// Who answered.
    pub harness: Harness,
    /// Its tests in its own order.
    pub tests: Vec<ListedTest>,
}

/// A binary that did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListFailure {
    /// Its ID.
    pub binary_id: String,
    /// What happened.
    pub why: String,
}

/// All answers, in the order of the binaries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Those that listed their tests.
    pub binaries: Vec<ListedBinary>,
    /// Those that could not.
    pub failures: Vec<ListFailure>,
}

impl Listing {
    /// All tests.
    pub fn tests(&self) -> impl Iterator<Item = &ListedTest> {
        self.binaries.iter().flat_map(|binary| &binary.tests)
    }

    /// The test with this identity.
    pub fn get(&self, id: &TestId) -> Option<&ListedTest> {
        self.tests().find(|test| test.id == *id)
    }

    /// Who answered for a binary.
    pub fn harness(&self, binary_id: &str) -> Option<Harness> {
        self.binaries.iter().find(|binary| binary.binary_id == binary_id).map(|binary| binary.harness)
    }
}

/// Asks every binary, `jobs` at a time.
pub fn list(context: &Context, built: &Built, jobs: usize) -> Listing {
    let never = Ending::default();
    let answers =
        each(jobs, built.binaries.len(), &never, |_, index| Some(ask(context, built, &built.binaries[index])));
    let mut listing = Listing::default();
    for (answer, binary) in answers.into_iter().flatten().zip(&built.binaries) {
        match answer {
            Ok(listed) => listing.binaries.push(listed),
            Err(why) => {
                listing.failures.push(ListFailure { binary_id: binary.binary_id.clone(), why: why.to_string() })
            }
        }
    }
    listing
}

fn ask(context: &Context, built: &Built, binary: &TestBinary) -> Result<ListedBinary> {
    let binary_id = binary.binary_id.clone();
    let json = command(context, built, binary)
        .args(["--list", "--format", "json", "-Z", "unstable-options"])
        .env("RUSTC_BOOTSTRAP", "1");
    let json = output(&json, &context.ending, None)?;
    if json.status.success()
        && let Some(tests) = from_json(&binary_id, &json.text())
    {
        return Ok(ListedBinary { binary_id, harness: Harness::Libtest, tests });
    }
    let terse = command(context, built, binary).args(["--list", "--format", "terse"]);
    let listed = |terse: &Cmd| {
        let said = output(terse, &context.ending, None)?;
        if said.status.success() { names(&said.text()) } else { Err(terse.failed(&said)) }
    };
    let all = listed(&terse)?;
    let ignored: BTreeSet<String> = listed(&terse.arg("--ignored"))?.into_iter().collect();
    let test = |name: String| ListedTest {
        ignored: ignored.contains(&name),
        id: TestId::new(binary_id.clone(), name),
        source: None,
    };
    Ok(ListedBinary { tests: all.into_iter().map(test).collect(), harness: Harness::Custom, binary_id })
}

fn command(context: &Context, built: &Built, binary: &TestBinary) -> Cmd {
    let runner = if binary.target_kind == "proc-macro" { &context.host_runner } else { &context.runner };
    let mut cmd = match runner.split_first() {
        None => Cmd::new(&binary.path),
        Some((program, args)) => Cmd::new(program).args(args).arg(&binary.path),
    };
    for key in &context.withheld {
        cmd = cmd.env_remove(key);
    }
    for (key, value) in environment::for_tests(context, built, binary) {
        cmd = cmd.env(key, value);
    }
    cmd.cwd(&binary.package_dir)
}

/// An event of libtest's JSON.
#[derive(Deserialize)]
struct Event {
    event: String,
    name: Option<String>,
    #[serde(default)]
    ignore: bool,
    source_path: Option<Utf8PathBuf>,
    start_line: Option<u32>,
}

/// `None` when this is not a whole list in libtest's JSON.
fn from_json(binary_id: &str, text: &str) -> Option<Vec<ListedTest>> {
    let mut tests = Vec::new();
    let mut whole = false;
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let event: Event = serde_json::from_str(line).ok()?;
        whole |= event.event == "completed";
        if let ("discovered", Some(name)) = (event.event.as_str(), event.name) {
            let source = event.source_path.zip(event.start_line).map(|(file, line)| Source { file, line });
            tests.push(ListedTest { id: TestId::new(binary_id, name), ignored: event.ignore, source });
        }
    }
    whole.then_some(tests)
}

/// Reads `name: test` lines.
fn names(text: &str) -> Result<Vec<String>> {
    let name = |line: &str| {
        let name = line.strip_suffix(": test").or_else(|| line.strip_suffix(": benchmark"));
        let not = || crate::error::Error::new("read a list of tests", format!("`{line}` does not name a test"));
        name.map(str::to_owned).ok_or_else(not)
    };
    text.lines().filter(|line| !line.is_empty()).map(name).collect()
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn libtests_json_gives_names_positions_and_what_is_ignored() {
        let text = r#"{ "type": "suite", "event": "discovery" }
{ "type": "test", "event": "discovered", "name": "m::a", "ignore": true, "ignore_message": "", "source_path": "app/src/lib.rs", "start_line": 4, "start_col": 12, "end_line": 4, "end_col": 17 }
{ "type": "suite", "event": "completed", "tests": 1, "benchmarks": 0, "total": 1, "ignored": 1 }
"#;
        let source = Some(Source { file: "app/src/lib.rs".into(), line: 4 });
        let expected = ListedTest { id: TestId::new("app", "m::a"), ignored: true, source };
        assert_eq!(from_json("app", text), Some(vec![expected]));
    }

    #[test]
    fn a_list_that_breaks_off_is_no_list() {
        assert_eq!(from_json("app", r#"{ "type": "suite", "event": "discovery" }"#), None);
        assert_eq!(from_json("app", ""), None);
    }

    #[test]
    fn a_line_that_names_no_test_is_an_error_as_in_nextest() {
        assert_eq!(names("a b: test\nc: benchmark\n").unwrap(), ["a b", "c"]);
        assert!(names("running 1 test\n").is_err());
    }
}
