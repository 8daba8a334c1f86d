//! The command line as pages: the man pages below `docs/man/`, and the book's reference.

use super::args::Cli;
use crate::published::published;
use clap::{Command, CommandFactory};

/// The program and its subcommands, each with the name that a person types.
fn commands() -> Vec<(String, Command)> {
    let mut root = Cli::command().term_width(100);
    root.build();
    let mut found = vec![("cargo-hunkmut".to_owned(), root.clone())];
    for sub in root.get_subcommands().filter(|sub| sub.get_name() != "help" && !sub.is_hide_set()) {
        found.push((format!("cargo-hunkmut-{}", sub.get_name()), sub.clone()));
    }
    found
}

#[test]
fn the_man_pages_are_published() {
    for (name, command) in commands() {
        let mut page = Vec::new();
        // The version is said by the program; a page with it would lag with every release.
        let command = command.name(&*name.clone().leak()).version("");
        clap_mangen::Man::new(command).title(name.to_uppercase()).source("cargo-hunkmut").render(&mut page).unwrap();
        published(&format!("docs/man/{name}.1"), &String::from_utf8(page).unwrap());
    }
}

#[test]
fn the_books_reference_has_every_command() {
    let mut page = "# Command line\n\nWhat `--help` prints. The same as man pages: `docs/man/`.\n".to_owned();
    for (name, mut command) in commands() {
        let title = name.replacen("cargo-hunkmut", "cargo hunkmut", 1).replacen("hunkmut-", "hunkmut ", 1);
        let help = command.render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        page += &format!("\n## {title}\n\n```text\n{}\n```\n", help.join("\n").trim_end());
    }
    published("docs/src/cli.md", &page);
}
