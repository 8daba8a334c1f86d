//! Reports in other formats, and the merge job's question whether a report may be believed.

use crate::harness::case::Case;
use crate::harness::{Fixture, program};

const REPORT: &str = "target/hunkmut/report/report.json";

fn judged() -> Fixture {
    let fixture = Fixture::counter();
    fixture.hunkmut(&["--base", "main", "--head", "patch"]).ends(0, &["pass"]);
    fixture
}

#[test]
fn a_stored_report_is_shown_in_every_format() {
    let fixture = Case::named("hold-many-survivors").repository();
    fixture.hunkmut(&["--base", "main", "--report-format", "html", "--report-format", "sarif"]);
    let dir = fixture.root().join("target/hunkmut/report");
    for (format, words) in [
        ("html", "<!doctype html>"),
        ("sarif", "\"version\": \"2.1.0\""),
        ("junit", "<testsuites"),
        ("github", "::warning file=src/"),
        ("gitlab", "\"fingerprint\""),
        ("markdown", "## cargo hunkmut"),
        ("stryker", "\"schemaVersion\": \"2\""),
        ("json", "\"schema\": \"hunkmut-report/1\""),
        ("cargo-json", "\"reason\":\"build-finished\""),
        ("short", "killed"),
        ("terminal", "mutants"),
    ] {
        let ran = fixture.hunkmut(&["report", "--from", REPORT, "--format", format]);
        assert!(ran.code == Some(0) && ran.stdout.contains(words), "{}", ran.transcript());
        let file = format!("target/out.{format}");
        fixture.hunkmut(&["report", "--from", REPORT, "--format", format, "--output", &file]).ends(0, &[]);
        assert_eq!(std::fs::read_to_string(fixture.root().join(file)).unwrap(), ran.stdout);
    }
    let stored = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    let shown = |format: &str| fixture.hunkmut(&["report", "--format", format]).stdout;
    assert_eq!(stored("report.html"), shown("html"), "the run writes what `report` shows");
    assert_eq!(stored("report.sarif"), shown("sarif"));
    assert_eq!(stored("report.json"), shown("json"));
}

#[test]
fn a_pull_request_shows_both_kill_maps_side_by_side_and_none_of_another_run() {
    let fixture = Fixture::counter();
    fixture.hunkmut(&["--base", "main", "--gate", "ratio", "--gate", "kill-map"]);
    let page = || std::fs::read_to_string(fixture.root().join("target/hunkmut/report/report.md")).unwrap();
    let text = page();
    assert!(text.contains("### What all tests notice, before and after the patch"), "{text}");
    assert!(text.contains("| | base | head |") && text.contains(" by `counter::next one_follows_zero` |"), "{text}");
    assert_eq!(fixture.hunkmut(&["report", "--format", "markdown"]).stdout, text);
    fixture.hunkmut(&["--base", "main", "--gate", "ratio"]);
    assert!(!page().contains("| base | head |"), "{}", page());
}

#[test]
fn a_run_speaks_as_a_compiler_when_an_editor_asks() {
    let fixture = Case::named("hold-many-survivors").repository();
    let ran = fixture.hunkmut(&["--base", "main", "--message-format", "cargo-json"]);
    let messages: Vec<serde_json::Value> = ran.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let warning = messages.iter().find(|m| m["message"]["code"]["code"] != "hunkmut::ratio").expect("a survivor");
    assert_eq!(warning["message"]["level"], "warning");
    let span = &warning["message"]["spans"][0];
    let source = std::fs::read_to_string(fixture.root().join(span["file_name"].as_str().unwrap())).unwrap();
    let line = source.lines().nth(span["line_start"].as_u64().unwrap() as usize - 1).unwrap();
    assert_eq!(span["text"][0]["text"], line);
    assert_eq!(messages.last().unwrap()["reason"], "build-finished");
    fixture.hunkmut(&["list", "--base", "main", "--message-format", "cargo-json"]).ends(2, &["cargo hunkmut run"]);
}

#[test]
fn the_job_summary_is_written_inside_github_actions() {
    let fixture = judged();
    let mut command = program::hunkmut(&fixture.root());
    let summary = fixture.root().join("target/summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    command.args(["report", "--from", REPORT, "--format", "github"]).env("GITHUB_STEP_SUMMARY", &summary);
    program::finish(command).ends(0, &[]);
    let text = std::fs::read_to_string(summary).unwrap();
    assert!(text.starts_with("before\n## cargo hunkmut: pass"), "{text}");
}

#[test]
fn a_report_of_this_very_patch_that_passes_is_verified() {
    let fixture = judged();
    fixture.hunkmut(&["verify-report", REPORT, "--base", "main", "--head", "patch"]).ends(0, &["verified: pass"]);
}

#[test]
fn a_missing_cut_off_or_foreign_file_is_no_report() {
    let fixture = judged();
    let verify = |file: &str| fixture.hunkmut(&["verify-report", file, "--base", "main", "--head", "patch"]);
    verify("nowhere.json").ends(2, &["nowhere.json"]);
    let whole = std::fs::read_to_string(fixture.root().join(REPORT)).unwrap();
    fixture.write("target/cut.json", &whole[..whole.len() / 2]);
    verify("target/cut.json").ends(2, &["cut off"]);
    fixture.write("target/empty.json", "");
    verify("target/empty.json").ends(2, &["cut off"]);
    fixture.write("target/other.json", "{\"schema\": \"another/1\"}");
    verify("target/other.json").ends(2, &["another/1"]);
}

#[test]
fn a_stale_report_blocks() {
    let fixture = judged();
    fixture.write("src/lib.rs", "pub fn zero() -> u32 {\n    0\n}\n\npub fn next(n: u32) -> u32 {\n    n + 2\n}\n");
    fixture.commit("one more");
    let verify = |base: &str, head: &str| fixture.hunkmut(&["verify-report", REPORT, "--base", base, "--head", head]);
    verify("main", "patch").ends(1, &["not verified: the report's head"]);
    verify("main", "patch~1").ends(0, &["verified"]);
    verify("patch~1", "patch~1").ends(1, &["not verified: the report's base"]);
    verify("main", "nosuch").ends(2, &["nosuch"]);
}

#[test]
fn a_report_that_does_not_pass_blocks_and_so_does_one_of_uncommitted_changes() {
    let fixture = Case::named("hold-many-survivors").repository();
    fixture.hunkmut(&["--base", "main", "--head", "HEAD"]);
    fixture.hunkmut(&["verify-report", REPORT, "--base", "main", "--head", "HEAD"]).ends(1, &["the decision is hold"]);
    let fixture = judged();
    fixture.write("untracked.rs", "");
    fixture.hunkmut(&["--base", "main"]).ends(0, &["pass"]);
    fixture.hunkmut(&["verify-report", REPORT, "--base", "main", "--head", "patch"]).ends(1, &["uncommitted"]);
}

#[test]
fn an_edited_report_blocks() {
    let fixture = Case::named("hold-many-survivors").repository();
    fixture.hunkmut(&["--base", "main", "--head", "HEAD"]);
    let text = std::fs::read_to_string(fixture.root().join(REPORT)).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let verify = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut edited = report.clone();
        (edited["decision"], edited["exit_code"]) = ("pass".into(), 0.into());
        edited["gates"][0]["decision"] = "pass".into();
        edit(&mut edited);
        fixture.write("target/edited.json", edited.to_string());
        fixture.hunkmut(&["verify-report", "target/edited.json", "--base", "main", "--head", "HEAD"])
    };
    verify(&|_| ()).ends(1, &["recomputed"]);
    verify(&|r| {
        let alive = |m: &serde_json::Value| m["verdict"] != "killed";
        r["mutants"].as_array_mut().unwrap().retain(|m| !alive(m));
        r["counts"]["survived"] = 0.into();
    })
    .ends(1, &["not verified"]);
    verify(&|r| r["counts"]["killed"] = 99.into()).ends(1, &["counts"]);
    verify(&|r| r["policy"]["sha256"] = "00".into()).ends(1, &["policy"]);
    verify(&|r| r["complete"] = false.into()).ends(1, &["not complete"]);
    verify(&|r| r["gates"] = serde_json::json!([])).ends(1, &["not verified"]);
}
