//! Is a survivor the same program? Where the optimiser turns the original and the mutant into the same machine code, no
//! test can tell them apart.
//!
//! The compiler is called directly, as cargo called it for the crate, but optimising, and with the overflow checks and
//! debug assertions of the tests' own build. A claim is made only when all code of the crate comes out the same *and* the
//! body around the mutant is known to be in it: a mark put there appears. Generic functions, constants and `const fn`s
//! are never claimed (`body`), nor code whose crate compiles in more than one form.
//!
//! Panics name lines and columns, so every line keeps its number: a line ends behind each replaced text, in the
//! original as in the mutants, and what follows stands at the same place in all of them.

use super::assembly::Assembly;
use super::body::Body;
use super::direct::{replayed, run};
use super::{Builder, Texts};
use crate::error::{Context, Result};
use crate::weave::Shadow;
use crate::wrapper::UnitCommand;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What has come of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Mutants that optimise to the code of the original.
    pub equivalent: BTreeSet<usize>,
    /// Whether the time was enough for all of them.
    pub finished: bool,
}

/// Compares some survivors, by index, with the original. `pristine` says of a package whether what
/// cargo has last built of its dependencies holds no mutant.
///
/// # Errors
/// When files cannot be written or the compiler cannot be started.
pub fn compare(builder: &Builder<'_>, survivors: &[usize], pristine: &dyn Fn(usize) -> bool) -> Result<Compared> {
    let mut units: BTreeMap<&Utf8Path, Vec<Site>> = BTreeMap::new();
    for index in survivors {
        let mutant = &builder.mutants[*index];
        let file = &builder.scope.files[mutant.file];
        let (Some(source), [of]) = (&file.source, builder.modules.uses(&file.path)) else { continue };
        if file.compile_time || of.included || !pristine(of.package) {
            continue;
        }
        let Some(body) = Body::around(source, &mutant.proposal.span) else { continue };
        let root = &builder.workspace.packages[of.package].targets[of.target].root;
        let (span, item) = (mutant.proposal.span.clone(), mutant.item.clone());
        let replacement = mutant.proposal.replacement.clone();
        units.entry(root).or_default().push(Site {
            index: *index,
            path: file.path.clone(),
            span,
            replacement,
            item,
            body,
        });
    }
    let mut compared = Compared { finished: true, ..Compared::default() };
    for (root, sites) in units {
        let Some(command) = command_of(builder, root) else { continue };
        let unit = Unit { builder, command, dir: builder.hunkmut_dir.join("equivalence"), sites };
        unit.compare(&mut compared)?;
    }
    Ok(compared)
}

/// How a crate was compiled with just the features that it has now.
fn command_of(builder: &Builder<'_>, root: &Utf8Path) -> Option<UnitCommand> {
    let (package, _) = builder
        .workspace
        .targets()
        .find(|(package, target)| builder.workspace.packages[*package].targets[*target].root == root)?;
    let features = &builder.workspace.packages[package].features;
    let commands = builder.commands();
    let recorded = [false, true].iter().filter_map(|test| UnitCommand::read(&commands, root, *test));
    recorded.into_iter().find(|command| {
        let named = command.args.iter().filter_map(|arg| arg.strip_prefix("feature=\"")?.strip_suffix('"'));
        named.collect::<BTreeSet<_>>() == features.iter().map(String::as_str).collect()
    })
}

/// A place that a survivor changes.
#[derive(Debug, Clone)]
struct Site {
    index: usize,
    path: String,
    span: Range<usize>,
    replacement: String,
    item: Range<usize>,
    body: Body,
}

impl Site {
    /// Whether two can be tried at once: in other items, so that their functions can be compared one by one.
    fn is_apart(&self, other: &Site) -> bool {
        let apart = |a: &Range<usize>, b: &Range<usize>| a.end <= b.start || b.end <= a.start;
        self.path != other.path || apart(&self.item, &other.item)
    }
}

/// One crate and the survivors in it.
struct Unit<'a> {
    builder: &'a Builder<'a>,
    command: UnitCommand,
    dir: Utf8PathBuf,
    sites: Vec<Site>,
}

impl Unit<'_> {
    fn compare(&self, compared: &mut Compared) -> Result<()> {
        let Some(original) = self.compile(&[])? else { return Ok(()) };
        let Some((marked, marks)) = self.marked()? else { return Ok(()) };
        // The functions in which each body can be seen. No function: nobody has compiled it.
        let seen: Vec<(Site, BTreeSet<&str>)> = self
            .sites
            .clone()
            .into_iter()
            .zip(&marks)
            .map(|(site, mark)| (site, marked.naming(mark)))
            .filter(|(_, symbols)| !symbols.is_empty())
            .collect();
        // All that leave a function as it was, tried together; then for sure, together or one by one.
        let mut candidates: Vec<Site> = Vec::new();
        for batch in batches(seen.iter().map(|(site, _)| site.clone()).collect()) {
            let Some(assembly) = self.compile(&batch)? else {
                compared.finished &= !self.has_ended();
                continue;
            };
            let is_like = |site: &&Site| {
                let symbols = seen.iter().find(|(other, _)| other.index == site.index).map(|(_, symbols)| symbols);
                symbols.is_some_and(|symbols| original.shares(&assembly, symbols))
            };
            candidates.extend(batch.iter().filter(is_like).cloned());
        }
        for batch in batches(candidates) {
            let all = self.compile(&batch)?;
            let indices = batch.iter().map(|site| site.index);
            if all.as_ref() == Some(&original) {
                compared.equivalent.extend(indices);
            } else if batch.len() > 1 {
                for site in &batch {
                    if self.compile(std::slice::from_ref(site))?.as_ref() == Some(&original) {
                        compared.equivalent.insert(site.index);
                    }
                }
            }
            compared.finished &= !self.has_ended();
        }
        Ok(())
    }

    /// The original with a mark in the body of every site, and the marks.
    fn marked(&self) -> Result<Option<(Assembly, Vec<String>)>> {
        let mut bodies: Vec<(&str, &Body)> = Vec::new();
        let mut marks = Vec::new();
        for site in &self.sites {
            let body = (site.path.as_str(), &site.body);
            let number = bodies.iter().position(|known| *known == body).unwrap_or_else(|| {
                bodies.push(body);
                bodies.len() - 1
            });
            marks.push(mark(number));
        }
        let mut texts = Texts::new();
        for path in self.paths() {
            let of_file = bodies.iter().enumerate().filter(|(_, (other, _))| *other == path);
            let statement = |number: usize| format!("::core::hint::black_box(\"{}\");", mark(number));
            let insertions = of_file.flat_map(|(number, (_, body))| body.insertions(&statement(number)));
            let mut insertions: Vec<(usize, String)> = insertions.collect();
            insertions.sort_by_key(|(at, _)| *at);
            texts.insert(path.clone(), lined(&self.text_of(&path), &self.ends(&path), &[], &insertions));
        }
        Ok(self.emit(texts)?.map(|assembly| (assembly, marks)))
    }

    /// The crate with the mutants of these sites, or as it is.
    fn compile(&self, mutants: &[Site]) -> Result<Option<Assembly>> {
        let mut texts = Texts::new();
        for path in self.paths() {
            let mut changes: Vec<(&Range<usize>, &str)> = mutants
                .iter()
                .filter(|site| site.path == path)
                .map(|site| (&site.span, site.replacement.as_str()))
                .collect();
            changes.sort_by_key(|(span, _)| span.start);
            texts.insert(path.clone(), lined(&self.text_of(&path), &self.ends(&path), &changes, &[]));
        }
        self.emit(texts)
    }

    /// `None` when it does not compile, or when the run has ended.
    fn emit(&self, mut texts: Texts) -> Result<Option<Assembly>> {
        if self.has_ended() {
            return Ok(None);
        }
        let shadow = Shadow::new(&self.dir, self.builder.tree);
        let Ok(root) = self.command.root.strip_prefix(self.builder.tree) else { return Ok(None) };
        if !texts.contains_key(root.as_str()) {
            let home = &self.command.root;
            texts.insert(root.to_string(), std::fs::read_to_string(home).doing(|| format!("read `{home}`"))?);
        }
        shadow.lay(&texts)?;
        let file = self.dir.join("crate.s");
        let _ = std::fs::remove_file(&file);
        let Some(cmd) = replayed(self.builder, &self.command, &shadow.path_of(root.as_str())) else { return Ok(None) };
        // What the compiler leaves behind when it is ended belongs there too.
        let cmd = cmd.args(optimising(&self.command.args)).args(["--out-dir", self.dir.as_str()]);
        let done = run(self.builder, &self.command, &cmd.arg(format!("--emit=asm={file}")))?;
        let text = done.status.success().then(|| std::fs::read_to_string(&file).ok()).flatten();
        Ok(text.map(|text| Assembly::new(&text)))
    }

    fn has_ended(&self) -> bool {
        self.builder.ending.reached()
    }

    fn paths(&self) -> BTreeSet<String> {
        self.sites.iter().map(|site| site.path.clone()).collect()
    }

    fn text_of(&self, path: &str) -> String {
        let file = self.builder.scope.files.iter().find(|file| file.path == path);
        file.and_then(|file| file.source.as_ref()).map(|source| source.text.clone()).unwrap_or_default()
    }

    fn ends(&self, path: &str) -> BTreeSet<usize> {
        self.sites.iter().filter(|site| site.path == path).map(|site| site.span.end).collect()
    }
}

fn mark(number: usize) -> String {
    format!("hunkmut body {number} ends")
}

/// Groups of sites in different items.
fn batches(sites: Vec<Site>) -> Vec<Vec<Site>> {
    let mut batches: Vec<Vec<Site>> = Vec::new();
    for site in sites {
        match batches.iter_mut().find(|batch| batch.iter().all(|other| other.is_apart(&site))) {
            Some(batch) => batch.push(site),
            None => batches.push(vec![site]),
        }
    }
    batches
}

/// Options for optimised code of every function, whether somebody uses it or not; the checks stay those of the tests.
fn optimising(args: &[String]) -> Vec<String> {
    let value = |name: &str| args.iter().rev().find_map(|arg| arg.trim_start_matches("-C").strip_prefix(name));
    let mut options = vec!["opt-level=3", "codegen-units=1", "debuginfo=0", "link-dead-code=yes"];
    if value("debug-assertions=").is_none() {
        let unoptimised = value("opt-level=").is_none_or(|level| level == "0");
        options.push(if unoptimised { "debug-assertions=yes" } else { "debug-assertions=no" });
    }
    options.into_iter().flat_map(|option| ["-C".to_owned(), option.to_owned()]).collect()
}

/// The text with a new line behind each of these places, with changes that leave the number of lines as it is, and with
/// insertions, which come in order. A change with too many lines is left as it is: it then differs by its lines.
fn lined(
    text: &str,
    ends: &BTreeSet<usize>,
    changes: &[(&Range<usize>, &str)],
    insertions: &[(usize, String)],
) -> String {
    let mut pieces: Vec<(usize, &str)> = insertions.iter().map(|(at, text)| (*at, text.as_str())).collect();
    pieces.extend(ends.iter().map(|end| (*end, "\n")));
    pieces.sort_by_key(|(at, _)| *at);
    let plain = |range: Range<usize>, first: bool| {
        let mut out = String::new();
        let mut at = range.start;
        // What stands at the beginning of a range belongs to the range before.
        for (place, piece) in pieces
            .iter()
            .filter(|(place, _)| (first || *place > range.start) && *place >= range.start && *place <= range.end)
        {
            out.push_str(&text[at..*place]);
            out.push_str(piece);
            at = *place;
        }
        out.push_str(&text[at..range.end]);
        out
    };
    let mut out = String::new();
    let (mut at, mut first) = (0, true);
    for (span, replacement) in changes {
        out.push_str(&plain(at..span.start, first));
        let lines = |text: &str| text.matches('\n').count();
        let original = lines(&plain(span.start..span.end, span.is_empty()));
        out.push_str(replacement);
        out.push_str(&"\n".repeat(original.saturating_sub(lines(replacement)).max(1)));
        (at, first) = (span.end, false);
    }
    out.push_str(&plain(at..text.len(), first));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_change_stays_at_its_place() {
        let text = "a >= b + c;\nd";
        let ends = BTreeSet::from([6, 10]);
        assert_eq!(lined(text, &ends, &[], &[]), "a >= b\n + c\n;\nd");
        assert_eq!(lined(text, &ends, &[(&(0..6), "a > b")], &[]), "a > b\n + c\n;\nd");
        assert_eq!(lined(text, &ends, &[(&(0..10), "x")], &[]), "x\n\n;\nd", "a place inside the change");
        assert_eq!(lined(text, &ends, &[(&(0..6), "x"), (&(9..10), "y")], &[]), "x\n + y\n;\nd");
        assert_eq!(lined(text, &ends, &[], &[(0, "{ ".into()), (10, " }".into())]), "{ a >= b\n + c }\n;\nd");
    }

    #[test]
    fn checks_stay_those_of_the_tests() {
        let of = |args: &[&str]| optimising(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        assert!(of(&["-C", "debuginfo=2"]).contains(&"debug-assertions=yes".to_owned()));
        assert!(of(&["-C", "opt-level=2"]).contains(&"debug-assertions=no".to_owned()));
        assert!(!of(&["-C", "debug-assertions=on"]).iter().any(|option| option.starts_with("debug-assertions")));
    }
}
