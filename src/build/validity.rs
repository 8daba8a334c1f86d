//! Does a mutant compile as the plain change that it is? The compiler's word is final.
//!
//! Asked for mutants that could not be woven, and for those whose woven form may compile although the plain change
//! does not: leaving code out can leave a type unknown that the woven default arm still pins down. The compiler is
//! called directly, as cargo called it for the woven unit, and stops after its checks. One mutant of each item is tried
//! in one call, since errors do not cross function bodies; a mutant is valid only when it took part in a call without
//! any error.

use super::cargo::Place;
use super::direct::ask;
use super::{Builder, Texts};
use crate::error::{Context, Result};
use crate::weave::Shadow;
use crate::wrapper::UnitCommand;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::ops::Range;

/// The compiler's word on a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validity {
    /// It compiles.
    Valid,
    /// It does not: the first error.
    Invalid(String),
    /// The compiler could not be asked this way.
    Unknown,
}

/// Asks the compiler about some mutants, by index. Needs the woven build to have run.
///
/// # Errors
/// When files cannot be written or the compiler cannot be started.
pub fn check(builder: &Builder<'_>, mutants: &[usize]) -> Result<BTreeMap<usize, Validity>> {
    let mut known = BTreeMap::new();
    let mut open: Vec<usize> = mutants.to_vec();
    while !open.is_empty() {
        let batch = batch(builder, &open);
        let (asked, verdicts) = settle(builder, batch)?;
        open.retain(|index| !asked.contains(index));
        known.extend(verdicts);
    }
    Ok(known)
}

/// At most one mutant for each item, so that errors tell them apart.
fn batch(builder: &Builder<'_>, open: &[usize]) -> Vec<usize> {
    let mut taken: Vec<(usize, Range<usize>)> = Vec::new();
    let mut batch = Vec::new();
    for index in open {
        let mutant = &builder.mutants[*index];
        let overlaps = |(file, item): &(usize, Range<usize>)| {
            *file == mutant.file && item.start < mutant.item.end && mutant.item.start < item.end
        };
        if !taken.iter().any(overlaps) {
            taken.push((mutant.file, mutant.item.clone()));
            batch.push(*index);
        }
    }
    batch
}

/// Asks about a batch until what is left of it compiles.
fn settle(builder: &Builder<'_>, batch: Vec<usize>) -> Result<(Vec<usize>, BTreeMap<usize, Validity>)> {
    let asked = batch.clone();
    let mut verdicts = BTreeMap::new();
    let mut left = batch;
    while !left.is_empty() {
        let Some(errors) = compile(builder, &left)? else {
            verdicts.extend(left.drain(..).map(|index| (index, Validity::Unknown)));
            break;
        };
        if errors.is_empty() {
            verdicts.extend(left.drain(..).map(|index| (index, Validity::Valid)));
            break;
        }
        let before = left.len();
        left.retain(|index| match errors.iter().find(|(culprit, _)| culprit == &Some(*index)) {
            Some((_, said)) => {
                verdicts.insert(*index, Validity::Invalid(said.clone()));
                false
            }
            None => true,
        });
        if left.len() == before {
            // No error points into an item of the batch: ask about each alone.
            if let [only] = left[..] {
                let said = errors.into_iter().next().map(|(_, said)| said).unwrap_or_default();
                verdicts.insert(only, Validity::Invalid(said));
                break;
            }
            for index in left.drain(..) {
                verdicts.extend(settle(builder, vec![index])?.1);
            }
        }
    }
    Ok((asked, verdicts))
}

/// The mutant in whose item an error lies, if it lies in one, and the error.
type Complaint = (Option<usize>, String);

/// Compiles all units that hold the batch's files. Errors come with the mutant whose item they lie in; `None` when a
/// unit was never compiled by the wrapper, so that nobody knows how.
fn compile(builder: &Builder<'_>, batch: &[usize]) -> Result<Option<Vec<Complaint>>> {
    let (texts, items) = mutated_texts(builder, batch);
    let dir = builder.hunkmut_dir.join("check");
    let shadow = Shadow::new(&dir, builder.tree);
    let units: Vec<Utf8PathBuf> = builder.units_of(&texts).into_keys().collect();
    let mut all = texts.clone();
    for root in &units {
        if let Ok(path) = root.strip_prefix(builder.tree)
            && !all.contains_key(path.as_str())
        {
            all.insert(path.to_string(), std::fs::read_to_string(root).doing(|| format!("read `{root}`"))?);
        }
    }
    shadow.lay(&all)?;
    let mut errors = Vec::new();
    let mut compiled = 0;
    for root in &units {
        let commands = builder.commands();
        let recorded = [false, true].iter().find_map(|test| UnitCommand::read(&commands, root, *test));
        let Some(command) = recorded else { continue };
        let Ok(path) = root.strip_prefix(builder.tree) else { continue };
        compiled += 1;
        for error in ask(builder, &command, &shadow.path_of(path.as_str()), &dir)? {
            let culprit = error.places.iter().find_map(|place| owner(builder, place, &shadow, &items));
            let said = match &error.code {
                Some(code) => format!("{} [{code}]", error.message),
                None => error.message.clone(),
            };
            errors.push((culprit, said));
        }
    }
    Ok((compiled > 0).then_some(errors))
}

/// A mutated item: file, bytes of the item in the mutated text, mutant.
type MutatedItem = (String, Range<usize>, usize);

fn mutated_texts(builder: &Builder<'_>, batch: &[usize]) -> (Texts, Vec<MutatedItem>) {
    let mut by_file: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in batch {
        by_file.entry(builder.mutants[*index].file).or_default().push(*index);
    }
    let mut texts = Texts::new();
    let mut items = Vec::new();
    for mut indices in by_file.into_values() {
        indices.sort_by_key(|index| builder.mutants[*index].proposal.span.start);
        let (path, original) = builder.file_of(&builder.mutants[indices[0]]);
        let mut text = String::new();
        let mut at = 0;
        for index in indices {
            let mutant = &builder.mutants[index];
            let span = &mutant.proposal.span;
            let shift = text.len() as isize - at as isize;
            text.push_str(&original[at..span.start]);
            text.push_str(&mutant.proposal.replacement);
            at = span.end;
            let grown = text.len() as isize - at as isize;
            let start = mutant.item.start as isize + shift;
            items.push((path.to_owned(), start.max(0) as usize..(mutant.item.end as isize + grown) as usize, index));
        }
        text.push_str(&original[at..]);
        texts.insert(path.to_owned(), text);
    }
    (texts, items)
}

fn owner(builder: &Builder<'_>, place: &Place, shadow: &Shadow, items: &[MutatedItem]) -> Option<usize> {
    let file = builder.workspace.root.join(&place.file);
    let path = file.strip_prefix(shadow.dir()).or_else(|_| file.strip_prefix(builder.tree)).ok()?;
    items
        .iter()
        .find(|(item_path, bytes, _)| {
            item_path == path.as_str() && bytes.start <= place.bytes.start && place.bytes.end <= bytes.end
        })
        .map(|(_, _, index)| *index)
}
