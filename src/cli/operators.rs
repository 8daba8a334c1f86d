//! Operators on the command line: a shell can complete their names, straight from the registry, while a pattern may be
//! anything that the policy would take.

use crate::catalog::registry;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use std::collections::BTreeSet;
use std::ffi::OsStr;

/// Takes any text, and tells shells about operators.
#[derive(Debug, Clone, Copy)]
pub enum Operators {
    /// Names only.
    Names,
    /// Names and families: what a pattern may also be.
    Patterns,
}

impl TypedValueParser for Operators {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = registry().iter().map(|op| PossibleValue::new(op.name).help(op.summary));
        let families: BTreeSet<&'static str> = match self {
            Operators::Names => BTreeSet::new(),
            Operators::Patterns => registry().iter().map(|op| op.family).collect(),
        };
        let families: BTreeSet<&'static str> =
            families.into_iter().filter(|family| registry().iter().all(|op| op.name != *family)).collect();
        let families = families.into_iter().map(|family| PossibleValue::new(family).help("all of a family"));
        Some(Box::new(names.chain(families)))
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::registry;
    use crate::cli::args::{Cli, Command};
    use clap::{CommandFactory, Parser};

    #[test]
    fn shells_complete_every_operator() {
        for shell in [clap_complete::Shell::Bash, clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "cargo-hunkmut", &mut script);
            let script = String::from_utf8(script).unwrap();
            let lines = |wanted: &str| script.lines().any(|line| line.contains("relational") && line.contains(wanted));
            for op in registry() {
                let listed = match shell {
                    clap_complete::Shell::Bash => lines(op.name),
                    _ => script.contains(op.name),
                };
                assert!(listed && script.contains(op.family), "{shell}: {}", op.name);
            }
        }
    }

    #[test]
    fn patterns_are_taken_as_they_are() {
        let cli = Cli::parse_from(["cargo hunkmut", "--operator", "rel*", "--without-operator", "nonsense"]);
        assert_eq!(
            (cli.run.patch.operator.as_slice(), cli.run.patch.without_operator.as_slice()),
            (&["rel*".to_owned()][..], &["nonsense".to_owned()][..])
        );
        let named = Cli::parse_from(["cargo hunkmut", "explain", "relation"]);
        let Some(Command::Explain(args)) = named.command else { panic!("{named:?}") };
        assert_eq!(args.operator.as_deref(), Some("relation"), "a misspelt name is for the command to answer");
    }
}
