//! `cargo hunkmut vet`: candidate tests, drafted by a person or a model, held against the survivors that are left.
//!
//! They are laid into a worktree of their own. Only additions of test code are accepted, so that what is judged is the
//! code as it is; a test is kept when it passes on the original and kills a survivor that no kept test kills already.

use super::judge::Wanted;
use super::progress::Progress;
use super::session::{Session, current_dir};
use super::{Conduct, Performance, clock::Clock, perform};
use crate::cli::args::{CargoArgs, MessageFormat, PatchArgs, VetArgs, no_compiler_messages};
use crate::error::{Context, Error, Result};
use crate::exit::Exit;
use crate::gate::{red, zero_survivors::Standing};
use crate::git::Repo;
use crate::process::Cmd;
use crate::report::model::{BaselineOutcome, RangeKind, Report};
use crate::report::text::{count, line, list};
use crate::report::{atomic, stdout};
use crate::source::SourceFile;
use crate::source::items::is_test;
use crate::stored::Stored;
use crate::test_id::TestId;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// One candidate, and whether it is worth having.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Candidate {
    #[serde(flatten)]
    id: TestId,
    keep: bool,
    kills: Vec<String>,
    why: String,
    #[serde(skip)]
    place: Option<(String, u32)>,
}

/// Judges candidates against the survivors of the last report, and leaves a patch of those worth having.
///
/// # Errors
/// When there is no report or no survivor, the candidates do not apply or touch more than tests, and whatever keeps a
/// verdict from being reached.
pub fn run(args: &VetArgs) -> Result<Exit> {
    if args.output.message_format == MessageFormat::CargoJson {
        return Err(no_compiler_messages());
    }
    let stored = Stored::read(args.from.as_deref(), &args.cargo)?;
    let doing = || format!("vet `{}`", args.candidates);
    let alive = stored.report.mutants.iter().filter(|mutant| is_unkilled(Standing::of(mutant)));
    let alive: BTreeSet<String> = alive.map(|mutant| mutant.id.clone()).collect();
    if alive.is_empty() {
        return Err(Error::new(doing(), "no mutant of the report is alive: there is nothing to kill"));
    }
    let Some(head) = stored.report.repo.head.as_deref() else {
        return Err(Error::new(doing(), "the report is of uncommitted changes")
            .hint("commit the patch, run `cargo hunkmut` again, and vet then"));
    };
    let candidates = current_dir()?.join(&args.candidates);
    let repo = Repo::discover(&stored.root)?;
    crate::git::mark_as_cache(&stored.hunkmut_dir)?;
    let worktree = repo.worktree(&repo.commit(head)?, &stored.hunkmut_dir.join("worktrees/vet"))?;
    lay(&candidates, worktree.dir())?;

    let cargo = cargo_in(worktree.dir(), &stored, &args.cargo);
    let only_candidates = PatchArgs { base: Some(head.to_owned()), ..PatchArgs::default() };
    let added = Session::open(&only_candidates, &cargo)?;
    only_tests(&added, &doing)?;
    let added: Vec<String> = added.comparison.files.iter().map(|file| file.path().to_owned()).collect();
    let added: Vec<&str> = added.iter().map(String::as_str).collect();
    let whole = PatchArgs { base: Some(stored.report.repo.base.clone()), ..PatchArgs::default() };
    let session = Session::open(&whole, &cargo)?;
    let progress = Progress::new(args.output.quiet, args.output.color.into());
    let (report, red) = judged(&session, &alive, &progress)?;
    let found = weighed(&stored.report, &report, red, &alive);
    let kept = kept_patch(worktree.dir(), &added, &found)?;
    worktree.close()?;

    let path = stored.hunkmut_dir.join("vet/kept.patch");
    atomic::write(&path, kept.as_bytes())?;
    let text = match args.output.message_format {
        MessageFormat::Json => {
            let all = json!({ "schema": "hunkmut-vet/1", "tests": found, "patch": path });
            serde_json::to_string_pretty(&all).doing(|| "write the result as JSON".into())? + "\n"
        }
        MessageFormat::Human | MessageFormat::Short | MessageFormat::CargoJson => text(&found, &path),
    };
    stdout::print(&text, false)?;
    Ok(if found.iter().any(|candidate| candidate.keep) { Exit::Pass } else { Exit::Block })
}

fn cargo_in(tree: &Utf8Path, stored: &Stored, cargo: &CargoArgs) -> CargoArgs {
    let inside = stored.workspace.strip_prefix(&stored.root).unwrap_or(Utf8Path::new(""));
    CargoArgs { manifest_path: Some(tree.join(inside).join("Cargo.toml")), ..cargo.clone() }
}

/// A patch is applied; a folder is laid over the tree.
fn lay(candidates: &Utf8Path, tree: &Utf8Path) -> Result<()> {
    if candidates.is_file() {
        let apply = Cmd::new("git").args(["apply", "--whitespace=nowarn", candidates.as_str()]).cwd(tree);
        return apply.run().map(drop);
    }
    let mut folders = vec![Utf8PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let from = candidates.join(&folder);
        for entry in from.read_dir_utf8().doing(|| format!("read `{from}`"))? {
            let entry = entry.doing(|| format!("read `{from}`"))?;
            let inside = folder.join(entry.file_name());
            let to = tree.join(&inside);
            let copying = || format!("copy `{}` to `{to}`", entry.path());
            if entry.file_type().doing(copying)?.is_dir() {
                std::fs::create_dir_all(&to).doing(copying)?;
                folders.push(inside);
            } else {
                std::fs::copy(entry.path(), &to).doing(copying)?;
            }
        }
    }
    Ok(())
}

/// Candidates may add tests and do nothing else.
fn only_tests(candidates: &Session, doing: &dyn Fn() -> String) -> Result<()> {
    let refuse = |what: String| {
        Err(Error::new(doing(), what).hint("candidates may only add test code; production code is judged as it is"))
    };
    if candidates.comparison.files.is_empty() {
        return refuse("the candidates change nothing".to_owned());
    }
    for file in &candidates.comparison.files {
        let path = file.path();
        if file.new_path.is_none() || file.old_path.is_some() && file.old_path != file.new_path {
            return refuse(format!("`{path}` is deleted or renamed"));
        }
        if file.hunks.iter().any(|hunk| !hunk.old_range().is_empty()) {
            return refuse(format!("lines of `{path}` are changed or taken away"));
        }
    }
    let ranges = candidates.scope.ranges(&candidates.workspace);
    match ranges.iter().find(|range| range.kind != RangeKind::Test) {
        Some(range) => refuse(format!("`{}:{}` is no test code", range.file, range.start)),
        None => Ok(()),
    }
}

/// The survivors on all tests; candidates that are red without a mutant are named and left out.
fn judged(
    session: &Session,
    alive: &BTreeSet<String>,
    progress: &Progress,
) -> Result<(Report, BTreeMap<TestId, BaselineOutcome>)> {
    let mut reds = BTreeMap::new();
    loop {
        let wanted = Wanted {
            ratio: true,
            exhaustive: true,
            only: Some(alive.clone()),
            without: reds.keys().cloned().collect(),
            ..Wanted::of(session, None)
        };
        let clock = Clock::default();
        let Performance { report, .. } = perform(session, &wanted, &clock, progress, Conduct::default())?;
        let found: Vec<(TestId, BaselineOutcome)> =
            red(&report.tests.baseline).into_iter().map(|test| (test.id.clone(), test.outcome)).collect();
        let before = reds.len();
        reds.extend(found);
        if reds.len() == before {
            return Ok((report, reds));
        }
    }
}

/// Whether a mutant is there to be killed: a test that reaches what none has reached is worth having too.
fn is_unkilled(standing: Standing) -> bool {
    match standing {
        Standing::Alive | Standing::Uncovered | Standing::Unknown => true,
        Standing::Dead | Standing::Excused | Standing::Open | Standing::Doubtful | Standing::Invalid => false,
    }
}

/// Which candidates are worth having: those that kill most come first.
fn weighed(
    before: &Report,
    now: &Report,
    reds: BTreeMap<TestId, BaselineOutcome>,
    alive: &BTreeSet<String>,
) -> Vec<Candidate> {
    let old: BTreeSet<&TestId> = before.tests.delta.iter().map(|test| &test.id).collect();
    let mut kills: BTreeMap<&TestId, BTreeSet<&str>> = BTreeMap::new();
    for mutant in now.mutants.iter().filter(|mutant| alive.contains(&mutant.id)) {
        for killer in &mutant.killed_by {
            kills.entry(&killer.id).or_default().insert(&mutant.id);
        }
    }
    let mut tests: Vec<_> = now.tests.delta.iter().filter(|test| !old.contains(&test.id)).collect();
    tests.sort_by_key(|test| (std::cmp::Reverse(kills.get(&test.id).map_or(0, BTreeSet::len)), &test.id));
    let mut dead: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for test in tests {
        let kills = kills.get(&test.id).cloned().unwrap_or_default();
        let fresh = kills.iter().filter(|id| !dead.contains(*id)).count();
        let why = match (reds.get(&test.id), kills.len(), fresh) {
            (Some(outcome), _, _) => format!("not green on the original: {outcome}"),
            (None, 0, _) => "kills no survivor".to_owned(),
            (None, _, 0) => "kills only what a kept test kills".to_owned(),
            (None, _, n) => format!("kills {}", count(n, "survivor")),
        };
        let keep = fresh > 0 && !reds.contains_key(&test.id);
        if keep {
            dead.extend(kills.iter().copied());
        }
        let place = test.file.clone().zip(test.line);
        let kills = kills.into_iter().map(str::to_owned).collect();
        found.push(Candidate { id: test.id.clone(), keep, kills, why, place });
    }
    found
}

fn text(found: &[Candidate], path: &Utf8Path) -> String {
    let mut out = String::new();
    for candidate in found {
        let word = if candidate.keep { "keep" } else { "discard" };
        let kills = if candidate.keep { format!(": {}", list(&candidate.kills, 5)) } else { String::new() };
        out += &format!("{word} `{}`: {}{kills}\n", line(&candidate.id.to_string()), candidate.why);
    }
    let kept = found.iter().filter(|candidate| candidate.keep).count();
    out + &format!("{} of {} kept; their patch is {path}\n", kept, count(found.len(), "candidate"))
}

/// The candidates' additions without the functions that are discarded.
fn kept_patch(tree: &Utf8Path, added: &[&str], found: &[Candidate]) -> Result<String> {
    let mut gone: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut has_kept: BTreeSet<&str> = BTreeSet::new();
    for candidate in found {
        let Some((file, line)) = &candidate.place else { continue };
        match candidate.keep {
            true => drop(has_kept.insert(file)),
            false => drop(gone.entry(file).or_default().insert(*line)),
        }
    }
    let git = |args: &[&str]| Cmd::new("git").args(args).cwd(tree).run();
    for (file, lines) in gone {
        let path = tree.join(file);
        let text = atomic::read(&path)?;
        let is_new = git(&["ls-files", "--", file])?.stdout.is_empty();
        if is_new && !has_kept.contains(file) {
            std::fs::remove_file(&path).doing(|| format!("remove `{path}`"))?;
        } else if let Ok(source) = SourceFile::parse(file, text.clone()) {
            atomic::write(&path, without(&source, &lines).as_bytes())?;
        }
    }
    let left: Vec<&str> = added.iter().copied().filter(|path| tree.join(path).exists()).collect();
    if left.is_empty() {
        return Ok(String::new());
    }
    // Only this worktree's own index learns of the new files.
    git(&[&["add", "--intent-to-add", "--"], &left[..]].concat())?;
    Ok(git(&[&["diff", "--no-ext-diff", "--no-color", "--"], &left[..]].concat())?.text())
}

/// The text without the test functions that hold these lines.
fn without(source: &SourceFile, lines: &BTreeSet<u32>) -> String {
    struct Tests<'a> {
        source: &'a SourceFile,
        lines: &'a BTreeSet<u32>,
        gone: Vec<(u32, u32)>,
    }
    impl<'ast> Visit<'ast> for Tests<'_> {
        fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
            let (first, last) = self.source.line_range(function.span());
            if is_test(&function.attrs) && self.lines.iter().any(|line| (first..=last).contains(line)) {
                self.gone.push((first, last));
            }
            visit::visit_item_fn(self, function);
        }
    }
    let mut tests = Tests { source, lines, gone: Vec::new() };
    tests.visit_file(&source.ast);
    let dropped = |number: u32| tests.gone.iter().any(|(first, last)| (*first..=*last).contains(&number));
    source.text.split_inclusive('\n').zip(1..).filter(|(_, number)| !dropped(*number)).map(|(line, _)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discarded_test_goes_whole_and_leaves_the_others() {
        let text = "use a::*;\n\n/// One.\n#[test]\nfn one() {\n    f();\n}\n\n#[test]\nfn two() {}\n";
        let source = SourceFile::parse("tests/a.rs", text).unwrap();
        assert_eq!(without(&source, &BTreeSet::from([5])), "use a::*;\n\n\n#[test]\nfn two() {}\n");
        assert_eq!(without(&source, &BTreeSet::new()), text);
    }
}
