//! The gate `zero-survivors` from end to end: red, a kill-task, a new test, `rerun` green, the evidence and its
//! verification; the ledger; and every way that this file knows to make evidence say something else.

use crate::harness::case::Case;
use crate::harness::program::report;
use crate::harness::{Fixture, program::Ran};
use camino::{Utf8Path, Utf8PathBuf};
use cargo_hunkmut::evidence::verify;
use cargo_hunkmut::exit::Exit;
use cargo_hunkmut::gate;
use cargo_hunkmut::report::model::{Counts, Report, Verdict};
use cargo_hunkmut::text::sha256;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const GATE: [&str; 5] = ["--base", "main", "--gate", "zero-survivors", "-v"];

const NEW_TESTS: &str = "use parking::*;

#[test]
fn the_fifteenth_minute_costs() {
    assert_eq!(fee(15, false), 180);
}

#[test]
fn the_second_hour_begins_after_sixty_minutes() {
    assert_eq!(fee(61, false), 360);
}
";

fn fixture() -> Fixture {
    Case::named("zero-survivors").repository()
}

fn evidence(fixture: &Fixture) -> Utf8PathBuf {
    Utf8PathBuf::from_path_buf(fixture.root().join("target/hunkmut/evidence")).unwrap()
}

fn survivors(fixture: &Fixture) -> Vec<String> {
    let report = report(&fixture.root()).unwrap();
    let alive = report.mutants.iter().filter(|mutant| mutant.verdict == Verdict::Survived);
    alive.map(|mutant| mutant.id.clone()).collect()
}

fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}\n{}", ran.transcript()))
}

#[test]
fn from_red_to_a_task_to_a_test_to_green_to_evidence() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &["KILL-TASK"]);
    let left = survivors(&fixture);
    assert!(!left.is_empty());

    let tasks = fixture.hunkmut(&["tasks", "--message-format", "json"]);
    let tasks = json_of(&tasks)["tasks"].as_array().unwrap().clone();
    let ids: Vec<&str> = tasks.iter().map(|task| task["id"].as_str().unwrap()).collect();
    assert_eq!(ids, left);
    for task in &tasks {
        assert_eq!(task["proof"], format!("cargo hunkmut rerun {}", task["id"].as_str().unwrap()));
    }

    let still = fixture.hunkmut(&["rerun", &left[0]]);
    still.ends(1, &["still alive", "0 of 1 mutant red now"]);

    fixture.write("tests/boundaries.rs", NEW_TESTS);
    let green = fixture.hunkmut(&["rerun"]);
    green.ends(0, &["red on the mutant by `parking::boundaries ", "green on the original"]);
    let updated = report(&fixture.root()).unwrap();
    let first = updated.mutants.iter().find(|mutant| mutant.id == left[0]).unwrap();
    let history: Vec<Verdict> = first.history.iter().map(|past| past.verdict).collect();
    assert_eq!((first.verdict, history), (Verdict::Killed, vec![Verdict::Survived, Verdict::Survived]));
    assert_ne!(updated.exit_code, 0, "no gate passes on verdicts that were not taken today");
    fixture.hunkmut(&["rerun"]).ends(0, &["nothing to rerun"]);

    fixture.hunkmut(&GATE).ends(0, &["pass"]);
    fixture.hunkmut(&["tasks"]).ends(0, &["no kill-task"]);
    fixture.hunkmut(&["verify"]).ends(0, &["verified", "(pass)"]);
    fixture.hunkmut(&["verify", "--rerun", "2"]).ends(0, &["2 mutants run again"]);
    assert_eq!(fixture.git(&["status", "--porcelain"]).trim(), "?? tests/boundaries.rs");
}

#[test]
fn a_test_that_is_red_without_a_mutant_proves_nothing() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    fixture.write("tests/boundaries.rs", NEW_TESTS.replace("180", "181"));
    fixture.hunkmut(&["rerun"]).ends(4, &["is not green on the original"]);
}

#[test]
fn an_excusal_counts_once_it_is_part_of_the_base() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    let left = survivors(&fixture);
    let mut args = vec!["excuse"];
    args.extend(left.iter().map(String::as_str));
    args.extend(["--owner", "ann", "--because", "the tariff board settled this in May"]);
    let short: Vec<&str> = args.iter().map(|a| if a.contains("tariff") { "too short" } else { a }).collect();
    fixture.hunkmut(&short).ends(2, &["fewer than 20"]);
    fixture.hunkmut(&args).ends(0, &["excused m-"]);
    fixture.hunkmut(&args).ends(2, &["has an entry for it already, by ann"]);
    fixture.hunkmut(&["excuse", "--check"]).ends(0, &["0 problems"]);
    let ledger = ".config/hunkmut-ledger.toml";

    // The patch's own entries: not honoured, and with the option honoured but held.
    fixture.commit("excuse");
    fixture.hunkmut(&GATE).ends(1, &["not honoured without"]);
    let accepted = [&GATE[..], &["--accept-new-excusals"]].concat();
    fixture.hunkmut(&accepted).ends(3, &["hold at best"]);
    assert!(survivors(&fixture).is_empty());
    fixture.hunkmut(&["verify"]).ends(0, &["verified"]);

    // The same entries, reviewed before the patch.
    let text = fixture.read(ledger);
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write(ledger, &text);
    fixture.commit("ledger");
    fixture.git(&["checkout", "-q", "patch"]);
    fixture.git(&["reset", "-q", "--hard", "HEAD~1"]);
    fixture.git(&["rebase", "-q", "main"]);
    fixture.hunkmut(&GATE).ends(0, &["excused"]);
    fixture.hunkmut(&["verify"]).ends(0, &["verified"]);

    // Another item is another question.
    let source = fixture.read("src/lib.rs");
    fixture.write("src/lib.rs", source.replace("let full = hours * HOURLY;", "let full = HOURLY * hours;"));
    fixture.hunkmut(&GATE).ends(1, &["stale"]);
    fixture.hunkmut(&["excuse", "--check"]).ends(1, &["stale"]);
    fixture.hunkmut(&["excuse", "--prune"]).ends(0, &["removed m-"]);
}

#[test]
fn each_excusal_that_cannot_be_is_refused_with_its_reason() {
    let fixture = fixture();
    let because = ["--owner", "ann", "--because", "the tariff board settled this in May"];
    let excuse = |id: &str, more: &[&str]| fixture.hunkmut(&[&["excuse", id], &because[..], more].concat());
    excuse("m-0000000000", &[]).ends(2, &["report.json"]);
    fixture.hunkmut(&GATE).ends(1, &[]);
    let ledger = ".config/hunkmut-ledger.toml";
    let id = survivors(&fixture).remove(0);
    let killed = report(&fixture.root()).unwrap().mutants.into_iter().find(|m| m.verdict == Verdict::Killed).unwrap();

    excuse("m-0000000000", &[]).ends(2, &["the report has no such mutant"]);
    excuse(&killed.id, &[]).ends(2, &["a test kills it"]);
    excuse(&id, &["--expires", "2020-01-01"]).ends(2, &["that day has passed"]);
    excuse(&id, &["--expires", "2020-02-30"]).ends(2, &["2020-02-30"]);
    excuse(&id, &["--proof", "equivalent-by-compiler"]).ends(2, &["the report does not call it"]);
    assert!(!fixture.root().join(ledger).exists(), "nothing was written");

    fixture.write(ledger, "[[excusal]\n");
    excuse(&id, &[]).ends(2, &["read the ledger", ledger]);
    fixture.hunkmut(&["excuse", "--check"]).ends(2, &["read the ledger"]);
    fixture.write(ledger, "[[excusal]]\nmutant = \"m-1\"\n");
    excuse(&id, &[]).ends(2, &["one of its entries is malformed", "m-1: missing field"]);
    fixture.hunkmut(&["excuse", "--check"]).ends(1, &["m-1: missing field", "1 entry, 1 problem"]);

    let entry = |more: &str| {
        let item = sha256("x");
        format!(
            "[[excusal]]\nmutant = \"{id}\"\nitem = \"{item}\"\nfile = \"src/lib.rs\"\nowner = \"bob\"\n\
             reason = \"the tariff board settled this\"\ndate = \"2020-01-01\"\n{more}\n"
        )
    };
    fixture.write(ledger, entry(""));
    excuse(&id, &[]).ends(2, &["has an entry for it already, by bob"]);
    fixture.write(ledger, entry("expires = \"2020-02-01\""));
    excuse(&id, &[]).ends(2, &["expired since 2020-02-01"]);
    fixture.hunkmut(&["excuse", "--check"]).ends(1, &["expired"]);
    fixture.write(ledger, entry("") + &entry(""));
    fixture.hunkmut(&["excuse", "--check"]).ends(1, &["stale", "duplicate", "2 entries, 2 problems"]);
}

#[test]
fn evidence_goes_into_a_folder_of_its_own() {
    let fixture = fixture();
    let names = || {
        let entries = std::fs::read_dir(fixture.root()).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name != "target").collect::<BTreeSet<_>>()
    };
    let before = names();
    fixture.hunkmut(&[&GATE[..], &["--evidence", "."]].concat()).ends(2, &["leave evidence in", "a folder of its own"]);
    assert_eq!(names(), before);
}

#[test]
#[cfg(target_os = "linux")]
fn a_pipe_in_place_of_evidence_is_refused_at_once() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    let file = evidence(&fixture).join("runs.jsonl");
    std::fs::remove_file(&file).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, file.as_std_path(), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    fixture.hunkmut(&["verify"]).ends(2, &["runs.jsonl", "no ordinary file"]);
}

#[test]
fn an_excusal_expires_by_the_day_of_the_heads_commit() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    let left = survivors(&fixture);
    let mut args = vec!["excuse"];
    args.extend(left.iter().map(String::as_str));
    args.extend(["--owner", "ann", "--because", "the tariff board settled this in May", "--expires", "2999-01-01"]);
    fixture.hunkmut(&args).ends(0, &[]);
    let ledger = ".config/hunkmut-ledger.toml";
    let text = fixture.read(ledger).replace("2999-01-01", "2021-01-01");
    std::fs::remove_file(fixture.root().join(ledger)).unwrap();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write(ledger, &text);
    fixture.commit("ledger");
    fixture.git(&["checkout", "-q", "patch"]);
    fixture.git(&["rebase", "-q", "main"]);
    fixture.hunkmut(&GATE).ends(1, &["expired, it held until 2021-01-01"]);
    fixture.hunkmut(&[&GATE[..], &["--date", "2021-01-01"]].concat()).ends(0, &["excused"]);

    // The same patch, written in 2020.
    let amend = "git commit -q --amend --no-edit --date 2020-06-01T00:00:00Z";
    fixture.git(&["rebase", "-q", "--root", "--exec", amend]);
    fixture.git(&["rebase", "-q", "--root", "--committer-date-is-author-date"]);
    fixture.git(&["branch", "-q", "-f", "main", "HEAD~1"]);
    fixture.hunkmut(&GATE).ends(0, &["excused"]);
    fixture.hunkmut(&["verify"]).ends(0, &["verified"]);
    // What is not committed yet is of today.
    fixture.write("README.md", "Fees.\n");
    fixture.hunkmut(&GATE).ends(1, &["expired"]);
}

#[test]
fn a_candidate_that_reaches_what_no_test_has_reached_is_kept() {
    let fixture = Fixture::unborn();
    fixture.crate_files("small", "pub fn f(a: u32) -> u32 {\n    a\n}\n");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    fixture
        .write("src/lib.rs", "pub fn f(a: u32) -> u32 {\n    a + 1\n}\n\npub fn g(a: u32) -> bool {\n    a > 3\n}\n");
    fixture.write("tests/f.rs", "#[test]\nfn one_more() {\n    assert_eq!((small::f(1), small::f(5)), (2, 6));\n}\n");
    fixture.commit("patch");
    fixture.hunkmut(&GATE).ends(0, &["uncovered"]);
    let draft = Fixture::folder();
    draft.write("tests/g.rs", "#[test]\nfn more_than_three() {\n    assert!(small::g(4) && !small::g(3));\n}\n");
    fixture.hunkmut(&["vet", draft.root().to_str().unwrap()]).ends(0, &["keep", "more_than_three", "1 of 1"]);
}

#[test]
fn candidates_are_kept_when_they_kill_something_new() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    let edit = Fixture::folder();
    edit.write("src/lib.rs", "pub fn fee(_: u32, _: bool) -> u32 {\n    0\n}\n");
    fixture.hunkmut(&["vet", edit.root().to_str().unwrap()]).ends(2, &["src/lib.rs", "may only add test code"]);
    let draft = Fixture::folder();
    let idle = "#[test]\nfn says_nothing() {\n    let _ = fee(16, false);\n}\n";
    let again = "#[test]\nfn the_fifteenth_minute_costs_again() {\n    assert!(fee(15, false) > 0);\n}\n";
    let wrong = "#[test]\nfn is_wrong() {\n    assert_eq!(fee(15, false), 181);\n}\n";
    draft.write("tests/drafts.rs", format!("{NEW_TESTS}\n{idle}\n{again}\n{wrong}"));
    let folder = draft.root().to_str().unwrap().to_owned();
    let vet = fixture.hunkmut(&["vet", &folder, "--message-format", "json"]);
    vet.ends(0, &[]);
    let verdicts: BTreeMap<String, bool> = json_of(&vet)["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| (test["name"].as_str().unwrap().to_owned(), test["keep"].as_bool().unwrap()))
        .collect();
    let kept: Vec<&str> = verdicts.iter().filter(|(_, keep)| **keep).map(|(name, _)| name.as_str()).collect();
    assert_eq!(verdicts.len(), 5, "{verdicts:?}");
    assert_eq!(kept, ["the_fifteenth_minute_costs", "the_second_hour_begins_after_sixty_minutes"]);
    assert_eq!(fixture.git(&["status", "--porcelain"]), "");

    fixture.git(&["apply", "target/hunkmut/vet/kept.patch"]);
    let applied = fixture.read("tests/drafts.rs");
    assert!(applied.contains("the_second_hour") && !applied.contains("says_nothing") && !applied.contains("is_wrong"));
    fixture.hunkmut(&["rerun"]).ends(0, &["green on the original"]);
}

#[test]
fn a_survivor_does_not_go_away_silently() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    let report_of = |fixture: &Fixture| report(&fixture.root()).unwrap();
    fixture.write("policy.toml", "[operators]\ndisable = [\"relational\"]\n");
    let narrowed = [&GATE[..], &["--policy", "policy.toml"]].concat();
    fixture.hunkmut(&narrowed).ends(1, &["withdrawn: m-", "the operator `relational` is switched off"]);
    let entry = report_of(&fixture).withdrawn.remove(0);
    assert_eq!((entry.file.as_str(), entry.line, entry.operator.as_str()), ("src/lib.rs", 11, "relational"));
    fixture.hunkmut(&narrowed).ends(1, &["withdrawn: m-"]);
    fixture.hunkmut(&GATE).ends(1, &[]);
    assert!(report_of(&fixture).withdrawn.is_empty());
}

/// A folder of evidence to be tampered with.
struct Evidence {
    files: BTreeMap<String, Vec<u8>>,
    scratch: tempfile::TempDir,
}

impl Evidence {
    fn of(fixture: &Fixture) -> Evidence {
        let mut files = BTreeMap::new();
        for entry in evidence(fixture).read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            files.insert(entry.file_name().to_owned(), std::fs::read(entry.path()).unwrap());
        }
        Evidence { files, scratch: tempfile::tempdir().unwrap() }
    }

    /// What is found in a copy with changes; `with_manifest` makes the manifest fit.
    fn problems(&self, change: impl FnOnce(&mut Files), with_manifest: bool) -> Vec<String> {
        let mut files = self.files.clone();
        change(&mut files);
        if with_manifest {
            rehash(&mut files);
        }
        match verify(&self.laid_out(&files)) {
            Ok((_, found)) => found.problems,
            Err(why) => vec![why.to_string()],
        }
    }

    fn laid_out(&self, files: &Files) -> Utf8PathBuf {
        let dir = Utf8Path::from_path(self.scratch.path()).unwrap().join("copy");
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir(&dir).unwrap();
        for (name, bytes) in files {
            std::fs::write(dir.join(name), bytes).unwrap();
        }
        dir
    }

    /// What the program says of a copy with changes, beside the repository that it is from.
    fn beside(&self, fixture: &Fixture, change: impl FnOnce(&mut Files)) -> Ran {
        let mut files = self.files.clone();
        change(&mut files);
        rehash(&mut files);
        fixture.hunkmut(&["verify", self.laid_out(&files).as_str()])
    }
}

type Files = BTreeMap<String, Vec<u8>>;

/// Makes the manifest fit.
fn rehash(files: &mut Files) {
    let manifest: String = files
        .iter()
        .filter(|(name, _)| *name != "manifest.sha256")
        .map(|(name, bytes)| format!("{}  {name}\n", sha256(bytes)))
        .collect();
    files.insert("manifest.sha256".into(), manifest.into_bytes());
}

fn edit(files: &mut Files, name: &str, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&files[name]).unwrap();
    change(&mut value);
    files.insert(name.into(), (serde_json::to_string_pretty(&value).unwrap() + "\n").into_bytes());
}

fn edit_lines(files: &mut Files, name: &str, change: impl FnOnce(&mut Vec<Value>)) {
    let text = String::from_utf8(files[name].clone()).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    change(&mut lines);
    let text: String = lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect();
    files.insert(name.into(), text.into_bytes());
}

fn in_report(files: &mut Files, change: impl FnOnce(&mut Value)) {
    edit(files, "report.json", change);
}

/// Has the report follow from itself again, as a careful forger would: counts, ratio, gates, decision, exit code.
fn settle(files: &mut Files) {
    let mut report: Report = serde_json::from_slice(&files["report.json"]).unwrap();
    report.counts = Counts::of(report.mutants.iter().map(|mutant| mutant.verdict));
    report.kill_ratio = report.counts.kill_ratio();
    let names: Vec<String> = report.gates.iter().map(|gate| gate.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut gates, red) = gate::Evidence::of(&report).judge(&names);
    gates.extend(
        report.gates.iter().filter(|old| !gates.iter().any(|new| new.name == old.name)).cloned().collect::<Vec<_>>(),
    );
    report.decision = gate::overall(&gates, red);
    report.exit_code = Exit::of(report.decision).code();
    report.gates = gates;
    files.insert("report.json".into(), serde_json::to_vec_pretty(&report).unwrap());
}

/// The place of the first mutant with a verdict.
fn with_verdict(report: &Value, verdict: &str) -> usize {
    report["mutants"].as_array().unwrap().iter().position(|mutant| mutant["verdict"] == verdict).unwrap()
}

#[test]
fn no_byte_of_the_evidence_can_be_edited() {
    let fixture = fixture();
    fixture.hunkmut(&GATE).ends(1, &[]);
    let evidence = Evidence::of(&fixture);
    assert_eq!(evidence.problems(|_| {}, false), [""; 0]);
    assert_eq!(evidence.problems(|_| {}, true), [""; 0], "the test makes manifests as the program does");
    type Class = (&'static str, fn(u8) -> bool);
    let classes: [Class; 5] = [
        ("letters", |b| b.is_ascii_alphabetic()),
        ("digits", |b| b.is_ascii_digit()),
        ("spaces", |b| b == b' '),
        ("line breaks", |b| b == b'\n'),
        ("punctuation", |b| b.is_ascii_punctuation()),
    ];
    for (name, bytes) in &evidence.files {
        for (class, is) in classes {
            let places: Vec<usize> = (0..bytes.len()).filter(|&at| is(bytes[at])).collect();
            for at in [places.first(), places.get(places.len() / 2), places.last()].into_iter().flatten() {
                let flipped = |files: &mut Files| files.get_mut(name).unwrap()[*at] ^= 1;
                assert_ne!(evidence.problems(flipped, false), [""; 0], "{name}: one of its {class}, at {at}");
            }
        }
        let longer = |files: &mut Files| files.get_mut(name).unwrap().push(b'\n');
        assert_ne!(evidence.problems(longer, false), [""; 0], "{name}: a byte more");
        let gone = |files: &mut Files| drop(files.remove(name));
        assert_ne!(evidence.problems(gone, false), [""; 0], "{name}: gone");
    }
    let more = |files: &mut Files| drop(files.insert("extra".into(), vec![]));
    assert_ne!(evidence.problems(more, false), [""; 0], "a file more");

    let report: Report = serde_json::from_slice(&evidence.files["report.json"]).unwrap();
    let survivor = report.mutants.iter().find(|m| m.verdict == Verdict::Survived && !m.executed_by.is_empty()).unwrap();
    let alive = report.mutants.iter().position(|mutant| mutant.id == survivor.id).unwrap();
    let id = survivor.id.as_str();
    type Tampering<'a> = (&'a str, Box<dyn Fn(&mut Files) + 'a>);
    let table: Vec<Tampering> = vec![
        (
            "a survivor is called killed",
            Box::new(|f| {
                in_report(f, |r| {
                    let killers = r["mutants"][with_verdict(r, "killed")]["killed_by"].clone();
                    r["mutants"][alive]["verdict"] = json!("killed");
                    r["mutants"][alive]["killed_by"] = killers;
                })
            }),
        ),
        (
            "a survivor is called excused",
            Box::new(|f| {
                in_report(f, |r| {
                    r["mutants"][alive]["verdict"] = json!("excused");
                    r["ledger"]["excused"] = json!([id]);
                })
            }),
        ),
        (
            "a survivor is called excused by the patch",
            Box::new(|f| {
                in_report(f, |r| {
                    r["mutants"][alive]["verdict"] = json!("excused");
                    r["facts"]["new_excusals"] = json!([id]);
                })
            }),
        ),
        (
            "a survivor is called invalid",
            Box::new(|f| {
                in_report(f, |r| r["mutants"][alive]["verdict"] = json!("invalid"));
                edit(f, "refused.json", |refused| refused[id] = json!("no such type"));
            }),
        ),
        (
            "a survivor is called never executed",
            Box::new(|f| {
                in_report(f, |r| {
                    r["mutants"][alive]["verdict"] = json!("unexecuted");
                    r["mutants"][alive]["executed_by"] = json!([]);
                })
            }),
        ),
        (
            "a survivor is killed by an old test that never ran",
            Box::new(|f| {
                in_report(f, |r| {
                    r["mutants"][alive]["historical"]["verdict"] = json!("killed");
                })
            }),
        ),
        (
            "a survivor is taken out of the report",
            Box::new(|f| {
                in_report(f, |r| {
                    r["mutants"].as_array_mut().unwrap().remove(alive);
                })
            }),
        ),
        (
            "a survivor is taken out of report and plan",
            Box::new(|f| {
                in_report(f, |r| drop(r["mutants"].as_array_mut().unwrap().remove(alive)));
                edit_lines(f, "mutants.jsonl", |lines| drop(lines.remove(alive)));
            }),
        ),
        (
            "a killer is another test",
            Box::new(|f| {
                in_report(f, |r| {
                    let at = with_verdict(r, "killed");
                    r["mutants"][at]["killed_by"][0]["name"] = json!("somebody_else");
                })
            }),
        ),
        (
            "another replacement",
            Box::new(|f| {
                in_report(f, |r| {
                    r["mutants"][alive]["replacement"] = json!("true");
                })
            }),
        ),
        ("another place", Box::new(|f| in_report(f, |r| r["mutants"][alive]["line"] = json!(1)))),
        ("the counts", Box::new(|f| in_report(f, |r| r["counts"]["killed"] = json!(99)))),
        ("the ratio", Box::new(|f| in_report(f, |r| r["kill_ratio"] = json!(1.0)))),
        ("a gate's decision", Box::new(|f| in_report(f, |r| r["gates"][0]["decision"] = json!("pass")))),
        ("a gate's reasons", Box::new(|f| in_report(f, |r| r["gates"][0]["reasons"] = json!([])))),
        ("a gate's rule", Box::new(|f| in_report(f, |r| r["gates"][0]["rule"] = json!("all is well: block")))),
        ("the gate is gone", Box::new(|f| in_report(f, |r| r["gates"] = json!([])))),
        (
            "the gate is gone, and nobody asked for it",
            Box::new(|f| {
                in_report(f, |r| {
                    r["gates"] = json!([]);
                    r["decision"] = json!("hold");
                    r["exit_code"] = json!(3);
                });
                edit(f, "run.json", |run| run["gates"] = json!([]));
            }),
        ),
        (
            "the decision",
            Box::new(|f| {
                in_report(f, |r| {
                    r["decision"] = json!("pass");
                    r["exit_code"] = json!(0);
                })
            }),
        ),
        ("the exit code", Box::new(|f| in_report(f, |r| r["exit_code"] = json!(0)))),
        (
            "a run that passed is said to have failed",
            Box::new(|f| {
                edit_lines(f, "runs.jsonl", |runs| {
                    let at = runs.iter().position(|run| run["mutant"] == id && run["end"] == "exit 0").unwrap();
                    runs[at]["end"] = json!("exit 101");
                })
            }),
        ),
        (
            "a survivor's runs are gone",
            Box::new(|f| {
                edit_lines(f, "runs.jsonl", |runs| {
                    runs.retain(|run| run["mutant"] != id);
                })
            }),
        ),
        (
            "a kill without its confirmation",
            Box::new(|f| {
                edit_lines(f, "runs.jsonl", |runs| {
                    runs.retain(|run| run["confirms"].is_null());
                })
            }),
        ),
        (
            "a run of a test that nobody knows",
            Box::new(|f| {
                edit_lines(f, "runs.jsonl", |runs| {
                    runs[0]["test"]["name"] = json!("nobody");
                })
            }),
        ),
        ("a trace", Box::new(|f| edit_lines(f, "tests.jsonl", |tests| tests[0]["executes"] = json!([])))),
        (
            "a test is taken out of the delta",
            Box::new(|f| {
                in_report(f, |r| {
                    r["tests"]["delta"].as_array_mut().unwrap().remove(0);
                })
            }),
        ),
        ("a baseline", Box::new(|f| in_report(f, |r| r["tests"]["baseline"][0]["runs"] = json!(30)))),
        (
            "a test with teeth is called toothless",
            Box::new(|f| {
                in_report(f, |r| {
                    let at = with_verdict(r, "killed");
                    let test = r["mutants"][at]["killed_by"][0].clone();
                    r["tests"]["toothless"] = json!([{ "binary_id": test["binary_id"], "name": test["name"] }]);
                })
            }),
        ),
        ("a floor", Box::new(|f| in_report(f, |r| r["facts"]["floors"][0]["percent"] = json!(1)))),
        ("the policy", Box::new(|f| drop(f.insert("policy.toml".into(), b"floor = 1\n".to_vec())))),
        ("the ledger", Box::new(|f| drop(f.insert("ledger.toml".into(), b"# nothing\n".to_vec())))),
        ("the scope", Box::new(|f| in_report(f, |r| r["scope"]["ranges"][0]["kind"] = json!("test")))),
        (
            "the catalog",
            Box::new(|f| {
                in_report(f, |r| {
                    r["catalog"]["operators"].as_array_mut().unwrap().pop();
                })
            }),
        ),
        ("the tools", Box::new(|f| in_report(f, |r| r["tool"]["rustc"] = json!("rustc 9")))),
        ("the head", Box::new(|f| in_report(f, |r| r["repo"]["head"] = json!("0".repeat(40))))),
        ("the tree", Box::new(|f| in_report(f, |r| r["tree"]["after"] = json!("00")))),
        (
            "a changed tree is hidden",
            Box::new(|f| {
                in_report(f, |r| {
                    r["tree"]["after"] = json!("00");
                    r["tree"]["clean"] = json!(false);
                })
            }),
        ),
        (
            "an early end",
            Box::new(|f| {
                in_report(f, |r| {
                    r["cap"]["reached"] = json!(true);
                    r["facts"]["ended_early"] = json!(true);
                })
            }),
        ),
        ("verdicts taken over", Box::new(|f| in_report(f, |r| r["facts"]["resumed"] = json!(true)))),
        (
            "a survivor was killed by the run before",
            Box::new(|f| {
                in_report(f, |r| {
                    let killers = r["mutants"][with_verdict(r, "killed")]["killed_by"].clone();
                    r["facts"]["resumed"] = json!(true);
                    r["mutants"][alive]["verdict"] = json!("killed");
                    r["mutants"][alive]["killed_by"] = killers;
                });
                edit(f, "run.json", |run| run["command"].as_array_mut().unwrap().push(json!("--resume")));
                edit_lines(f, "runs.jsonl", |runs| runs.retain(|run| run["mutant"] != id));
            }),
        ),
        (
            "a survivor has a history",
            Box::new(|f| {
                in_report(f, |r| {
                    let killers = r["mutants"][with_verdict(r, "killed")]["killed_by"].clone();
                    r["mutants"][alive]["verdict"] = json!("killed");
                    r["mutants"][alive]["killed_by"] = killers;
                    r["mutants"][alive]["history"] = json!([{ "verdict": "survived", "killed_by": null }]);
                })
            }),
        ),
        (
            "everything is said to be carried over",
            Box::new(|f| {
                in_report(f, |r| {
                    r["facts"]["carried_over"] = json!(true);
                    r["mutants"][alive]["verdict"] = json!("killed");
                })
            }),
        ),
        (
            "historical tests are said to have executed nothing",
            Box::new(|f| {
                in_report(f, |r| r["mutants"][alive]["historical"]["verdict"] = json!("unexecuted"));
                edit(f, "run.json", |run| run["historical_tests"] = json!(null));
            }),
        ),
        (
            "the patch taken back is killed",
            Box::new(|f| {
                in_report(f, |r| {
                    let other = if r["reverted"]["verdict"] == "killed" { "survived" } else { "killed" };
                    r["reverted"]["verdict"] = json!(other);
                })
            }),
        ),
        (
            "the patch was never taken back",
            Box::new(|f| {
                in_report(f, |r| r["reverted"] = json!({ "verdict": "not-run", "killed_by": [], "reason": null }));
                edit(f, "run.json", |run| run["reverted_by"] = json!(null));
            }),
        ),
        ("the command line", Box::new(|f| edit(f, "run.json", |run| run["command"] = json!(["hunkmut", "demo"])))),
        (
            "a policy of somebody's own",
            Box::new(|f| {
                edit(f, "run.json", |run| {
                    run["command"].as_array_mut().unwrap().extend([json!("--policy"), json!("p")])
                });
            }),
        ),
        ("the patch", Box::new(|f| drop(f.insert("patch.diff".into(), vec![])))),
        (
            "the patch's edit of its judge",
            Box::new(|f| {
                let more = "diff --git a/.config/hunkmut.toml b/.config/hunkmut.toml\nnew file mode 100644\n\
                            --- /dev/null\n+++ b/.config/hunkmut.toml\n@@ -0,0 +1 @@\n+floor = 1\n";
                f.get_mut("patch.diff").unwrap().extend(more.as_bytes());
            }),
        ),
        (
            "the patch changes the policy",
            Box::new(|f| {
                in_report(f, |r| {
                    r["policy"]["changed_by_patch"] = json!(true);
                })
            }),
        ),
    ];
    assert!(table.len() >= 20);
    let unnoticed = |settled: bool| -> Vec<&str> {
        let tampered = |tamper: &dyn Fn(&mut Files)| {
            let change = |files: &mut Files| {
                tamper(files);
                if settled {
                    settle(files);
                }
            };
            evidence.problems(change, true)
        };
        table.iter().filter(|(_, tamper)| tampered(tamper).is_empty()).map(|(what, _)| *what).collect()
    };
    assert_eq!(unnoticed(false), [""; 0], "not noticed, with a manifest that fits");
    // What only contradicts the report's own sums is repaired by that, and then nothing is wrong any more.
    let repaired = [
        "the counts",
        "the ratio",
        "a gate's decision",
        "a gate's reasons",
        "a gate's rule",
        "the decision",
        "the exit code",
    ];
    let mut left = unnoticed(true);
    left.retain(|what| !repaired.contains(what));
    assert_eq!(left, [""; 0], "not noticed, with sums, gates and a manifest that fit");
}

#[test]
fn the_gates_that_rest_on_other_records_are_decided_again_from_these() {
    let fixture = fixture();
    let all = ["--gate", "ratio", "--gate", "freeze", "--gate", "kill-map"];
    fixture.hunkmut(&[&GATE[..], &all[..]].concat()).ends(1, &[]);
    fixture.hunkmut(&["verify"]).ends(0, &["verified", "freeze pass", "kill-map pass"]);
    let evidence = Evidence::of(&fixture);
    assert_eq!(evidence.problems(|_| {}, true), [""; 0]);
    let reject = json!({ "rule": "test-ignored", "detail": "a test is ignored", "file": null, "line": null,
        "mutants": [], "tests": [] });
    let gate = |f: &mut Files, name: &str, change: &dyn Fn(&mut Value)| {
        in_report(f, |r| {
            let gates = r["gates"].as_array_mut().unwrap();
            change(gates.iter_mut().find(|gate| gate["name"] == name).unwrap());
        });
    };
    let to_hold = |gate: &mut Value| {
        gate["decision"] = json!("vacuous");
        gate["rule"] = json!("the patch touches no test, no fixture and no list of frozen tests");
    };
    type Tampering<'a> = (&'a str, Box<dyn Fn(&mut Files) + 'a>);
    let table: Vec<Tampering> = vec![
        ("a finding is added", Box::new(|f| edit(f, "findings.json", |all| all["reasons"] = json!([reject])))),
        ("the findings are gone", Box::new(|f| edit(f, "findings.json", |all| *all = json!(null)))),
        ("nothing was touched", Box::new(|f| edit(f, "findings.json", |all| all["touched"] = json!(false)))),
        ("another decision of freeze", Box::new(|f| gate(f, "freeze", &to_hold))),
        ("another decision of kill-map", Box::new(|f| gate(f, "kill-map", &to_hold))),
        ("other reasons of kill-map", Box::new(|f| gate(f, "kill-map", &|gate| gate["reasons"] = json!([])))),
        ("the maps are gone", Box::new(|f| edit(f, "killmaps.json", |maps| *maps = json!(null)))),
        ("a map is gone", Box::new(|f| edit(f, "killmaps.json", |m| m["base"] = json!({ "fault": "it was lost" })))),
        ("a map of another commit", Box::new(|f| edit(f, "killmaps.json", |m| m["head"]["map"]["rev"] = json!("0")))),
        (
            "a map is incomplete",
            Box::new(|f| edit(f, "killmaps.json", |m| m["head"]["map"]["complete"] = json!(false))),
        ),
        (
            "kills of the head are lost",
            Box::new(|f| {
                edit(f, "killmaps.json", |m| {
                    let map = &mut m["head"]["map"];
                    let killed = map["killed"].take();
                    map["survived"].as_array_mut().unwrap().extend(killed.as_array().unwrap().clone());
                    map["killed"] = json!([]);
                });
            }),
        ),
        (
            "freeze was never asked",
            Box::new(|f| {
                in_report(f, |r| r["gates"].as_array_mut().unwrap().retain(|gate| gate["name"] != "freeze"));
                edit(f, "run.json", |run| run["gates"].as_array_mut().unwrap().retain(|gate| gate != "freeze"));
            }),
        ),
    ];
    let settled = |tamper: &dyn Fn(&mut Files)| {
        evidence.problems(
            |files| {
                tamper(files);
                settle(files);
            },
            true,
        )
    };
    let silent: Vec<&str> =
        table.iter().filter(|(_, tamper)| settled(tamper).is_empty()).map(|(what, _)| *what).collect();
    assert_eq!(silent, [""; 0], "not noticed");
}

/// Forgeries that leave no contradiction in the folder: only the commits say otherwise.
#[test]
fn what_is_forged_in_every_file_at_once_does_not_follow_from_the_repository() {
    let fixture = fixture();
    let both = [&GATE[..], &["--gate", "ratio"]].concat();
    fixture.hunkmut(&both).ends(1, &[]);
    let evidence = Evidence::of(&fixture);
    let id = survivors(&fixture).remove(0);
    let floor = |f: &mut Files| {
        let policy = "floor = 1\n";
        f.insert("policy.toml".into(), policy.into());
        in_report(f, |r| {
            r["policy"]["sha256"] = json!(sha256(policy));
            r["facts"]["floors"][0]["percent"] = json!(1);
        });
        settle(f);
    };
    let ledger = |f: &mut Files| {
        let report: Report = serde_json::from_slice(&f["report.json"]).unwrap();
        let survivor = report.mutants.iter().find(|mutant| mutant.id == id).unwrap();
        let text = format!(
            "[[excusal]]\nmutant = \"{id}\"\nitem = \"{}\"\nfile = \"src/lib.rs\"\nowner = \"bob\"\n\
             reason = \"the tariff board settled this\"\ndate = \"2020-01-01\"\n",
            survivor.item
        );
        in_report(f, |r| {
            r["ledger"] = json!({ "path": ".config/hunkmut-ledger.toml", "sha256": sha256(&text), "excused": [id],
                "problems": [] });
            let mutants = r["mutants"].as_array_mut().unwrap();
            let mutant = mutants.iter_mut().find(|mutant| mutant["id"] == id.as_str()).unwrap();
            mutant["verdict"] = json!("excused");
        });
        f.insert("ledger.toml".into(), text.into_bytes());
        settle(f);
    };
    let record = |f: &mut Files| {
        in_report(f, |r| r["mutants"].as_array_mut().unwrap().retain(|mutant| mutant["id"] != id.as_str()));
        edit_lines(f, "mutants.jsonl", |lines| lines.retain(|mutant| mutant["id"] != id.as_str()));
        edit_lines(f, "runs.jsonl", |runs| {
            runs.retain(|run| run["mutant"] != id.as_str() && run["confirms"] != id.as_str());
        });
        edit_lines(f, "tests.jsonl", |tests| {
            for test in tests {
                test["executes"].as_array_mut().unwrap().retain(|mutant| mutant != id.as_str());
            }
        });
        settle(f);
    };
    let day = |f: &mut Files| edit(f, "run.json", |run| run["day"] = json!("1999-01-01"));
    type Tampering<'a> = (&'a dyn Fn(&mut Files), &'a str);
    let table: [Tampering; 4] =
        [(&floor, "the policy is"), (&ledger, "the ledger is"), (&record, "the plan is"), (&day, "the day is")];
    for (tamper, what) in table {
        let change = |files: &mut Files| tamper(files);
        assert_eq!(evidence.problems(change, true), [""; 0], "{what}: the folder alone contradicts itself");
        evidence.beside(&fixture, change).ends(1, &[what, "not what the repository gives"]);
    }
    evidence.beside(&fixture, |_| {}).ends(0, &["verified"]);
}
