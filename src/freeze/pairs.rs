//! Which test of the head is which of the base: the same place, else the same tokens anywhere, else the same name,
//! else one that asserts all that the other did.

use super::read::{FileUnits, Unit};
use std::collections::BTreeSet;

/// A changed file, read on both sides.
#[derive(Debug, Default)]
pub struct ReadFile {
    /// Path at the base.
    pub old_path: Option<String>,
    /// Path at the head.
    pub new_path: Option<String>,
    /// The base's units.
    pub old: FileUnits,
    /// The head's units.
    pub new: FileUnits,
    /// Whether all of it is test code.
    pub test_file: bool,
}

/// A unit by file and position.
pub type At = (usize, usize);

/// The units of all changed files, matched.
#[derive(Debug, Default)]
pub struct Pairs {
    /// Base and head of units that both have.
    pub both: Vec<(At, At)>,
    /// Units of the base without one in the head.
    pub gone: Vec<At>,
    /// Units of the head without one in the base.
    pub new: Vec<At>,
}

/// Matches units. Each is matched once.
pub fn pair(files: &[ReadFile]) -> Pairs {
    let all = |side: fn(&ReadFile) -> &FileUnits| -> Vec<At> {
        files
            .iter()
            .enumerate()
            .flat_map(|(file, read)| (0..side(read).units.len()).map(move |unit| (file, unit)))
            .collect()
    };
    let (mut old, mut new) = (all(|file| &file.old), all(|file| &file.new));
    let mut both = Vec::new();
    let before = |at: &At| &files[at.0].old.units[at.1];
    let after = |at: &At| &files[at.0].new.units[at.1];
    type Same<'a> = &'a dyn Fn(&At, &Unit, &At, &Unit) -> bool;
    let rounds: [Same<'_>; 5] = [
        &|b, base, h, head| {
            b.0 == h.0 && base.module == head.module && base.name == head.name && base.body == head.body
        },
        &|_, base, _, head| base.body == head.body && base.name == head.name,
        &|b, base, h, head| b.0 == h.0 && base.module == head.module && base.name == head.name,
        &|_, base, _, head| base.is_test && base.body == head.body && !base.profile.empty,
        &|_, base, _, head| base.name == head.name && base.is_test,
    ];
    for same in rounds {
        old.retain(|b| {
            let base = before(b);
            let fits = |h: &At| {
                let head = after(h);
                base.is_test == head.is_test && same(b, base, h, head)
            };
            match new.iter().position(fits) {
                Some(at) => {
                    both.push((*b, new.remove(at)));
                    false
                }
                None => true,
            }
        });
    }
    // A test renamed and changed at once: one that asserts all that it did.
    old.retain(|b| {
        let base = before(b);
        let texts = |unit: &Unit| unit.profile.assertions.iter().map(|a| a.text.clone()).collect::<BTreeSet<_>>();
        let asserted = texts(base);
        let fits = |h: &At| {
            let head = after(h);
            base.is_test && head.is_test && !asserted.is_empty() && texts(head).is_superset(&asserted)
        };
        match new.iter().position(fits) {
            Some(at) => {
                both.push((*b, new.remove(at)));
                false
            }
            None => true,
        }
    });
    both.sort();
    Pairs { both, gone: old, new }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    fn read(old: &str, new: &str) -> ReadFile {
        let units = |text: &str| FileUnits::of(&SourceFile::parse("t.rs", text).unwrap());
        ReadFile { old: units(old), new: units(new), test_file: true, ..ReadFile::default() }
    }

    fn counts(files: &[ReadFile]) -> (usize, usize, usize) {
        let pairs = pair(files);
        (pairs.both.len(), pairs.gone.len(), pairs.new.len())
    }

    const TEST: &str = "#[test] fn a() { assert_eq!(f(1), 2); }";

    #[test]
    fn a_renamed_moved_or_grown_test_is_the_same_test() {
        assert_eq!(counts(&[read(TEST, "#[test] fn b() { assert_eq!(f(1), 2); }")]), (1, 0, 0));
        assert_eq!(counts(&[read(TEST, ""), read("", &format!("mod m {{ {TEST} }}"))]), (1, 0, 0));
        assert_eq!(counts(&[read(TEST, "#[test] fn b() { assert_eq!(f(1), 2); assert!(g()); }")]), (1, 0, 0));
    }

    #[test]
    fn a_test_that_is_gone_is_gone() {
        assert_eq!(counts(&[read(TEST, "#[test] fn b() { assert_eq!(f(2), 3); }")]), (0, 1, 1));
        assert_eq!(counts(&[read(TEST, "fn a() { assert_eq!(f(1), 2); }")]), (0, 1, 1));
    }
}
