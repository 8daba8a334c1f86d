//! Which units of the head differ from the base's: same, moved, modified or added.
//!
//! Only changed files are compared. A unit with the same tokens anywhere else in the base's side of the diff has moved.

use super::units::{FileUnits, Unit, UnitKind};
use std::collections::HashMap;

/// How a unit of the head relates to the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The base has it at the same place.
    Same,
    /// The base has it at another place.
    Moved,
    /// The base has another version; `attributes` when only those differ.
    Modified { attributes: bool },
    /// The base has nothing like it.
    Added,
}

impl State {
    /// Whether the patch touches the unit.
    pub fn is_touched(self) -> bool {
        match self {
            State::Same | State::Moved => false,
            State::Modified { .. } | State::Added => true,
        }
    }
}

/// Compares each pair of base and head versions of a file; the result has one state for each unit of each head.
pub(super) fn states(pairs: &[(&FileUnits, &FileUnits)]) -> Vec<Vec<State>> {
    let mut taken: Vec<Vec<bool>> = pairs.iter().map(|(old, _)| vec![false; old.units.len()]).collect();
    let mut states: Vec<Vec<Option<State>>> = pairs.iter().map(|(_, new)| vec![None; new.units.len()]).collect();

    // The same tokens at the same place, in order, so that two equal units are not taken for one.
    for (pair, (old, new)) in pairs.iter().enumerate() {
        settle(&mut states[pair], new, |unit| {
            let same = |o: &Unit| o.module == unit.module && o.print == unit.print;
            take(old, &mut taken[pair], same).map(|_| State::Same)
        });
    }

    let mut elsewhere: HashMap<_, Vec<(usize, usize)>> = HashMap::new();
    for (pair, (old, _)) in pairs.iter().enumerate() {
        for (index, unit) in old.units.iter().enumerate().filter(|(index, _)| !taken[pair][*index]).rev() {
            elsewhere.entry(&unit.print).or_default().push((pair, index));
        }
    }
    for (pair, (_, new)) in pairs.iter().enumerate() {
        settle(&mut states[pair], new, |unit| {
            let (from, index) = elsewhere.get_mut(&unit.print)?.pop()?;
            taken[from][index] = true;
            Some(State::Moved)
        });
    }

    // What is left of the base is another version of what is left of the head: first at the same place, then
    // anywhere in the file, then in another file, where it was removed.
    for same_module in [true, false] {
        for (pair, (old, new)) in pairs.iter().enumerate() {
            settle(&mut states[pair], new, |unit| {
                let like = |o: &Unit| alike(o, unit) && (!same_module || o.module == unit.module);
                take(old, &mut taken[pair], like).map(|o| modified(o, unit))
            });
        }
    }
    for (pair, (_, new)) in pairs.iter().enumerate() {
        settle(&mut states[pair], new, |unit| {
            let mut others = pairs.iter().enumerate().filter(|(other, _)| *other != pair);
            others.find_map(|(other, (old, _))| {
                let like = |o: &Unit| alike(o, unit) && unit.kind == UnitKind::Test;
                take(old, &mut taken[other], like).map(|o| modified(o, unit))
            })
        });
    }
    states.into_iter().map(|file| file.into_iter().map(|s| s.unwrap_or(State::Added)).collect()).collect()
}

/// Gives every unit without a state the one that `find` finds.
fn settle(states: &mut [Option<State>], units: &FileUnits, mut find: impl FnMut(&Unit) -> Option<State>) {
    for (state, unit) in states.iter_mut().zip(&units.units) {
        *state = state.or_else(|| find(unit));
    }
}

/// Takes the first free unit that fits.
fn take<'a>(units: &'a FileUnits, taken: &mut [bool], fits: impl Fn(&Unit) -> bool) -> Option<&'a Unit> {
    let index = units.units.iter().enumerate().position(|(index, unit)| !taken[index] && fits(unit))?;
    taken[index] = true;
    Some(&units.units[index])
}

/// Whether two units are versions of one. Invocations of one macro are told apart by their first identifier.
fn alike(old: &Unit, new: &Unit) -> bool {
    let functions = |u: &Unit| matches!(u.kind, UnitKind::Test | UnitKind::Helper);
    let kind = old.kind == new.kind || functions(old) && functions(new);
    kind && old.names[0] == new.names[0] && old.owner == new.owner && old.idents.first() == new.idents.first()
}

fn modified(old: &Unit, new: &Unit) -> State {
    State::Modified { attributes: old.bare == new.bare }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    fn units(text: &str) -> FileUnits {
        FileUnits::of(&SourceFile::parse("t.rs", text).unwrap(), &|_| true)
    }

    /// The states of all units of the heads of some `(base, head)` pairs.
    fn compare(pairs: &[(&str, &str)]) -> Vec<Vec<State>> {
        let pairs: Vec<_> = pairs.iter().map(|(old, new)| (units(old), units(new))).collect();
        states(&pairs.iter().map(|(old, new)| (old, new)).collect::<Vec<_>>())
    }

    const BODY: State = State::Modified { attributes: false };

    #[test]
    fn a_unit_is_touched_when_its_tokens_differ() {
        let got = compare(&[(
            "#[test] fn a() { 1 } #[test] fn b() {} #[test] fn c() {}",
            "#[test] fn a() { 2 } #[test] #[ignore] fn b() {} /* x */ #[test] fn c() { } #[test] fn d() {}",
        )]);
        assert_eq!(got, [vec![BODY, State::Modified { attributes: true }, State::Same, State::Added]]);
    }

    #[test]
    fn a_unit_that_went_elsewhere_has_moved() {
        let got = compare(&[
            ("#[test] fn a() { 1 } mod m { #[test] fn b() { 2 } }", "mod n { #[test] fn b() { 2 } }"),
            ("", "#[test] fn a() { 1 }"),
        ]);
        assert_eq!(got, [vec![State::Moved], vec![State::Moved]]);
    }

    #[test]
    fn a_copy_is_new() {
        let got = compare(&[("#[test] fn a() { 1 }", "#[test] fn a() { 1 } mod m { #[test] fn a() { 1 } }")]);
        assert_eq!(got, [vec![State::Same, State::Added]]);
    }

    #[test]
    fn a_test_that_moved_and_changed_is_modified() {
        let got = compare(&[("#[test] fn a() { 1 }", ""), ("", "#[test] fn a() { 2 }")]);
        assert_eq!(got[1], [BODY]);
    }

    #[test]
    fn invocations_of_one_macro_are_told_apart() {
        let got = compare(&[("check!(a: 1); check!(b: 2);", "check!(a: 1); check!(b: 3); check!(c: 2);")]);
        assert_eq!(got, [vec![State::Same, BODY, State::Added]]);
    }
}
