//! Which entries hold for the mutants at hand, and why the others do not.

use super::{Excusal, parse};
use crate::freeze::date::Date;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The entries of a ledger at the merge base and at the head, as [`super::parse`] gives them.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    /// Reviewed: they were there before the patch.
    pub old: Vec<Result<Excusal, String>>,
    /// As the patch leaves them.
    pub new: Vec<Result<Excusal, String>>,
}

impl Entries {
    /// Both sides of a ledger as text; the names say where they come from.
    ///
    /// # Errors
    /// When the merge base's cannot be read. The head's own has no say, so that a broken one is no error; it is named.
    pub fn read(old: &str, old_name: &str, new: &str, new_name: &str) -> crate::error::Result<Entries> {
        let new = parse(new, new_name).unwrap_or_else(|why| vec![Err(why.to_string())]);
        Ok(Entries { old: parse(old, old_name)?, new })
    }
}

/// What holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// The entries that hold, by mutant.
    pub excused: BTreeMap<String, Excusal>,
    /// Mutants whose entry the patch itself adds or changes; honoured only when accepted.
    pub added: BTreeSet<String>,
    /// Entries that do not hold.
    pub problems: Vec<Problem>,
}

/// An entry that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its mutant, or what else names it.
    pub entry: String,
    /// Why not.
    pub why: Why,
}

/// Why an entry does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The item around the mutant has changed.
    Stale,
    /// Its last day has passed.
    Expired(Date),
    /// There is no such mutant.
    Unknown,
    /// Another entry speaks of the same mutant.
    Duplicate,
    /// It is not whole.
    Malformed,
    /// The patch itself adds it.
    Added,
    /// The mutant is dead anyway.
    Unneeded,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = &self.entry;
        match &self.why {
            Why::Stale => write!(f, "{entry}: stale, the code around it has changed since it was excused"),
            Why::Expired(day) => write!(f, "{entry}: expired, it held until {day}"),
            Why::Unknown => write!(f, "{entry}: unknown, there is no such mutant"),
            Why::Duplicate => write!(f, "{entry}: duplicate, an earlier entry speaks of it already"),
            Why::Malformed => write!(f, "{entry}"),
            Why::Added => write!(f, "{entry}: added by the patch itself, not honoured without `--accept-new-excusals`"),
            Why::Unneeded => write!(f, "{entry}: not needed, the mutant is dead"),
        }
    }
}

/// Decides. `items` maps the mutants at hand to the hash of their item; entries about other mutants are none of this
/// patch's business and are left to `excuse --check`.
pub fn hold(entries: &Entries, items: &BTreeMap<&str, &str>, today: Date, accept_new: bool) -> Held {
    let mut held = Held::default();
    let mut seen = BTreeSet::new();
    let old: Vec<&Excusal> = entries.old.iter().filter_map(|entry| entry.as_ref().ok()).collect();
    for entry in &entries.old {
        match entry {
            Ok(entry) => judge(entry, items, today, &mut seen, &mut held),
            Err(why) => held.problems.push(Problem { entry: why.clone(), why: Why::Malformed }),
        }
    }
    for why in entries.new.iter().filter(|entry| !entries.old.contains(entry)).filter_map(|entry| entry.as_ref().err())
    {
        held.problems.push(Problem { entry: format!("at the head: {why}"), why: Why::Malformed });
    }
    for entry in entries.new.iter().filter_map(|entry| entry.as_ref().ok()) {
        if old.contains(&entry) || !items.contains_key(entry.mutant.as_str()) {
            continue;
        }
        if accept_new {
            held.added.insert(entry.mutant.clone());
            // What the patch writes takes the place of what it overwrites.
            seen.remove(entry.mutant.as_str());
            held.excused.remove(&entry.mutant);
            judge(entry, items, today, &mut seen, &mut held);
        } else {
            held.problems.push(Problem { entry: entry.mutant.clone(), why: Why::Added });
        }
    }
    held.added.retain(|mutant| held.excused.contains_key(mutant));
    held
}

fn judge<'e>(
    entry: &'e Excusal,
    items: &BTreeMap<&str, &str>,
    today: Date,
    seen: &mut BTreeSet<&'e str>,
    held: &mut Held,
) {
    let mut problem = |why| held.problems.push(Problem { entry: entry.mutant.clone(), why });
    let Some(item) = items.get(entry.mutant.as_str()) else { return };
    if !seen.insert(&entry.mutant) {
        problem(Why::Duplicate);
    } else if !item.eq_ignore_ascii_case(&entry.item) {
        problem(Why::Stale);
    } else if let Some(day) = entry.expires.filter(|day| *day < today) {
        problem(Why::Expired(day));
    } else {
        held.excused.insert(entry.mutant.clone(), entry.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::super::item_hash;
    use super::super::tests::entry;
    use super::*;

    const ITEM: &str = "fn f() { g(1) }";

    fn held(old: &[Excusal], new: &[Excusal], accept: bool) -> Held {
        let entries =
            Entries { old: old.iter().cloned().map(Ok).collect(), new: new.iter().cloned().map(Ok).collect() };
        let hash = item_hash(ITEM);
        let items = BTreeMap::from([("m-1", hash.as_str()), ("m-2", hash.as_str())]);
        hold(&entries, &items, "2026-06-01".parse().unwrap(), accept)
    }

    fn why(held: &Held) -> Vec<Why> {
        held.problems.iter().map(|problem| problem.why.clone()).collect()
    }

    #[test]
    fn an_entry_holds_for_its_mutant_alone() {
        let held = held(&[entry("m-1", ITEM), entry("m-9", ITEM)], &[], false);
        assert_eq!(held.excused.keys().collect::<Vec<_>>(), ["m-1"]);
        assert!(held.problems.is_empty());
    }

    #[test]
    fn an_entry_lapses_when_its_item_changes() {
        let held = held(&[entry("m-1", "fn f() { g(2) }")], &[], false);
        assert_eq!((held.excused.len(), why(&held)), (0, vec![Why::Stale]));
    }

    #[test]
    fn an_entry_holds_through_its_last_day() {
        let until = |day: &str| Excusal { expires: Some(day.parse().unwrap()), ..entry("m-1", ITEM) };
        assert_eq!(held(&[until("2026-06-01")], &[], false).excused.len(), 1);
        assert!(matches!(why(&held(&[until("2026-05-31")], &[], false))[..], [Why::Expired(_)]));
    }

    #[test]
    fn a_second_entry_for_a_mutant_is_reported() {
        let held = held(&[entry("m-1", ITEM), entry("m-1", ITEM)], &[], false);
        assert_eq!((held.excused.len(), why(&held)), (1, vec![Why::Duplicate]));
    }

    #[test]
    fn what_the_patch_adds_excuses_nothing_unless_accepted() {
        let old = [entry("m-2", ITEM)];
        let new = [entry("m-2", ITEM), entry("m-1", ITEM)];
        let refused = held(&old, &new, false);
        assert_eq!((refused.excused.len(), why(&refused)), (1, vec![Why::Added]));
        let accepted = held(&old, &new, true);
        assert_eq!((accepted.excused.len(), accepted.added.len()), (2, 1));
    }

    #[test]
    fn a_ledger_that_the_patch_breaks_is_named_and_the_bases_still_holds() {
        let old = super::super::append("", &entry("m-1", ITEM));
        let entries = Entries::read(&old, "base", "[[excusal]", "head").unwrap();
        let hash = item_hash(ITEM);
        let items = BTreeMap::from([("m-1", hash.as_str())]);
        let held = hold(&entries, &items, "2026-06-01".parse().unwrap(), true);
        assert_eq!((held.excused.len(), why(&held)), (1, vec![Why::Malformed]));
        assert!(Entries::read("[[excusal]", "base", "", "head").is_err());
    }

    #[test]
    fn an_entry_that_the_patch_overwrites_counts_as_added() {
        let expired = Excusal { expires: Some("2026-01-31".parse().unwrap()), ..entry("m-1", ITEM) };
        let held = held(&[expired], &[entry("m-1", ITEM)], true);
        assert_eq!((held.excused.len(), held.added.len()), (1, 1));
    }
}
