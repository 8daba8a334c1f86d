//! The book says what is so: its commands run, its settings are read, its tables are the program's.

use crate::harness::program::{clean, finish};
use crate::harness::{Fixture, nextest};
use std::collections::BTreeSet;
use std::path::Path;

/// Commands that need this program's own source, and are run by CI as the README's.
const ELSEWHERE: [&str; 2] = ["cargo run --release -- demo", "cargo install --locked --path ."];

fn pages() -> Vec<(String, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<(String, String)> = files
        .filter(|file| file.extension().is_some_and(|e| e == "md"))
        .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(file).unwrap()))
        .collect();
    pages.sort();
    pages
}

fn page(name: &str) -> String {
    pages().into_iter().find(|(n, _)| n == name).unwrap().1
}

fn blocks(text: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    text.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// `PATH` with the built program, so that `cargo hunkmut` is a subcommand.
fn path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-hunkmut")).parent().unwrap().to_owned();
    let rest = nextest::path().cloned().or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    std::env::join_paths(std::iter::once(program).chain(std::env::split_paths(&rest))).unwrap()
}

#[test]
fn every_command_in_it_runs() {
    let mut ran = 0;
    for (name, text) in pages() {
        let lines: Vec<String> = blocks(&text, "sh").concat().lines().map(str::to_owned).collect();
        if lines.is_empty() {
            continue;
        }
        let fixture = Fixture::counter();
        // Some pages show a report that an earlier page's command made.
        fixture.hunkmut(&["--base", "main"]).ends(0, &[]);
        for line in lines.iter().filter(|line| !ELSEWHERE.contains(&line.as_str())) {
            let mut shell = clean("/bin/sh", &fixture.root());
            shell.args(["-ec", line]).env("PATH", path());
            let done = finish(shell);
            assert_eq!(done.code, Some(0), "{name}: {line}\n{}", done.transcript());
            ran += 1;
        }
    }
    assert!(ran > 20, "{ran}");
}

#[test]
fn its_settings_for_editors_print_warnings_that_editors_read() {
    let text = page("editors.md");
    let [json] = &blocks(&text, "json")[..] else { panic!("one block of JSON") };
    let settings: serde_json::Value = serde_json::from_str(json).unwrap();
    let words: Vec<String> = serde_json::from_value(settings["rust-analyzer.check.overrideCommand"].clone()).unwrap();
    let [toml] = &blocks(&text, "toml")[..] else { panic!("one block of TOML") };
    let settings: toml::Table = toml.parse().unwrap();
    let helix = &settings["language-server"]["rust-analyzer"]["config"]["check"]["overrideCommand"];
    assert_eq!(helix.as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect::<Vec<_>>(), words);
    let lua = words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
    assert!(text.contains(&lua), "{lua}");
    let fixture = crate::harness::case::Case::named("hold-many-survivors").repository();
    let mut command = clean(&words[0], &fixture.root());
    command.args(&words[1..]).env("PATH", path());
    let ran = finish(command);
    let warnings = ran.stdout.lines().filter(|line| line.contains("\"level\":\"warning\"")).count();
    assert!(warnings > 1, "{}", ran.transcript());
}

/// The headings of a page as mdBook names them in addresses, files that it includes among them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    let kept = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let name = |line: &str| line.trim_start_matches('#').trim().to_lowercase().replace(|c| !kept(c), "");
    headings.map(|line| name(line).replace(' ', "-")).collect()
}

/// A page with the files that it includes.
fn whole(src: &Path, text: &str) -> String {
    let Some((before, rest)) = text.split_once("{{#include ") else { return text.to_owned() };
    let (file, after) = rest.split_once("}}").expect("a whole include");
    format!("{before}{}{}", std::fs::read_to_string(src.join(file)).unwrap(), whole(src, after))
}

#[test]
fn its_pages_are_all_in_the_summary_and_its_links_lead_somewhere() {
    let summary = page("SUMMARY.md");
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    for (name, text) in pages() {
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
        let text = whole(&src, &text);
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { Some(text.clone()) } else { std::fs::read_to_string(src.join(file)).ok() };
            let target = target.unwrap_or_else(|| panic!("{name}: {link}"));
            let known = anchor.is_empty() || anchors(&whole(&src, &target)).contains(anchor);
            assert!(known, "{name}: {link}, of {:?}", anchors(&target));
        }
    }
}

#[test]
fn every_page_has_one_title_and_the_summary_names_none_twice() {
    let summary = page("SUMMARY.md");
    let listed: Vec<&str> = summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "{listed:?}");
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    for (name, text) in pages() {
        let text = whole(&src, &text);
        let mut fenced = false;
        let titles = text.lines().filter(|line| {
            fenced ^= line.starts_with("```");
            !fenced && line.starts_with("# ")
        });
        assert!(text.starts_with("# ") && (name == "SUMMARY.md" || titles.count() == 1), "{name}");
        assert!(!fenced, "{name} ends inside a block");
    }
}

#[test]
fn files_that_it_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, text) in pages() {
        for word in text.split('`').skip(1).step_by(2).filter(|word| word.starts_with("docs/")) {
            assert!(root.join(word).exists(), "{name}: {word}");
        }
    }
}

#[test]
fn its_comparison_says_of_this_program_what_the_cases_expect() {
    let text = page("comparison.md");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `cases/"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert!(rows.len() > 3);
    for row in rows {
        let name = row[0].trim_start_matches("`cases/").split('`').next().unwrap();
        let (case, ours) = (crate::harness::case::Case::named(name), row[row.len() - 1]);
        assert!(ours.starts_with(&format!("{}: ", case.expect.decision)), "{name}: {ours}");
        assert!(ours.ends_with(&format!("; exit {}", case.expect.exit)), "{name}: {ours}");
    }
}
