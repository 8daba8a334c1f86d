//! The catalog `mutants-v1`: an ordered, versioned registry of operators.
//!
//! An [`Operator`] is a small self-describing entry. It looks at one [`Node`] at a time and proposes replacements of
//! byte spans; it knows nothing of diffs, builds or tests. The registry is hashed into every report, so that two
//! reports with the same digest speak of the same operators.

mod known_macros;
mod local_macros;
mod node;
mod operators;
mod precedence;
mod reference;
mod signatures;
mod syntax;
mod walk;

pub use local_macros::LocalMacros;
pub use node::{Cx, Form, Node, Proposal, ReturnPlace, Sink};
pub use reference::reference;
pub use walk::{Found, Located, Skip, WalkOptions, walk};

use sha2::{Digest, Sha256};

/// The catalog's name in reports.
pub const NAME: &str = "mutants-v1";

/// One kind of change.
pub struct Operator {
    /// Its name in reports and policies.
    pub name: &'static str,
    /// The group it is selected with.
    pub family: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// From → to, as source.
    pub table: &'static [(&'static str, &'static str)],
    /// A whole line before and after.
    pub example: (&'static str, &'static str),
    /// Whether it is used when nothing selects it.
    pub default: bool,
    /// Why it is, or is not, used by default.
    pub why: &'static str,
    /// Looks at one node and proposes mutants.
    pub propose: fn(&Node<'_>, &Cx<'_>, &mut Sink<'_>),
}

/// All operators in catalog order.
pub fn registry() -> &'static [Operator] {
    operators::ALL
}

/// The operator of this name.
pub fn operator(name: &str) -> Option<&'static Operator> {
    registry().iter().find(|op| op.name == name)
}

/// Hex SHA-256 over everything that defines the operators: names, families, tables, defaults.
pub fn digest() -> String {
    let mut hash = Sha256::new();
    hash.update(NAME);
    for op in registry() {
        for part in [op.name, op.family, op.summary, if op.default { "on" } else { "off" }] {
            hash.update(part);
            hash.update([0]);
        }
        for (from, to) in op.table {
            hash.update(from);
            hash.update([1]);
            hash.update(to);
            hash.update([0]);
        }
    }
    crate::text::hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_entries_are_filled_in() {
        let names: BTreeSet<_> = registry().iter().map(|op| op.name).collect();
        assert_eq!(names.len(), registry().len());
        for op in registry() {
            assert!(op.summary.ends_with('.') && !op.table.is_empty() && !op.why.is_empty(), "{}", op.name);
        }
    }

    #[test]
    fn every_example_is_what_the_operator_really_does() {
        // `revert_hunk` needs a diff; the plan's tests have it.
        for op in registry().iter().filter(|op| op.family != "revert") {
            let (before, after) = op.example;
            let made = walk::tests::mutants_of(before);
            assert!(
                made.iter().any(|(name, text)| *name == op.name && text == after),
                "{}: {before:?} gives {made:#?}",
                op.name
            );
        }
    }
}
