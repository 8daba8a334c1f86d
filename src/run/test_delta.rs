//! The test delta of a session: from the static candidates over the built test lists to exact IDs.

use super::session::Session;
use super::tools;
use crate::archive::BaseList;
use crate::build::Builder;
use crate::delta::{Candidates, ChangedFile, Delta, Inputs, ListedTest, NeedsBaseList, candidates};
use crate::diff::LineChange;
use crate::error::Result;
use crate::policy::PathRule;
use crate::runner::{self, Built, Listing};
use crate::test_id::TestId;
use crate::workspace::{CargoOptions, Workspace, canonical};
use camino::Utf8Path;
use std::collections::BTreeSet;

/// The targets that can hold tests of the delta.
pub fn find(session: &Session) -> Candidates {
    let files: Vec<ChangedFile> = session
        .inputs
        .iter()
        .map(|input| {
            let scoped = session.scope.files.iter().find(|file| Some(&file.path) == input.diff.new_path.as_ref());
            let changed_new_lines = match scoped {
                // Comments count: documentation tests are made of them.
                Some(file) if file.changed.iter().next().is_some() => {
                    let told = |change| matches!(change, LineChange::Changed | LineChange::Comment);
                    file.changed.iter().filter(|(_, change)| told(*change)).map(|(line, _)| line).collect()
                }
                _ => input.diff.hunks.iter().flat_map(|hunk| hunk.new_range()).collect(),
            };
            ChangedFile {
                old_path: input.diff.old_path.clone(),
                new_path: input.diff.new_path.clone(),
                old: input.old.clone(),
                new: input.new.clone(),
                changed_new_lines,
            }
        })
        .collect();
    let manifest: Vec<TestId> = session.policy.tests.manifest.iter().map(|entry| entry.0.clone()).collect();
    let found = candidates(&Inputs {
        workspace: &session.workspace,
        modules: &session.modules,
        root: &session.comparison.tree,
        files: &files,
        read: &|path| std::fs::read_to_string(session.comparison.tree.join(path)).ok(),
        test_path: &|path| session.policy.kind_by_path(path) == Some(PathRule::Test),
        manifest: &manifest,
    });
    // Which packages there are was asked before; a choice that is none has ended the run.
    match session.options.select(&session.workspace) {
        Ok(chosen) => found.within(&chosen.into_iter().collect()),
        Err(_) => found,
    }
}

/// The exact delta, given what the built binaries list.
///
/// # Errors
/// When the base has to be asked for its list and cannot be laid out.
pub fn resolve(session: &Session, candidates: &Candidates, builder: &Builder<'_>, listing: &Listing) -> Result<Delta> {
    resolve_by(session, candidates, listing, |needs| base_list(session, builder, needs, listing))
}

/// As [`resolve`], where `ask` says what the base lists, with a note for the reader.
///
/// # Errors
/// Those of `ask`.
pub fn resolve_by(
    session: &Session,
    candidates: &Candidates,
    listing: &Listing,
    ask: impl FnOnce(&NeedsBaseList) -> Result<BaseList>,
) -> Result<Delta> {
    let head: Vec<ListedTest> = listed(session, listing);
    let ignored = session.policy.tests.ignored;
    let mut delta = match candidates.resolve(&head, None, ignored) {
        Ok(delta) => delta,
        Err(needs) => {
            let BaseList { tests: base, note } = ask(&needs)?;
            let mut delta = candidates.resolve(&head, Some(&base), ignored).unwrap_or_default();
            delta.notes.extend(note);
            delta
        }
    };
    leave_out_frozen(session, &mut delta);
    Ok(delta)
}

/// A frozen test neither kills nor blocks.
fn leave_out_frozen(session: &Session, delta: &mut Delta) {
    let is_frozen = |name: &TestId| session.frozen.contains(&name.to_string());
    let names: Vec<String> =
        delta.tests.iter().filter(|entry| is_frozen(&entry.test.id)).map(|entry| entry.test.id.to_string()).collect();
    delta.tests.retain(|entry| !is_frozen(&entry.test.id));
    delta.notes.extend(names.iter().map(|name| format!("`{name}` is frozen as flaky and not counted")));
}

/// The list with source positions as paths in the repository.
fn listed(session: &Session, listing: &Listing) -> Vec<ListedTest> {
    let tree = &session.comparison.tree;
    let workspace = &session.workspace;
    // What a build script wrote lies in the repository only because the target directory does.
    let made = |path: &Utf8Path| {
        let dirs = [Some(&workspace.target_dir), workspace.build_dir.as_ref()];
        // A worktree lies in the target directory itself; then only what is outside of it can be made.
        !path.starts_with(tree) || dirs.into_iter().flatten().any(|dir| dir.starts_with(tree) && path.starts_with(dir))
    };
    listing
        .tests()
        .map(|test| ListedTest {
            id: test.id.clone(),
            ignored: test.ignored,
            source: test.source.as_ref().and_then(|source| {
                let path = canonical(&workspace.root.join(&source.file));
                if made(&path) {
                    return None;
                }
                Some((path.strip_prefix(tree).ok()?.as_str().replace('\\', "/"), source.line))
            }),
        })
        .collect()
}

/// What the base lists in some targets of the head; with a note when it could not be asked.
///
/// # Errors
/// When the base cannot be laid out.
pub fn base_list(
    session: &Session,
    builder: &Builder<'_>,
    needs: &NeedsBaseList,
    listing: &Listing,
) -> Result<BaseList> {
    let base = &session.comparison.merge_base;
    let dir = session.hunkmut_dir.join("worktrees").join(format!("base-{}", base.short()));
    let worktree = session.repo.worktree(base, &dir)?;
    let listed = list_base(session, builder, needs, worktree.dir());
    worktree.close()?;
    match listed {
        Ok(tests) => Ok(BaseList { tests, note: None }),
        Err(why) => {
            // Every test of the head counts as known then, so that nothing is credited that may be old.
            let all = listing.tests().map(|test| test.id.clone());
            let note = format!(
                "the base could not be asked for its tests, so tests that positions cannot tell apart are left out: {why}"
            );
            Ok(BaseList { tests: all.collect(), note: Some(note) })
        }
    }
}

fn list_base(session: &Session, builder: &Builder<'_>, needs: &NeedsBaseList, tree: &Utf8Path) -> Result<Vec<TestId>> {
    let dir = tree.join(&session.workspace_path);
    let options = CargoOptions { dir: Some(dir), manifest_path: None, ..session.options.clone() };
    let workspace = Workspace::load(&options)?;
    let mut targets = BTreeSet::new();
    for (package, target) in &needs.targets {
        let package = &session.workspace.packages[*package];
        let target = &package.targets[*target];
        let there = workspace.packages.iter().position(|other| other.name == package.name);
        let Some(index) = there else { continue };
        let same = |other: &crate::workspace::Target| other.kind == target.kind && other.name == target.name;
        if let Some(at) = workspace.packages[index].targets.iter().position(same) {
            targets.insert((index, at));
        }
    }
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let base = Builder { tree, workspace: &workspace, options: &options, targets: &targets, ..*builder };
    let messages = base.build_plain()?;
    let scratch = session.hunkmut_dir.join("b");
    let file = scratch.join("metadata.json");
    let metadata = tools::metadata(session, &workspace.root, &file)?;
    let target_dir = session.hunkmut_dir.join("target");
    let build_dir = session.workspace.build_dir.clone().unwrap_or_else(|| target_dir.clone());
    let built = Built::from_messages(&messages, &metadata, &target_dir, &build_dir);
    let context = runner::Context::new(&workspace.root, metadata, file, session.options.target.as_deref(), scratch)?;
    let listing = runner::list(&context, &built, 2);
    Ok(listing.tests().map(|test| test.id.clone()).collect())
}
