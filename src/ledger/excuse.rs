//! The ledger applied to the mutants of a run.

use super::{Entries, Held, Problem, Why, hold};
use crate::freeze::date::Date;
use crate::gate::zero_survivors::Standing;
use crate::report::model::{Mutant, Verdict};

/// Gives survivors with an entry that holds the verdict `excused`. What is dead anyway, or neither alive nor dead, has
/// nothing to excuse.
pub fn excuse(mutants: &mut [Mutant], entries: &Entries, today: Date, accept_new: bool) -> Held {
    let items = mutants.iter().map(|mutant| (mutant.id.as_str(), mutant.item.as_str())).collect();
    let mut held = hold(entries, &items, today, accept_new);
    for mutant in mutants {
        match Standing::of(mutant) {
            Standing::Alive if held.excused.contains_key(&mutant.id) => {
                mutant.verdict = Verdict::Excused;
                mutant.reason = held.excused.get(&mutant.id).map(|e| format!("excused by {}: {}", e.owner, e.reason));
            }
            Standing::Dead if held.excused.remove(&mutant.id).is_some() => {
                held.added.remove(&mutant.id);
                held.problems.push(Problem { entry: mutant.id.clone(), why: Why::Unneeded });
            }
            Standing::Alive
            | Standing::Dead
            | Standing::Excused
            | Standing::Uncovered
            | Standing::Unknown
            | Standing::Open
            | Standing::Doubtful
            | Standing::Invalid => {
                held.excused.remove(&mutant.id);
                held.added.remove(&mutant.id);
            }
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;
    use crate::report::sample;

    #[test]
    fn only_what_is_alive_is_excused_and_an_entry_for_the_dead_is_named() {
        let day = "2026-06-01".parse().unwrap();
        for (verdict, becomes, problems) in [
            (Verdict::Survived, Verdict::Excused, 0),
            (Verdict::Killed, Verdict::Killed, 1),
            (Verdict::Unexecuted, Verdict::Unexecuted, 0),
        ] {
            let mut mutant = sample::mutant("src/a.rs", "relational", ">", 0, "<", verdict);
            let excusal = entry(&mutant.id, "fn f() {}");
            mutant.item.clone_from(&excusal.item);
            let mut mutants = [mutant];
            let held = excuse(&mut mutants, &Entries { old: vec![Ok(excusal)], new: vec![] }, day, false);
            assert_eq!((mutants[0].verdict, held.problems.len()), (becomes, problems));
            assert_eq!(held.excused.len(), usize::from(becomes == Verdict::Excused));
        }
    }
}
