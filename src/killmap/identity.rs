//! The same ID for the same mutant of unchanged code on both sides of a diff, whatever moved above it and in whichever
//! file it lies now; and another ID for code that the patch itself changed.
//!
//! IDs hold no line numbers, so most agree by themselves. What remains: an item that moved to another file, a site
//! whose ordinal shifted because an equal one was added before it, and a changed line that reads as it did at its site.

use crate::diff::FileDiff;
use crate::freeze::code_words;
use crate::plan::Planned;
use crate::scope::Scope;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// One side: its files and its mutants.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The files; `old_path` is the path at the base.
    pub scope: &'a Scope,
    /// The mutants, by file and position.
    pub mutants: &'a [Planned],
}

/// What tells two mutants of one item apart: operator, original, replacement, and a number or a place.
type Key = (&'static str, String, String, u64);

struct Item {
    file: usize,
    identity: String,
    name: String,
    code: String,
    mutants: Vec<usize>,
}

/// The IDs of the head's mutants, in their order, and whether each stands in unchanged code.
pub fn align(base: Side<'_>, head: Side<'_>, diff: &[FileDiff]) -> Vec<(String, bool)> {
    let (old, new) = (items(base), items(head));
    let mut free = vec![true; old.len()];
    let mut partner: Vec<Option<(usize, bool)>> = vec![None; new.len()];
    let mut by_code: HashMap<&str, Vec<usize>> = HashMap::new();
    old.iter().enumerate().for_each(|(index, item)| by_code.entry(&item.code).or_default().push(index));
    for elsewhere in [false, true] {
        for (index, item) in new.iter().enumerate().filter(|(index, _)| partner[*index].is_none()).collect::<Vec<_>>() {
            let same = by_code.get(item.code.as_str()).into_iter().flatten();
            let fits = |at: &&usize| free[**at] && (elsewhere || old[**at].identity == item.identity);
            if let Some(at) = same.into_iter().find(fits).copied() {
                free[at] = false;
                partner[index] = Some((at, true));
            }
        }
    }
    for (index, item) in new.iter().enumerate().filter(|(index, _)| partner[*index].is_none()).collect::<Vec<_>>() {
        let fits = |at: &usize| free[*at] && old[*at].identity == item.identity && old[*at].name == item.name;
        if let Some(at) = (0..old.len()).find(fits) {
            free[at] = false;
            partner[index] = Some((at, false));
        }
    }

    let mut ids: Vec<(Option<String>, bool)> = vec![(None, false); head.mutants.len()];
    for (item, partner) in new.iter().zip(&partner) {
        let Some((at, unchanged)) = partner else { continue };
        let lines = LineMap::of(head.scope, item.file, diff);
        let known = match unchanged {
            true => numbered(base, &old[*at].mutants),
            false => placed(base, &old[*at].mutants, &|line| Some(line)),
        };
        let mine = match unchanged {
            true => numbered(head, &item.mutants),
            false => placed(head, &item.mutants, &|line| lines.at_base(line)),
        };
        for (key, mutant) in mine {
            if let Some(twin) = known.get(&key) {
                ids[mutant] = (Some(base.mutants[*twin].id.clone()), true);
            }
        }
    }
    settle(base, head, ids)
}

/// Keeps the IDs of new code apart from all others.
fn settle(base: Side<'_>, head: Side<'_>, ids: Vec<(Option<String>, bool)>) -> Vec<(String, bool)> {
    let mut taken: BTreeSet<String> = base.mutants.iter().map(|mutant| mutant.id.clone()).collect();
    ids.into_iter()
        .enumerate()
        .map(|(index, (id, unchanged))| match id {
            Some(id) => (id, unchanged),
            None => {
                let own = &head.mutants[index].id;
                let mut id = own.clone();
                let mut turn = 0;
                while !taken.insert(id.clone()) {
                    turn += 1;
                    id = format!("m-{}", &crate::text::sha256(format!("{own} changed {turn}"))[..12]);
                }
                (id, false)
            }
        })
        .collect()
}

fn items(side: Side<'_>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut at: BTreeMap<(usize, usize, usize), usize> = BTreeMap::new();
    for (index, mutant) in side.mutants.iter().enumerate() {
        let Range { start, end } = mutant.item;
        let slot = *at.entry((mutant.file, start, end)).or_insert_with(|| {
            let file = &side.scope.files[mutant.file];
            let text = file.source.as_ref().and_then(|source| source.text.get(start..end)).unwrap_or_default();
            let name: Vec<&str> = mutant.function.rsplit("::").take(2).collect();
            items.push(Item {
                file: mutant.file,
                identity: file.old_path.clone().unwrap_or_else(|| file.path.clone()),
                name: name.join("::"),
                code: code_words(text),
                mutants: Vec::new(),
            });
            items.len() - 1
        });
        items[slot].mutants.push(index);
    }
    items
}

/// The mutants of unchanged tokens: told apart by their number among equals.
fn numbered(side: Side<'_>, mutants: &[usize]) -> BTreeMap<Key, usize> {
    let mut count: BTreeMap<(&str, String, String), u64> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for &index in mutants {
        let (operator, original, replacement) = what(side, index);
        let number =
            count.entry((operator, original.clone(), replacement.clone())).and_modify(|n| *n += 1).or_insert(0);
        out.insert((operator, original, replacement, *number), index);
    }
    out
}

/// The mutants of a changed item: told apart by their line at the base and their number on it. Those on changed lines
/// are left out.
fn placed(side: Side<'_>, mutants: &[usize], base_line: &dyn Fn(u32) -> Option<u32>) -> BTreeMap<Key, usize> {
    let mut count: BTreeMap<(&str, String, String, u32), u64> = BTreeMap::new();
    let mut out = BTreeMap::new();
    for &index in mutants {
        let mutant = &side.mutants[index];
        let Some(source) = &side.scope.files[mutant.file].source else { continue };
        let span = &mutant.proposal.span;
        let (first, last) = (source.lines.line_of(span.start), source.lines.line_of(span.end.max(span.start + 1) - 1));
        let (Some(from), Some(to)) = (base_line(first), base_line(last)) else { continue };
        if to.checked_sub(from) != Some(last - first) {
            continue;
        }
        let (operator, original, replacement) = what(side, index);
        let key = (operator, original.clone(), replacement.clone(), from);
        let number = count.entry(key).and_modify(|n| *n += 1).or_insert(0);
        out.insert((operator, original, replacement, u64::from(from) << 32 | *number), index);
    }
    out
}

fn what(side: Side<'_>, index: usize) -> (&'static str, String, String) {
    let mutant = &side.mutants[index];
    let file = &side.scope.files[mutant.file];
    let original = file.source.as_ref().map_or("", |source| &source.text[mutant.proposal.span.clone()]);
    let squash = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (mutant.proposal.operator.name, squash(original), squash(&mutant.proposal.replacement))
}

/// From lines of the head to those of the base.
struct LineMap<'a> {
    diff: Option<&'a FileDiff>,
}

impl<'a> LineMap<'a> {
    fn of(scope: &Scope, file: usize, diff: &'a [FileDiff]) -> LineMap<'a> {
        let path = &scope.files[file].path;
        LineMap { diff: diff.iter().find(|file| file.new_path.as_ref() == Some(path)) }
    }

    /// The line at the base; `None` for one that the patch changed or added.
    fn at_base(&self, line: u32) -> Option<u32> {
        let Some(diff) = self.diff else { return Some(line) };
        let mut shift: i64 = 0;
        for hunk in &diff.hunks {
            if hunk.new_range().contains(&line) {
                return None;
            }
            let before = if hunk.new_lines == 0 { hunk.new_start < line } else { hunk.new_start <= line };
            if before {
                shift += i64::from(hunk.old_lines) - i64::from(hunk.new_lines);
            }
        }
        u32::try_from(i64::from(line) + shift).ok()
    }
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod tests;
