//! The README says what is so.

use crate::harness::{Fixture, program};
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let text = readme();
    let open = format!("```{language}\n");
    text.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn its_policy_is_a_policy() {
    let [policy] = &blocks("toml")[..] else { panic!("one policy") };
    let fixture = Fixture::counter();
    fixture.write("target/policy.toml", policy);
    fixture.hunkmut(&["--base", "main", "--policy", "target/policy.toml"]).ends(0, &["pass"]);
    assert_eq!(program::report(&fixture.root()).unwrap().policy.path.as_deref(), Some("target/policy.toml"));
}

#[test]
fn its_options_and_commands_exist() {
    let folder = Fixture::folder();
    let of = |command: &str| folder.hunkmut(&[command, "--help"]).stdout;
    let help = folder.hunkmut(&["--help"]).stdout;
    let subcommands = [of("report"), of("verify-report"), of("init")].concat();
    let text = readme();
    let options: Vec<&str> = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| word.starts_with("--") && !word.trim_start_matches('-').is_empty())
        .filter(|word| !["--release", "--path", "--dir", "--help"].contains(word))
        .collect();
    assert!(options.len() > 15, "{options:?}");
    for option in options {
        assert!(help.contains(option) || subcommands.contains(option), "{option}");
    }
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A long description goes on below itself.
    let listed = listed.filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands.iter().filter(|command| **command != "help") {
        assert!(text.contains(&format!("`cargo hunkmut {command}")) || *command == "run", "{command}");
    }
}

#[test]
fn its_links_lead_somewhere() {
    let text = readme();
    let links: Vec<&str> = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(links.len() > 4);
    for link in links.iter().filter(|link| !link.starts_with("https://")) {
        assert!(root().join(link).exists(), "{link}");
    }
}

#[test]
fn its_example_is_what_the_demo_prints() {
    let outside = Fixture::folder();
    let ran = outside.hunkmut(&["demo", "--dir", "example"]);
    let shown = blocks("text").concat();
    let missing: Vec<&str> =
        shown.lines().filter(|line| line.trim() != "…" && !ran.stdout.lines().any(|l| l == *line)).collect();
    assert!(missing.is_empty(), "not printed: {missing:#?}\n{}", ran.transcript());
}
