//! The woven build: weave, compile, roll back what the compiler refuses, and again, until it compiles.

use super::blame::{Blame, WovenFile, blame};
use super::cargo::{BuildFailure, Place};
use super::{Builder, Bystanders, Texts};
use crate::error::Result;
use crate::plan::Planned;
use crate::weave::{Thread, weave};
use crate::workspace::canonical;
use cargo_metadata::Message;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// After so many rounds all mutants of files that still do not compile are compiled alone.
const MOST_ROUNDS: usize = 12;

/// How a mutant came out of the woven build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It is behind its switch.
    Woven,
    /// It cannot be switched: to be compiled alone, unless it does not compile at all.
    Alone {
        /// What the compiler said of it, if it was asked.
        said: Option<String>,
    },
}

/// A woven build that compiled.
pub struct WovenBuild {
    /// One for each mutant.
    pub fates: Vec<Fate>,
    /// cargo's messages.
    pub messages: Vec<Message>,
    /// How often the compiler was asked.
    pub rounds: usize,
    /// The woven text of every file.
    pub texts: Texts,
    /// What was refused on the way.
    pub refused: Refusals,
}

/// What the compiler has refused so far, by switch: a switch's value stands for its mutant's ID and text.
pub type Refusals = BTreeMap<u64, Refusal>;

/// How far a mutant has been moved on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// So many encodings are refused.
    attempt: usize,
    /// What the compiler said, when it was the mutant's own fault.
    said: Option<String>,
}

/// Weaves all mutants and builds the test targets in use.
///
/// # Errors
/// When the unmutated tree does not compile either, with the compiler's words; or when files cannot be written.
pub fn weave_and_build(builder: &Builder<'_>, progress: &dyn Fn(usize)) -> Result<WovenBuild> {
    weave_from(builder, &Refusals::new(), progress)
}

/// As [`weave_and_build`], but what an earlier build of the same mutants was refused is not tried again. Where the code
/// around them has changed, more than need be may be compiled alone, and nothing else differs.
///
/// # Errors
/// As [`weave_and_build`].
pub fn weave_from(builder: &Builder<'_>, refused: &Refusals, progress: &dyn Fn(usize)) -> Result<WovenBuild> {
    let begin = |mutant: &Planned| match refused.get(&mutant.switch) {
        Some(refusal) => State { attempt: refusal.attempt, said: refusal.said.clone() },
        None => State::default(),
    };
    let mut state: Vec<State> = builder.mutants.iter().map(begin).collect();
    // What the compiler refused of the very same text in an earlier run need not be asked again either.
    let memory = memory(builder);
    if refused.is_empty()
        && let Some(known) = remembered(&memory).filter(|known| known.len() == state.len())
    {
        state = known;
    }
    for rounds in 1.. {
        progress(rounds);
        let (texts, files) = woven_texts(builder, &mut state);
        let manifest = builder.lay(texts.clone(), true)?;
        let failure = match builder.run_cargo(&builder.cargo(Some(&manifest)))? {
            Ok(messages) => {
                if needs_const_elsewhere(builder, &texts, &mut state)? {
                    continue;
                }
                // Without it the next run only takes longer.
                let _ = crate::weave::write_if_changed(&memory, &serde_json::to_vec(&state).unwrap_or_default());
                let refused = builder.mutants.iter().zip(&state).filter(|(_, state)| state.attempt > 0);
                let refusal = |state: &State| Refusal { attempt: state.attempt, said: state.said.clone() };
                let refused = refused.map(|(mutant, state)| (mutant.switch, refusal(state))).collect();
                let fates = builder.mutants.iter().zip(state).map(|(mutant, state)| state.fate(mutant)).collect();
                return Ok(WovenBuild { fates, messages, rounds, texts, refused });
            }
            Err(failure) => failure,
        };
        if files.is_empty() {
            return Err(failure.into_error("build the tests of the unmutated tree"));
        }
        if !roll_back(builder, &failure, &files, &mut state, rounds >= MOST_ROUNDS) {
            // The fault is not in the woven code: the plain build shows the user's own words for it.
            builder.build_plain()?;
            return Err(failure.into_error("build the woven tests (the unmutated tree compiles)"));
        }
    }
    unreachable!("the rounds end by returning")
}

#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct State {
    attempt: usize,
    said: Option<String>,
}

/// Where the outcome of all rounds is remembered, by everything that is woven at first.
fn memory(builder: &Builder<'_>) -> camino::Utf8PathBuf {
    let mut fresh: Vec<State> = builder.mutants.iter().map(|_| State::default()).collect();
    let (texts, _) = woven_texts(builder, &mut fresh);
    let encodings: Vec<_> = builder.mutants.iter().map(|mutant| (mutant.switch, &mutant.encodings)).collect();
    let what = (env!("CARGO_PKG_VERSION"), &builder.runtime.digest, builder.options, builder.targets, encodings, texts);
    builder.hunkmut_dir.join(format!("cache/rounds/{}.json", crate::text::sha256(format!("{what:?}"))))
}

fn remembered(file: &camino::Utf8Path) -> Option<Vec<State>> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

impl State {
    fn fate(self, mutant: &Planned) -> Fate {
        if self.attempt < mutant.encodings.len() { Fate::Woven } else { Fate::Alone { said: self.said } }
    }

    fn give_up(&mut self, mutant: &Planned) {
        self.attempt = mutant.encodings.len();
    }
}

/// The woven text of every file with mutants that can be switched.
fn woven_texts(builder: &Builder<'_>, state: &mut [State]) -> (Texts, Vec<WovenFile>) {
    let mut by_file: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, mutant) in builder.mutants.iter().enumerate() {
        if state[index].attempt < mutant.encodings.len() {
            by_file.entry(mutant.file).or_default().push(index);
        }
    }
    let mut texts = Texts::new();
    let mut files = Vec::new();
    for (file, indices) in by_file {
        let Some(source) = &builder.scope.files[file].source else { continue };
        let threads: Vec<Thread<'_>> = indices
            .iter()
            .map(|index| {
                let mutant = &builder.mutants[*index];
                let encoding = mutant.encodings[state[*index].attempt];
                Thread { index: *index, switch: mutant.switch, proposal: &mutant.proposal, encoding }
            })
            .collect();
        let woven = weave(&source.text, &threads);
        for index in &woven.unwoven {
            state[*index].give_up(&builder.mutants[*index]);
        }
        let items = indices
            .iter()
            .map(|index| {
                let item = &builder.mutants[*index].item;
                (*index, source.lines.line_of(item.start), source.lines.line_of(item.end.max(1) - 1))
            })
            .collect();
        let path = source.path.clone();
        files.push(WovenFile { path: path.clone(), regions: woven.regions, items });
        texts.insert(path, woven.text);
    }
    (texts, files)
}

/// Moves blamed mutants on to their next encoding. Returns whether anything moved.
fn roll_back(
    builder: &Builder<'_>,
    failure: &BuildFailure,
    files: &[WovenFile],
    state: &mut [State],
    last_resort: bool,
) -> bool {
    let path_of = |place: &Place| {
        let path = canonical(&builder.workspace.root.join(&place.file));
        path.strip_prefix(builder.tree).ok().map(|path| path.to_string())
    };
    let mut moved = BTreeSet::new();
    for error in &failure.errors {
        // `const` was left out of a function that a constant needs: it is put back, its mutants are compiled alone.
        if error.code.as_deref() == Some("E0015") {
            let woven =
                |index: usize| moved.contains(&index) || state[index].attempt < builder.mutants[index].encodings.len();
            let needed = needed_const(builder, error, &woven);
            for index in &needed {
                moved.insert(*index);
                state[*index].give_up(&builder.mutants[*index]);
            }
            if !needed.is_empty() {
                continue;
            }
        }
        match blame(error, files, &path_of) {
            Blame::Mutant(index) => {
                if moved.insert(index) {
                    state[index].give_up(&builder.mutants[index]);
                    state[index].said = Some(said(error));
                }
            }
            Blame::Encoding(indices) => {
                for index in indices {
                    if moved.insert(index) {
                        state[index].attempt += 1;
                    }
                }
            }
            Blame::Nobody => {}
        }
    }
    if last_resort {
        for file in files {
            for (index, _, _) in &file.items {
                moved.insert(*index);
                state[*index].give_up(&builder.mutants[*index]);
            }
        }
    }
    !moved.is_empty()
}

/// Whether code outside of the targets in use needs a `const` that was left out: its mutants are compiled alone.
fn needs_const_elsewhere(builder: &Builder<'_>, texts: &Texts, state: &mut [State]) -> Result<bool> {
    let is_woven = |index: &usize| state[*index].attempt < builder.mutants[*index].encodings.len();
    let woven: Vec<&Planned> =
        (0..builder.mutants.len()).filter(is_woven).map(|index| &builder.mutants[index]).collect();
    let Some(failure) = Bystanders::of(builder)?.refuse_woven(texts, &woven)? else { return Ok(false) };
    let needing = failure.errors.iter().filter(|error| error.code.as_deref() == Some("E0015"));
    let needed: BTreeSet<usize> =
        needing.flat_map(|error| needed_const(builder, error, &|index| is_woven(&index))).collect();
    needed.iter().for_each(|index| state[*index].give_up(&builder.mutants[*index]));
    Ok(!needed.is_empty())
}

/// The woven mutants of the functions that a constant calls, as far as the error names them; else of all `const fn`s.
fn needed_const(builder: &Builder<'_>, error: &super::Diagnostic, woven: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let of_const = |index: &usize| builder.mutants[*index].proposal.constness.is_some() && woven(*index);
    let all: Vec<usize> = (0..builder.mutants.len()).filter(of_const).collect();
    let named = |index: &usize| {
        let function = &builder.mutants[*index].function;
        let name = function.rsplit("::").next().unwrap_or(function);
        error.message.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
    };
    let some: Vec<usize> = all.iter().copied().filter(named).collect();
    if some.is_empty() { all } else { some }
}

fn said(error: &super::Diagnostic) -> String {
    match &error.code {
        Some(code) => format!("{} [{code}]", error.message),
        None => error.message.clone(),
    }
}
