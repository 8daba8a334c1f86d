//! From a listed test back to the code that makes it.
//!
//! libtest's location is the place of the function's name: inside the function for most tests, inside the definition of
//! a `macro_rules!` for tests that such a macro names. Those are attributed to an invocation by the identifiers that
//! the invocation and the test's path share.

use super::ListedTest;
use super::candidates::TargetView;
use super::units::UnitKind;
use std::collections::BTreeSet;

/// What makes a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// This node.
    Node(usize),
    /// A `macro_rules!` (a node), through one of these invocations.
    Made { by_macro: usize, through: Vec<usize> },
    /// Something in a file that was not read because it did not change.
    Elsewhere,
    /// Nobody knows; these invocations may.
    Unknown { perhaps: Vec<usize> },
}

impl TargetView {
    /// Finds the origin of a test of this target.
    pub fn origin(&self, test: &ListedTest) -> Origin {
        let path: Vec<&str> = test.id.name.split("::").collect();
        let Some((file, line)) = &test.source else { return self.by_name(&path) };
        let here: Vec<usize> = (0..self.nodes.len()).filter(|i| self.nodes[*i].file == *file).collect();
        let Some(first) = here.first() else { return Origin::Elsewhere };
        let Some(index) = self.nodes[*first].units.at_line(*line, &path) else { return self.by_name(&path) };
        // A file may be part of the target in several modules: the test's own is meant.
        let fit = |i: &&usize| self.nodes[**i].module.as_deref().and_then(|m| prefix(m, &path)).unwrap_or(0);
        let Some(&node) = here.iter().filter(|i| self.nodes[**i].index == index).max_by_key(fit) else {
            return Origin::Elsewhere;
        };
        match self.nodes[node].unit().kind {
            UnitKind::Macro => Origin::Made { by_macro: node, through: self.invocations(Some(node), &path) },
            UnitKind::Test | UnitKind::Helper | UnitKind::Invocation => Origin::Node(node),
        }
    }

    /// Without a location: the function whose path the test's begins with (`adds` of `adds::case_1`), else perhaps an
    /// invocation.
    fn by_name(&self, path: &[&str]) -> Origin {
        let functions = self.nodes.iter().enumerate().filter(|(_, n)| n.unit().kind == UnitKind::Test);
        let fitting = functions.filter_map(|(i, node)| {
            let depth = prefix(node.module.as_deref()?, path)?;
            (path.get(depth) == Some(&node.unit().names[0].as_str())).then_some((depth, i))
        });
        match fitting.max() {
            Some((_, node)) => Origin::Node(node),
            None => Origin::Unknown { perhaps: self.invocations(None, path) },
        }
    }

    /// The invocations that may have made a test, the likeliest kind only: those whose first identifier is a part of
    /// the test's path; else those with such an identifier anywhere; else, of a known macro, all.
    fn invocations(&self, by_macro: Option<usize>, path: &[&str]) -> Vec<usize> {
        let names = by_macro.map(|node| self.users_of_macro(&self.nodes[node].unit().names[0]));
        let all: Vec<(usize, &[&str])> = (0..self.nodes.len())
            .filter(|i| self.nodes[*i].unit().kind == UnitKind::Invocation)
            .filter(|i| names.as_ref().is_none_or(|names| names.contains(&self.nodes[*i].unit().names[0])))
            .filter_map(|i| match self.nodes[i].module.as_deref() {
                Some(module) => Some((i, &path[prefix(module, path)?..])),
                None => Some((i, path)),
            })
            .collect();
        let first = |(i, rest): &&(usize, &[&str])| {
            self.nodes[*i].unit().idents.first().is_some_and(|ident| rest.contains(&ident.as_str()))
        };
        let any = |(i, rest): &&(usize, &[&str])| {
            self.nodes[*i].unit().idents.iter().any(|ident| rest.contains(&ident.as_str()))
        };
        let strong: Vec<usize> = all.iter().filter(first).map(|(i, _)| *i).collect();
        if !strong.is_empty() {
            return strong;
        }
        let weak: Vec<usize> = all.iter().filter(any).map(|(i, _)| *i).collect();
        if !weak.is_empty() || by_macro.is_none() {
            return weak;
        }
        all.into_iter().map(|(i, _)| i).collect()
    }

    /// A macro's name, and the names of the macros whose definition uses it.
    fn users_of_macro(&self, name: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::from([name.to_owned()]);
        loop {
            let before = names.len();
            for node in self.nodes.iter().filter(|n| n.unit().kind == UnitKind::Macro) {
                if node.unit().mentions.iter().any(|m| names.contains(&m.name)) {
                    names.insert(node.unit().names[0].clone());
                }
            }
            if names.len() == before {
                return names;
            }
        }
    }
}

/// The module's length when the path begins with it.
fn prefix(module: &[String], path: &[&str]) -> Option<usize> {
    let begins = module.len() <= path.len() && module.iter().zip(path).all(|(m, p)| m == p);
    begins.then_some(module.len())
}
