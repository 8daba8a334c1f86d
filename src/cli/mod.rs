//! From arguments to the right subcommand, and from its end to an exit code.

pub mod args;
mod explain;
pub(crate) mod freeze;
mod init;
mod list;
mod merge;
mod operators;
#[cfg(test)]
mod reference;
mod report;
mod scope;
mod verify_report;

use crate::exit::Exit;
use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::ffi::OsString;

/// The options of `run` that a command line names; `None` when it runs something else. The first word is the first after
/// the program.
pub fn run_of(command: &[String]) -> Option<args::RunArgs> {
    let words = command.iter().map(String::as_str).skip_while(|word| *word == "hunkmut");
    let cli = Cli::try_parse_from(std::iter::once("cargo-hunkmut").chain(words)).ok()?;
    match cli.command {
        None => Some(cli.run),
        Some(Command::Run(args)) => Some(args),
        Some(_) => None,
    }
}

/// Runs the subcommand that `arguments` name; the first is the program.
pub fn main(arguments: Vec<OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(why) => {
            // `--help` and `--version` are no errors.
            let code = if why.use_stderr() { Exit::Error } else { Exit::Pass };
            let _ = why.print();
            return code;
        }
    };
    let done = match cli.command {
        None => crate::run::run(&cli.run),
        Some(Command::Run(args)) => crate::run::run(&args),
        Some(Command::Scope(args)) => scope::run(&args),
        Some(Command::Tests(args)) => crate::run::tests(&args),
        Some(Command::List(args)) => list::run(&args),
        Some(Command::Freeze(args)) => freeze::run(&args),
        Some(Command::Killmap(args)) => crate::run::killmap(&args),
        Some(Command::Compare(args)) => crate::run::compare(&args),
        Some(Command::Tasks(args)) => crate::tasks::run(&args),
        Some(Command::Excuse(args)) => crate::ledger::run(&args),
        Some(Command::Rerun(args)) => crate::run::rerun(&args),
        Some(Command::Vet(args)) => crate::run::vet(&args),
        Some(Command::Verify(args)) => crate::evidence::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Archive(args)) => crate::run::archive(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::VerifyReport(args)) => verify_report::run(&args),
        Some(Command::Init(args)) => init::run(&args),
        Some(Command::Demo(args)) => crate::run::demo(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "cargo-hunkmut", &mut std::io::stdout());
            Ok(Exit::Pass)
        }
    };
    match done {
        Ok(exit) => exit,
        Err(error) => {
            let bold = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{bold}error{bold:#}: {error}");
            Exit::Error
        }
    }
}
