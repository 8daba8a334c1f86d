//! The units that a diff can touch: test functions, macro invocations that may make tests, `macro_rules!`, and the
//! helpers in test code. A unit is touched whole or not at all.

use super::tokens::{Mention, Print, Role};
use std::collections::BTreeSet;

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum UnitKind {
    /// A test function, or a property inside `proptest!` and its like.
    Test,
    /// A macro invocation in item position that is not read as items.
    Invocation,
    /// A `macro_rules!`, but for the test functions that it holds.
    Macro,
    /// A test function in a `macro_rules!`, under a name of its own: one test for each invocation.
    Template,
    /// Any other function, method, constant, type or trait.
    Helper,
}

/// One unit of one file.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub kind: UnitKind,
    /// The names it is used by: one but for traits and invocations that declare several. Never empty.
    pub names: Vec<String>,
    /// The type that a method belongs to.
    pub owner: Option<String>,
    /// Inline modules around it in the file.
    pub module: Vec<String>,
    /// First and last line, attributes included.
    pub lines: (u32, u32),
    /// Its tokens, attributes included.
    pub print: Print,
    /// Its tokens without attributes.
    pub bare: Print,
    /// The names that it uses.
    pub mentions: BTreeSet<Mention>,
    /// What a test's name may have of it: for an invocation the identifiers in its tokens, in order of first
    /// appearance; for an item in a macro's tokens its name.
    pub idents: Vec<String>,
    /// The macro that makes tests of it: an invocation's own, or that in whose tokens the item stands.
    pub of_macro: Option<String>,
    /// Whether it stands in test code; test functions always do.
    pub in_test: bool,
}

impl Unit {
    /// The name that a person would call it by.
    pub fn title(&self) -> String {
        let own = match (&self.owner, self.kind) {
            (Some(owner), _) => format!("{owner}::{}", self.names[0]),
            (None, UnitKind::Invocation | UnitKind::Macro) => format!("{}!", self.names[0]),
            (None, UnitKind::Template) => {
                format!("{}!::{}", self.of_macro.as_deref().unwrap_or_default(), self.names[0])
            }
            (None, UnitKind::Test | UnitKind::Helper) => self.names[0].clone(),
        };
        self.module.iter().rev().fold(own, |title, module| format!("{module}::{title}"))
    }

    /// Whether it may be or make a test. A function in the tokens of some macro may.
    pub fn makes_tests(&self) -> bool {
        match self.kind {
            UnitKind::Test | UnitKind::Invocation => true,
            UnitKind::Helper => self.of_macro.is_some() && self.owner.is_none(),
            UnitKind::Macro | UnitKind::Template => false,
        }
    }

    /// Whether it is a test function only by its looks: cases for others (`#[template]` of `rstest_reuse`).
    pub fn is_case_template(&self) -> bool {
        self.kind == UnitKind::Test && self.mentions.iter().any(|m| m.name == "template")
    }

    /// Whether its tests follow from files rather than from code.
    pub fn is_file_driven(&self) -> bool {
        const MAKERS: &[&str] =
            &["files", "test_resources", "dir_test", "datatest", "datatest_stable", "test_each_file"];
        self.mentions.iter().any(|m| MAKERS.contains(&m.name.as_str()))
            || self.names.iter().any(|n| MAKERS.contains(&n.as_str()))
    }
}

/// What a module brings into scope: `use path::name as local`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The inline modules of the `use`.
    pub module: Vec<String>,
    /// The name in scope.
    pub local: String,
    /// The whole path; the last segment is the original name.
    pub path: Vec<String>,
}

/// A module's declaration or the head of an inline one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModuleHead {
    /// Inline modules around it and its own name; empty for the file itself.
    pub path: Vec<String>,
    /// Whether its body is another file.
    pub outside: bool,
    /// Its conditions.
    pub conditions: Print,
    /// Whether it stands in test code.
    pub in_test: bool,
}

/// Everything that matters of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct FileUnits {
    pub units: Vec<Unit>,
    pub imports: Vec<Import>,
    pub modules: Vec<ModuleHead>,
}

impl FileUnits {
    /// The innermost unit that holds a line. Of several on one line the one that uses most of these names is meant.
    pub fn at_line(&self, line: u32, names: &[&str]) -> Option<usize> {
        let holds = |u: &Unit| (u.lines.0..=u.lines.1).contains(&line);
        let knows = |u: &Unit| names.iter().filter(|n| u.names.iter().chain(&u.idents).any(|have| have == *n)).count();
        let holders = self.units.iter().enumerate().filter(|(_, u)| holds(u));
        holders.min_by_key(|(_, u)| (u.lines.1 - u.lines.0, usize::MAX - knows(u))).map(|(index, _)| index)
    }
}

/// Whether a use of a name may mean this unit by the look of it alone.
pub(super) fn may_mean(mention: &Mention, unit: &Unit) -> bool {
    // An invocation's first name is its macro's, which it uses rather than gives.
    let given = if unit.kind == UnitKind::Invocation { unit.names.get(1..).unwrap_or_default() } else { &unit.names };
    if !given.contains(&mention.name) {
        return false;
    }
    match (mention.role, unit.kind) {
        (Role::Macro, kind) => kind == UnitKind::Macro,
        (_, UnitKind::Macro | UnitKind::Template) => false,
        (Role::Member, UnitKind::Helper) => unit.owner.is_some() || unit.names.len() > 1,
        (Role::Member, _) => false,
        (Role::Call | Role::Plain, _) => unit.owner.is_none() || !mention.path.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn the_innermost_unit_of_a_line_is_found() {
        let file =
            SourceFile::parse("t.rs", "/// Doc.\n#[test]\nfn a() {\n}\n\ncheck!(x: 1); check!(y: 2);\n").unwrap();
        let all = FileUnits::of(&file, &|_| true);
        assert_eq!(all.at_line(1, &[]), Some(0));
        assert_eq!(all.at_line(4, &[]), Some(0));
        assert_eq!(all.at_line(5, &[]), None);
        assert_eq!(all.at_line(6, &["y", "ok"]), Some(2));
    }
}
