//! What names mean in the modules of one target, as far as `mod` and `use` show.

use super::units::{FileUnits, Import};
use std::collections::{BTreeMap, BTreeSet};

/// What each module of a target brings into scope, and which modules there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Scopes {
    imports: BTreeMap<Vec<String>, Vec<Import>>,
    modules: BTreeSet<Vec<String>>,
}

impl Scopes {
    /// Adds a file at its place in the target.
    pub fn add(&mut self, at: &[String], units: &FileUnits) {
        let full = |inner: &[String]| -> Vec<String> { at.iter().chain(inner).cloned().collect() };
        for head in &units.modules {
            self.modules.insert(full(&head.path));
        }
        for import in &units.imports {
            self.imports.entry(full(&import.module)).or_default().push(import.clone());
        }
    }

    pub fn of(&self, module: &[String]) -> &[Import] {
        self.imports.get(module).map_or(&[], Vec::as_slice)
    }

    /// The module that a path means, seen from a module. `None` for other crates, types and unknown names.
    pub fn module(&self, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let child = || from.iter().cloned().chain([first.clone()]).collect::<Vec<_>>();
        let mut at: Vec<String> = match first.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from.split_last()?.1.to_vec(),
            _ if self.modules.contains(&child()) => child(),
            name => {
                let import =
                    self.of(from).iter().find(|i| i.local == name && i.path.len() > usize::from(i.path == [name]));
                match import {
                    Some(import) if depth < LIMIT => self.module(from, &import.path, depth + 1)?,
                    // `use super::*` brings the parent's modules along.
                    _ => self.of(from).iter().filter(|i| i.local == "*" && depth < LIMIT).find_map(|glob| {
                        let inside = self.module(from, &glob.path, depth + 1)?;
                        (inside != from).then(|| self.module(&inside, std::slice::from_ref(first), depth + 1))?
                    })?,
                }
            }
        };
        for segment in rest {
            match segment.as_str() {
                "super" => drop(at.pop()?),
                "self" => {}
                _ => {
                    let child: Vec<String> = at.iter().cloned().chain([segment.clone()]).collect();
                    at = if self.modules.contains(&child) {
                        child
                    } else if depth < LIMIT {
                        self.module(&at, std::slice::from_ref(segment), depth + 1)?
                    } else {
                        return None;
                    };
                }
            }
        }
        Some(at)
    }
}

/// How many imports of imports are followed.
pub(super) const LIMIT: usize = 6;
