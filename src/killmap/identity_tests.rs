//! Mutants that stay, move, and are new.

use super::*;
use crate::catalog::LocalMacros;
use crate::diff::{Hunk, Status};
use crate::plan::plan;
use crate::policy::Policy;
use crate::report::model::RangeKind;
use crate::scope::ScopedFile;
use crate::source::SourceFile;
use crate::source::regions::Regions;
use crate::workspace::Workspace;

/// A side of whole files: path, path at the base, text.
fn side(files: &[(&str, &str, &str)]) -> (Scope, Vec<Planned>) {
    let file = |(path, old, text): &(&str, &str, &str)| {
        let hunk = Hunk { old_start: 0, old_lines: 0, new_start: 1, new_lines: text.lines().count() as u32 };
        ScopedFile {
            path: (*path).into(),
            old_path: Some((*old).into()),
            changed: crate::diff::changed_lines(None, text, &[hunk]),
            hunks: vec![hunk],
            old: None,
            source: Some(SourceFile::parse(*path, *text).unwrap()),
            regions: Regions::default(),
            package: None,
            module: Vec::new(),
            kind: RangeKind::Production,
            barred: None,
            compile_time: false,
        }
    };
    let scope = Scope { files: files.iter().map(file).collect(), ..Scope::default() };
    let workspace = Workspace {
        root: "/".into(),
        target_dir: "/t".into(),
        build_dir: None,
        packages: Vec::new(),
        compile_time: BTreeSet::new(),
    };
    let mutants = plan(&scope, &Policy::default(), &workspace, &LocalMacros::default()).unwrap().mutants;
    (scope, mutants)
}

fn diff(path: &str, hunks: &[(u32, u32, u32, u32)]) -> FileDiff {
    let hunk = |(old_start, old_lines, new_start, new_lines): &(u32, u32, u32, u32)| Hunk {
        old_start: *old_start,
        old_lines: *old_lines,
        new_start: *new_start,
        new_lines: *new_lines,
    };
    FileDiff {
        old_path: Some(path.into()),
        new_path: Some(path.into()),
        status: Status::Modified,
        binary: false,
        submodule: false,
        symlink: false,
        old_blob: None,
        hunks: hunks.iter().map(hunk).collect(),
    }
}

type Files<'a> = &'a [(&'a str, &'a str, &'a str)];

/// The base's IDs that the head still has, of how many mutants of the head, and how many of these are new.
fn kept(base: Files<'_>, head: Files<'_>, diff: &[FileDiff]) -> (usize, usize, usize) {
    let (base, head) = (side(base), side(head));
    let ids = align(Side { scope: &base.0, mutants: &base.1 }, Side { scope: &head.0, mutants: &head.1 }, diff);
    let known: BTreeSet<&String> = base.1.iter().map(|mutant| &mutant.id).collect();
    let all: BTreeSet<&String> = ids.iter().map(|(id, _)| id).collect();
    assert_eq!(all.len(), ids.len(), "no ID is given twice");
    assert!(ids.iter().all(|(id, unchanged)| known.contains(id) == *unchanged));
    let same = ids.iter().filter(|(_, unchanged)| *unchanged).count();
    (same, ids.len(), ids.len() - same)
}

const ONE: &str = "pub fn f(a: u8) -> bool {\n    a > 1\n}\n";

#[test]
fn code_below_new_code_and_in_a_renamed_file_keeps_its_ids() {
    let (_, all, _) = kept(&[("src/a.rs", "src/a.rs", ONE)], &[("src/a.rs", "src/a.rs", ONE)], &[]);
    let grown = format!("pub fn g() {{}}\n\n{ONE}");
    let hunks = diff("src/a.rs", &[(0, 0, 1, 2)]);
    let (same, _, _) = kept(&[("src/a.rs", "src/a.rs", ONE)], &[("src/a.rs", "src/a.rs", &grown)], &[hunks]);
    assert_eq!(same, all);
    assert_eq!(kept(&[("src/a.rs", "src/a.rs", ONE)], &[("src/b.rs", "src/a.rs", ONE)], &[]), (all, all, 0));
}

#[test]
fn a_function_that_moved_to_another_file_keeps_its_ids() {
    let base = [("src/a.rs", "src/a.rs", ONE), ("src/b.rs", "src/b.rs", "")];
    let moved = ONE.replace("pub fn", "/// Moved.\npub(crate) fn");
    let head = [("src/a.rs", "src/a.rs", ""), ("src/b.rs", "src/b.rs", &*moved)];
    let (same, all, _) = kept(&base, &head, &[diff("src/a.rs", &[(1, 3, 0, 0)]), diff("src/b.rs", &[(0, 0, 1, 4)])]);
    assert!(same == all && all > 0);
}

#[test]
fn changed_lines_are_new_and_their_neighbours_are_not() {
    let base = "pub fn f(a: u8) -> bool {\n    g(a > 1);\n    h(a > 2)\n}\n";
    let head = "pub fn f(a: u8) -> bool {\n    g(a > 1);\n    h(a > 2 && a < 9)\n}\n";
    let (same, _, new) = kept(
        &[("src/a.rs", "src/a.rs", base)],
        &[("src/a.rs", "src/a.rs", head)],
        &[diff("src/a.rs", &[(3, 1, 3, 1)])],
    );
    assert!(same > 0 && new > 0);
    let (base, head) = (side(&[("src/a.rs", "src/a.rs", base)]), side(&[("src/a.rs", "src/a.rs", head)]));
    let hunks = [diff("src/a.rs", &[(3, 1, 3, 1)])];
    let ids = align(Side { scope: &base.0, mutants: &base.1 }, Side { scope: &head.0, mutants: &head.1 }, &hunks);
    let source = head.0.files[0].source.as_ref().unwrap();
    for (mutant, (_, unchanged)) in head.1.iter().zip(&ids) {
        assert_eq!(*unchanged, source.lines.line_of(mutant.proposal.span.start) != 3);
    }
}

#[test]
fn an_equal_site_put_in_front_does_not_take_over_the_ids() {
    let base = "pub fn f() {\n    g(1);\n}\n";
    let head = "pub fn f() {\n    g(1);\n    g(1);\n}\n";
    let hunks = [diff("src/a.rs", &[(1, 0, 2, 1)])];
    let (base, head) = (side(&[("src/a.rs", "src/a.rs", base)]), side(&[("src/a.rs", "src/a.rs", head)]));
    let ids = align(Side { scope: &base.0, mutants: &base.1 }, Side { scope: &head.0, mutants: &head.1 }, &hunks);
    let source = head.0.files[0].source.as_ref().unwrap();
    for (mutant, (id, _)) in head.1.iter().zip(&ids) {
        let second = source.lines.line_of(mutant.proposal.span.start) == 3;
        assert_eq!(base.1.iter().any(|old| old.id == *id), second);
    }
}
