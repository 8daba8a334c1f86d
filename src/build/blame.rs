//! Whose fault is it? From compiler errors in a woven file to the mutants that caused them.

use super::cargo::{Diagnostic, Place};
use crate::weave::Region;
use std::collections::BTreeSet;

/// A woven file as the compiler saw it.
pub struct WovenFile {
    /// Path in the repository.
    pub path: String,
    /// What its bytes belong to.
    pub regions: Vec<Region>,
    /// For each mutant in it: index, first and last line of its enclosing item.
    pub items: Vec<(usize, u32, u32)>,
}

/// What one error says of the mutants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blame {
    /// The mutant's own text is refused.
    Mutant(usize),
    /// The encoding of these is refused; another may do.
    Encoding(BTreeSet<usize>),
    /// No woven file has to do with it.
    Nobody,
}

/// Finds who is to blame for an error. `path_of` turns the compiler's file names into paths in the repository.
pub fn blame(error: &Diagnostic, files: &[WovenFile], path_of: &dyn Fn(&Place) -> Option<String>) -> Blame {
    let places: Vec<(&Place, &WovenFile)> = error
        .places
        .iter()
        .filter_map(|place| {
            let path = path_of(place)?;
            Some((place, files.iter().find(|file| file.path == path)?))
        })
        .collect();
    for primary in [true, false] {
        for (place, file) in places.iter().filter(|(place, _)| place.primary == primary) {
            if let Some(region) = innermost(&file.regions, place) {
                return match (region.exclusive, region.mutants.as_slice()) {
                    (true, [mutant]) => Blame::Mutant(*mutant),
                    _ => Blame::Encoding(region.mutants.iter().copied().collect()),
                };
            }
        }
    }
    // A moved value or a borrow often shows elsewhere in the same function.
    for (place, file) in &places {
        let line = place.line;
        let inside: BTreeSet<usize> =
            file.items.iter().filter(|(_, first, last)| (*first..=*last).contains(&line)).map(|item| item.0).collect();
        if !inside.is_empty() {
            return Blame::Encoding(inside);
        }
    }
    for (_, file) in &places {
        let all: BTreeSet<usize> = file.items.iter().map(|item| item.0).collect();
        if !all.is_empty() {
            return Blame::Encoding(all);
        }
    }
    Blame::Nobody
}

/// The smallest region that holds the place.
fn innermost<'a>(regions: &'a [Region], place: &Place) -> Option<&'a Region> {
    regions
        .iter()
        .filter(|region| region.range.start <= place.bytes.start && place.bytes.end <= region.range.end)
        .min_by_key(|region| region.range.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> WovenFile {
        let region = |range, mutants: &[usize], exclusive| Region { range, mutants: mutants.to_vec(), exclusive };
        WovenFile {
            path: "src/lib.rs".into(),
            regions: vec![region(10..90, &[1, 2], false), region(30..40, &[1], true), region(50..60, &[2], true)],
            items: vec![(1, 1, 5), (2, 1, 5), (3, 9, 12)],
        }
    }

    fn error(places: &[(usize, usize, u32, bool)]) -> Diagnostic {
        let places = places
            .iter()
            .map(|(start, end, line, primary)| Place {
                file: "src/lib.rs".into(),
                bytes: *start..*end,
                line: *line,
                primary: *primary,
            })
            .collect();
        Diagnostic { code: None, message: String::new(), rendered: String::new(), places }
    }

    fn of(error: &Diagnostic) -> Blame {
        blame(error, &[file()], &|place| Some(place.file.to_string()))
    }

    #[test]
    fn text_that_exists_only_for_a_mutant_names_it() {
        assert_eq!(of(&error(&[(32, 35, 2, true)])), Blame::Mutant(1));
    }

    #[test]
    fn the_rest_of_a_site_blames_the_encoding_of_all_its_mutants() {
        assert_eq!(of(&error(&[(12, 70, 2, true)])), Blame::Encoding(BTreeSet::from([1, 2])));
    }

    #[test]
    fn a_secondary_place_counts_when_the_main_one_is_outside() {
        assert_eq!(of(&error(&[(200, 210, 4, true), (52, 53, 2, false)])), Blame::Mutant(2));
    }

    #[test]
    fn an_error_elsewhere_in_a_function_blames_the_mutants_of_that_function() {
        assert_eq!(of(&error(&[(200, 210, 10, true)])), Blame::Encoding(BTreeSet::from([3])));
    }

    #[test]
    fn an_error_in_no_woven_file_is_nobodys() {
        assert_eq!(blame(&error(&[(1, 2, 1, true)]), &[], &|place| Some(place.file.to_string())), Blame::Nobody);
    }
}
