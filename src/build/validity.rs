//! Does a mutant compile as the plain change that it is? The compiler's word is final.
//!
//! Asked for mutants that could not be woven, and for those whose woven form may compile although the plain change
//! does not: leaving code out can leave a type unknown that the woven default arm still pins down. The compiler is
//! called directly, as cargo called it for the woven unit, and stops after its checks. Errors do not cross function
//! bodies, so one call serves many mutants: each in a copy of its function where that is possible (`copies`), else one
//! in place for each item. A mutant is valid only when it took part in a call without any error.

use super::cargo::Place;
use super::copies::Function;
use super::direct::{ask, command_like};
use super::{Builder, Texts};
use crate::error::{Context, Result};
use crate::weave::Shadow;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// Bytes of copies in one call: enough for most patches, little enough to be compiled in a moment.
const MOST_COPIED: usize = 1 << 20;

/// The compiler's word on a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Validity {
    /// It compiles.
    Valid,
    /// It does not: the first error.
    Invalid(String),
    /// The compiler could not be asked this way.
    Unknown,
}

/// An item: file and bytes.
type Item = (usize, Range<usize>);

/// A mutant as it is asked about.
#[derive(Debug, Clone)]
enum Asked {
    InPlace(usize),
    Copied(usize, Function),
}

impl Asked {
    fn mutant(&self) -> usize {
        match self {
            Asked::InPlace(index) | Asked::Copied(index, _) => *index,
        }
    }

    /// What it changes: file, and bytes of the function or item.
    fn item(&self, builder: &Builder<'_>) -> Item {
        let mutant = &builder.mutants[self.mutant()];
        match self {
            Asked::InPlace(_) => (mutant.file, mutant.item.clone()),
            Asked::Copied(_, function) => (mutant.file, function.item.clone()),
        }
    }
}

/// Asks the compiler about some mutants, by index. Needs the woven build to have run.
///
/// Those that are `compiled_later` anyway get an answer only where it costs no call of its own.
///
/// # Errors
/// When files cannot be written or the compiler cannot be started.
pub fn check(
    builder: &Builder<'_>,
    mutants: &[usize],
    compiled_later: &dyn Fn(usize) -> bool,
) -> Result<BTreeMap<usize, Validity>> {
    check_once(builder, mutants)?;
    let mut known = BTreeMap::new();
    let mut barred = HashSet::new();
    loop {
        let open = mutants.iter().copied().filter(|index| !known.contains_key(index)).collect();
        let batch = batch(builder, open, &barred, compiled_later);
        let worth = |asked: &Asked| matches!(asked, Asked::Copied(..)) || !compiled_later(asked.mutant());
        if !batch.iter().any(worth) {
            return Ok(known);
        }
        let settled = settle(builder, batch)?;
        known.extend(settled.verdicts);
        barred.extend(settled.barred);
    }
}

/// Has cargo check the crates that the targets in use leave out, unchanged, so that it is known how.
fn check_once(builder: &Builder<'_>, mutants: &[usize]) -> Result<()> {
    let mut texts = Texts::new();
    let mut packages = BTreeSet::new();
    for mutant in mutants.iter().map(|index| &builder.mutants[*index]).filter(|mutant| !builder.is_built(mutant)) {
        let (path, text) = builder.file_of(mutant);
        texts.insert(path.to_owned(), text.to_owned());
        packages.extend(builder.modules.uses(path).iter().map(|of| of.package));
    }
    if !packages.is_empty() {
        let manifest = builder.lay(texts, false)?;
        // What does not compile there is the user's own business: the tests in use do without it.
        let _ = builder.run_cargo(&builder.cargo_check(&manifest, &packages))?;
    }
    Ok(())
}

/// Mutants for one call: any number of copies of a function, or one mutant in the place of an item, so that errors tell
/// them apart.
fn batch(
    builder: &Builder<'_>,
    open: Vec<usize>,
    barred: &HashSet<Item>,
    compiled_later: &dyn Fn(usize) -> bool,
) -> Vec<Asked> {
    let mut copied = 0;
    let (mut copies, mut in_place) = (Vec::new(), Vec::new());
    for index in open {
        let mutant = &builder.mutants[index];
        let source = builder.scope.files[mutant.file].source.as_ref();
        let function = source.and_then(|source| Function::around(source, &mutant.proposal.span));
        match function.filter(|function| !barred.contains(&(mutant.file, function.item.clone()))) {
            Some(function) if copied < MOST_COPIED => {
                copied += function.item.len();
                copies.push(Asked::Copied(index, function));
            }
            Some(_) => {}
            None => in_place.push(Asked::InPlace(index)),
        }
    }
    let mut taken: Vec<(Item, bool)> = Vec::new();
    let mut batch = Vec::new();
    // What has to be answered here goes before what only rides along.
    in_place.sort_by_key(|asked| compiled_later(asked.mutant()));
    for asked in copies.into_iter().chain(in_place) {
        let (file, bytes) = asked.item(builder);
        let copy = matches!(asked, Asked::Copied(..));
        let in_the_way = |((other, taken), copies): &(Item, bool)| {
            let overlaps = *other == file && taken.start < bytes.end && bytes.start < taken.end;
            overlaps && !(*copies && copy && *taken == bytes)
        };
        if !taken.iter().any(in_the_way) {
            taken.push(((file, bytes), copy));
            batch.push(asked);
        }
    }
    batch
}

#[derive(Default)]
struct Settled {
    verdicts: BTreeMap<usize, Validity>,
    /// Functions of which copies say nothing.
    barred: HashSet<Item>,
}

/// Asks about a batch until what is left of it compiles.
fn settle(builder: &Builder<'_>, batch: Vec<Asked>) -> Result<Settled> {
    let mut settled = Settled::default();
    let mut left = batch;
    while !left.is_empty() {
        let Some(errors) = compile(builder, &left)? else {
            settled.verdicts.extend(left.drain(..).map(|asked| (asked.mutant(), Validity::Unknown)));
            break;
        };
        if errors.is_empty() {
            settled.verdicts.extend(left.drain(..).map(|asked| (asked.mutant(), Validity::Valid)));
            break;
        }
        let before = left.len();
        let controls = errors.iter().filter_map(|(culprit, _)| match culprit {
            Some(Culprit::Control(item)) => Some(item.clone()),
            Some(Culprit::Mutant(_)) | None => None,
        });
        let controls: HashSet<Item> = controls.collect();
        left.retain(|asked| {
            let index = asked.mutant();
            if matches!(asked, Asked::Copied(..)) && controls.contains(&asked.item(builder)) {
                return false;
            }
            match errors.iter().find(|(culprit, _)| *culprit == Some(Culprit::Mutant(index))) {
                Some((_, said)) => {
                    settled.verdicts.insert(index, Validity::Invalid(said.clone()));
                    false
                }
                None => true,
            }
        });
        settled.barred.extend(controls);
        if left.len() < before {
            continue;
        }
        // No error points into what was asked about: copies prove nothing here, and each is asked about alone.
        if let [Asked::InPlace(only)] = left[..] {
            let said = errors.into_iter().next().map(|(_, said)| said).unwrap_or_default();
            settled.verdicts.insert(only, Validity::Invalid(said));
            break;
        }
        for asked in left.drain(..) {
            match asked {
                Asked::InPlace(_) => settled.verdicts.extend(settle(builder, vec![asked])?.verdicts),
                Asked::Copied(..) => {
                    settled.barred.insert(asked.item(builder));
                }
            }
        }
    }
    Ok(settled)
}

/// In whose text an error lies.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Culprit {
    Mutant(usize),
    /// The unchanged copy of a function.
    Control(Item),
}

/// In whose text an error lies, if that is known, and the error.
type Complaint = (Option<Culprit>, String);

/// Compiles all units that hold the batch's files. Errors come with the mutant in whose text they lie; `None` when no
/// unit was ever compiled by the wrapper, so that nobody knows how.
fn compile(builder: &Builder<'_>, batch: &[Asked]) -> Result<Option<Vec<Complaint>>> {
    let (texts, parts) = mutated_texts(builder, batch);
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
        let Some(command) = command_like(builder, root) else { continue };
        let Ok(path) = root.strip_prefix(builder.tree) else { continue };
        compiled += 1;
        for error in ask(builder, &command, &shadow.path_of(path.as_str()), &dir)? {
            let culprit = error.places.iter().find_map(|place| owner(builder, place, &shadow, &parts));
            let said = match &error.code {
                Some(code) => format!("{} [{code}]", error.message),
                None => error.message.clone(),
            };
            errors.push((culprit, said));
        }
    }
    Ok((compiled > 0).then_some(errors))
}

/// A part of a text that was asked about: file, bytes, whose.
type Part = (String, Range<usize>, Culprit);

/// One place where a file's text changes.
struct Edit {
    /// Bytes that go.
    span: Range<usize>,
    /// Text that comes.
    text: String,
    /// Bytes of the item that is mutated in place; nothing for a copy.
    item: Option<Range<usize>>,
    culprit: Culprit,
}

fn edits(builder: &Builder<'_>, batch: &[Asked]) -> BTreeMap<usize, Vec<Edit>> {
    let mut by_file: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    let mut controlled = HashSet::new();
    for asked in batch {
        let index = asked.mutant();
        let mutant = &builder.mutants[index];
        let edits = by_file.entry(mutant.file).or_default();
        let (span, replacement) = (&mutant.proposal.span, &mutant.proposal.replacement);
        let culprit = Culprit::Mutant(index);
        match asked {
            Asked::InPlace(_) => {
                let (span, text) = (span.clone(), replacement.clone());
                edits.push(Edit { span, text, item: Some(mutant.item.clone()), culprit });
            }
            Asked::Copied(_, function) => {
                let (_, text) = builder.file_of(mutant);
                let end = function.item.end;
                let mut copy = |name: &str, change, culprit| {
                    let text = function.copy(text, name, change);
                    edits.push(Edit { span: end..end, text, item: None, culprit });
                };
                let item = asked.item(builder);
                if controlled.insert(item.clone()) {
                    copy(&format!("hunkmut_control_{index}"), None, Culprit::Control(item));
                }
                copy(&format!("hunkmut_copy_{index}"), Some((span, replacement.as_str())), culprit);
            }
        }
    }
    by_file
}

fn mutated_texts(builder: &Builder<'_>, batch: &[Asked]) -> (Texts, Vec<Part>) {
    let mut texts = Texts::new();
    let mut parts = Vec::new();
    for (file, mut edits) in edits(builder, batch) {
        edits.sort_by_key(|edit| edit.span.start);
        let file = &builder.scope.files[file];
        let original = file.source.as_ref().map_or("", |source| source.text.as_str());
        let mut text = String::new();
        let mut at = 0;
        for edit in edits {
            text.push_str(&original[at..edit.span.start]);
            let shift = text.len() as isize - edit.span.start as isize;
            let from = text.len();
            text.push_str(&edit.text);
            at = edit.span.end;
            let grown = text.len() as isize - at as isize;
            let bytes = match edit.item {
                Some(item) => {
                    (item.start as isize + shift).max(0) as usize..(item.end as isize + grown).max(0) as usize
                }
                None => from..text.len(),
            };
            parts.push((file.path.clone(), bytes, edit.culprit));
        }
        text.push_str(&original[at..]);
        texts.insert(file.path.clone(), text);
    }
    (texts, parts)
}

fn owner(builder: &Builder<'_>, place: &Place, shadow: &Shadow, parts: &[Part]) -> Option<Culprit> {
    let file = builder.workspace.root.join(&place.file);
    let path = file.strip_prefix(shadow.dir()).or_else(|_| file.strip_prefix(builder.tree)).ok()?;
    let within = |(part, bytes, _): &&Part| {
        part == path.as_str() && bytes.start <= place.bytes.start && place.bytes.end <= bytes.end
    };
    parts.iter().find(within).map(|(_, _, culprit)| culprit.clone())
}
