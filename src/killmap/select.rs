//! Which mutants a pair of maps is made of, when there are more than the cap allows.
//!
//! The choice depends on IDs alone, so that it is the same on every machine and for both maps: mutants of code that the
//! patch changed first, then those of its files, then the rest; within each in the order of a digest, which spreads the
//! choice over all files.

use std::collections::{BTreeMap, BTreeSet};

/// How near a mutant is to the patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// On code that the patch changed.
    Changed,
    /// In a file that it changed.
    SameFile,
    /// In another file.
    Elsewhere,
}

/// A mutant to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// How near it is.
    pub nearness: Nearness,
    /// Whether it has to be compiled alone, which takes as long as many others.
    pub alone: bool,
}

/// How many mutants a map may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cap {
    /// In all.
    pub mutants: usize,
    /// Of those that have to be compiled alone.
    pub alone: usize,
}

/// The chosen IDs.
pub fn select(candidates: &BTreeMap<String, Candidate>, cap: Cap) -> BTreeSet<String> {
    let mut order: Vec<(&String, &Candidate)> = candidates.iter().collect();
    order.sort_by_cached_key(|(id, candidate)| (candidate.nearness, crate::text::sha256(id)));
    let mut chosen = BTreeSet::new();
    let mut alone = 0;
    for (id, candidate) in order {
        if chosen.len() >= cap.mutants {
            break;
        }
        if candidate.alone {
            if alone >= cap.alone {
                continue;
            }
            alone += 1;
        }
        chosen.insert(id.clone());
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_the_patch_comes_first_and_the_choice_is_always_the_same() {
        let candidate = |n: usize| Candidate {
            nearness: if n.is_multiple_of(10) { Nearness::Changed } else { Nearness::Elsewhere },
            alone: n % 2 == 1,
        };
        let all: BTreeMap<String, Candidate> = (0..100).map(|n| (format!("m-{n:03}"), candidate(n))).collect();
        let chosen = select(&all, Cap { mutants: 30, alone: 5 });
        assert_eq!(chosen.len(), 30);
        assert!((0..10).all(|n| chosen.contains(&format!("m-{:03}", n * 10))));
        assert_eq!(chosen.iter().filter(|id| all[*id].alone).count(), 5);
        assert_eq!(select(&all, Cap { mutants: 30, alone: 5 }), chosen);
        let more = select(&all, Cap { mutants: 31, alone: 5 });
        assert!(chosen.is_subset(&more));
    }
}
