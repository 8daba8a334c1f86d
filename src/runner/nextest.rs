//! The first baseline run: nextest runs exactly the tests in use, the shim writes down each of them.
//!
//! What the user's nextest configuration says about how a test runs (setup scripts, environment, groups, its own
//! limits) holds. What would change a verdict (retries, the default filter, stopping early) does not.

use super::built::Built;
use super::context::Context;
use super::record::{Recording, read_all};
use super::{environment, filter, metadata, shim};
use crate::error::{Context as _, Error, Result};
use crate::exec::neutral_env;
use crate::process::{Cmd, Output};
use crate::test_id::TestId;
use camino::Utf8Path;
use nextest_metadata::NextestExitCode;
use std::collections::BTreeMap;

/// Runs the tests once. The recordings come in the order of `tests`, each test once.
///
/// # Errors
/// When nextest fails for another reason than a failing test, the run ends first, or a test was not run.
pub fn record(context: &Context, built: &Built, tests: &[TestId]) -> Result<Vec<Recording>> {
    let dir = context.scratch.join("baseline");
    let writing = || format!("prepare the baseline in `{dir}`");
    match std::fs::remove_dir_all(&dir) {
        Ok(()) => {}
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {}
        Err(why) => return Err(Error::new(writing(), why)),
    }
    let records = dir.join("records");
    std::fs::create_dir_all(&records).doing(writing)?;
    let binaries = dir.join("binaries.json");
    let summary = serde_json::to_vec(&metadata::summary(context, built)).doing(writing)?;
    std::fs::write(&binaries, summary).doing(writing)?;
    // JUnit files of the user's configuration stay out of the user's `target/nextest`
    let config = dir.join("nextest.toml");
    std::fs::write(&config, store_setting(&dir.join("store"))).doing(writing)?;
    // what nextest leaves behind when the run ends first is found by it
    let mark = format!("{}-baseline-", std::process::id());
    let mut said = String::new();
    for filterset in filter::filtersets(tests) {
        let cmd = command(context, &binaries, &config, &filterset);
        let cmd = cmd.env(shim::RECORD_DIR, dir.join("records"));
        let cmd = cmd.env(shim::CHANNEL, context.scratch.join(crate::exec::channel::FOLDER));
        said.push_str(&judged(&cmd, &crate::exec::output(&cmd, &context.ending, Some(&mark))?)?);
    }
    let mut found: BTreeMap<TestId, Recording> = BTreeMap::new();
    for recording in read_all(records.as_std_path(), built)? {
        found.insert(recording.id.clone(), recording);
    }
    tests
        .iter()
        .map(|id| found.remove(id).map(|recording| with_words(recording, &said)).ok_or_else(|| not_run(id)))
        .collect()
}

/// nextest's configuration for where it stores what it wants to keep.
pub(super) fn store_setting(dir: &Utf8Path) -> String {
    format!("[store]\ndir = {}\n", toml::Value::String(dir.to_string()))
}

/// The command, given the description of the build and nextest's configuration.
pub(super) fn command(context: &Context, binaries: &Utf8Path, config: &Utf8Path, filterset: &str) -> Cmd {
    let mut cmd = Cmd::new(&context.cargo).args(["nextest", "run", "--color", "never"]);
    cmd = cmd.arg("--binaries-metadata").arg(binaries).arg("--cargo-metadata").arg(&context.metadata_file);
    cmd = cmd.args(["--no-fail-fast", "--retries", "0", "--ignore-default-filter", "--run-ignored", "all"]);
    cmd = cmd.args(["--no-tests", "fail", "--failure-output", "immediate", "--success-output", "never"]);
    cmd = cmd.args(["--status-level", "fail", "--tool-config-file", &format!("hunkmut:{config}")]);
    cmd = cmd.args(["-E", filterset]);
    if let Some(profile) = &context.nextest_profile {
        cmd = cmd.args(["--profile", profile]);
    }
    cmd = cmd.arg("--config").arg(runner_setting(&context.host, &context.shim, &context.host_runner));
    if let Some(target) = context.target.as_ref().filter(|target| **target != context.host) {
        cmd = cmd.arg("--config").arg(runner_setting(target, &context.shim, &context.runner));
    }
    for key in environment::of_an_outer_nextest().iter().chain(&context.withheld) {
        cmd = cmd.env_remove(key);
    }
    for (key, value) in &context.env {
        cmd = cmd.env(key, value);
    }
    for (key, value) in neutral_env(|key| std::env::var_os(key).is_some()) {
        cmd = cmd.env(key, value);
    }
    cmd.cwd(&context.cwd)
}

/// `target.<triple>.runner = [..]` on the command line, which outranks files and variables; the array form keeps
/// spaces in paths.
fn runner_setting(triple: &str, shim: &[String], users_own: &[String]) -> String {
    let words: Vec<toml::Value> = shim.iter().chain(users_own).cloned().map(toml::Value::String).collect();
    format!("target.{}.runner={}", toml::Value::String(triple.to_owned()), toml::Value::Array(words))
}

/// Passes and failures of tests are results; anything else means that nextest could not do its work.
fn judged(cmd: &Cmd, output: &Output) -> Result<String> {
    match output.status.code() {
        Some(0 | NextestExitCode::TEST_RUN_FAILED) => Ok(output.err_text()),
        Some(NextestExitCode::NO_TESTS_RUN) => Err(cmd.failed(output).hint("the test binaries are not those listed")),
        Some(NextestExitCode::SETUP_SCRIPT_FAILED) => {
            Err(cmd.failed(output).hint("a setup script of this workspace's nextest configuration fails"))
        }
        // clap's code for an option that an old nextest does not know
        Some(2) => Err(cmd.failed(output).hint("a newer nextest may help: `cargo install --locked cargo-nextest`")),
        Some(_) | None => Err(cmd.failed(output)),
    }
}

fn not_run(id: &TestId) -> Error {
    Error::new(format!("run the test `{id}`"), "nextest finished without running it through the target runner")
        .hint("a wrapper script of the nextest configuration may replace target runners: try another `--profile`")
}

/// A failed test's words as nextest shows them.
fn with_words(mut recording: Recording, said: &str) -> Recording {
    if !recording.end.passed() {
        recording.output = words_of(&recording.id, said).into();
    }
    recording
}

/// The part of nextest's output that begins with this test's status line.
fn words_of(id: &TestId, said: &str) -> String {
    let is_status = |line: &str| line.contains(" [") && line.contains("s] ");
    let mut lines = said.lines().skip_while(|line| !(is_status(line) && line.ends_with(&format!(" {id}"))));
    let head = lines.next();
    let body = lines.take_while(|line| !is_status(line) && !line.starts_with("────"));
    head.into_iter().chain(body).map(|line| format!("{}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn the_runner_keeps_spaces_quotes_and_the_users_own_command() {
        let shim = ["/my tools/cargo-hunkmut".to_owned(), "__hunkmut-shim".to_owned()];
        let setting = runner_setting("x86_64-unknown-linux-gnu", &shim, &["qe\"mu".to_owned(), "-L".to_owned()]);
        let parsed: toml::Table = setting.parse().unwrap();
        let runner = &parsed["target"]["x86_64-unknown-linux-gnu"]["runner"];
        let words: Vec<_> = runner.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(words, ["/my tools/cargo-hunkmut", "__hunkmut-shim", "qe\"mu", "-L"]);
    }

    #[test]
    fn a_failed_tests_words_are_cut_out_of_nextests_output() {
        let said = "\
        FAIL [   0.100s] (4/7) app tests::fails
  stderr ───
    assertion failed
        PASS [   0.015s] (6/7) app::it m::t
────────────
        FAIL [   0.100s] (4/7) app tests::fails
";
        let words = words_of(&TestId::new("app", "tests::fails"), said);
        assert_eq!(words, "FAIL [   0.100s] (4/7) app tests::fails\n  stderr ───\n    assertion failed\n");
        assert_eq!(words_of(&TestId::new("app", "fails"), "nothing"), "");
    }
}
