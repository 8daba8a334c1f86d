//! Every changed line of the head side, classed production, test, generated or other.
//!
//! Path rules of the policy come first, then what reaches the file (a test target, a build script, nothing), then its
//! syntax: Rust puts tests beside production code, and a path filter alone would mutate the oracle.

mod generated;

use crate::diff::{ChangedLines, FileDiff, Hunk, LineChange, changed_lines};
use crate::policy::{PathRule, Policy};
use crate::report::model::{Range, RangeKind};
use crate::source::SourceFile;
use crate::source::regions::Regions;
use crate::workspace::modules::{FileRole, ModuleMap};
use crate::workspace::{TargetKind, Workspace};
use camino::Utf8Path;
use generated::Attributes;
use std::collections::BTreeSet;

/// A changed file with both texts, as the head has it.
#[derive(Debug, Clone)]
pub struct Input {
    /// What git says of it.
    pub diff: FileDiff,
    /// The base's text; `None` when it has none or it is not UTF-8.
    pub old: Option<String>,
    /// The head's text; `None` when it has none or it is not UTF-8.
    pub new: Option<String>,
}

/// A changed file of the head side with its lines classed.
#[derive(Debug)]
pub struct ScopedFile {
    /// Path in the repository.
    pub path: String,
    /// Its path at the base, when it has one.
    pub old_path: Option<String>,
    /// The base's text, when it has one.
    pub old: Option<String>,
    /// git's hunks.
    pub hunks: Vec<Hunk>,
    /// What happened to each line of the hunks.
    pub changed: ChangedLines,
    /// The parsed file, where it is production code that can be mutated.
    pub source: Option<SourceFile>,
    /// Its test code and its switched-off code.
    pub regions: Regions,
    /// The package that it belongs to, as an index into the workspace's.
    pub package: Option<usize>,
    /// The path of its module, without the crate's name.
    pub module: Vec<String>,
    /// What all of its lines are, where syntax has no say; else production code with regions.
    pub kind: RangeKind,
    /// Why none of its production lines can be mutated.
    pub barred: Option<&'static str>,
    /// It runs while others are compiled, where no switch reaches it.
    pub compile_time: bool,
}

impl ScopedFile {
    /// What a line is.
    pub fn kind_of(&self, line: u32) -> RangeKind {
        match self.kind {
            RangeKind::Production if self.regions.is_test_line(line) => RangeKind::Test,
            kind => kind,
        }
    }

    /// The changed lines in runs of one kind, hunk by hunk.
    pub fn ranges(&self, workspace: &Workspace) -> Vec<Range> {
        let package = self.package.map(|index| workspace.packages[index].name.clone());
        let mut ranges: Vec<Range> = Vec::new();
        for hunk in &self.hunks {
            let mut open: Option<Range> = None;
            for line in hunk.new_range() {
                let kind = self.kind_of(line);
                match &mut open {
                    Some(range) if range.kind == kind => range.end = line,
                    _ => ranges.extend(open.replace(Range {
                        file: self.path.clone(),
                        start: line,
                        end: line,
                        kind,
                        package: package.clone(),
                    })),
                }
            }
            ranges.extend(open);
        }
        ranges
    }

    /// Whether any production line of it really changed.
    pub fn changes_production(&self) -> bool {
        self.changed.changed().any(|line| self.kind_of(line) == RangeKind::Production)
    }
}

/// The classed diff.
#[derive(Debug, Default)]
pub struct Scope {
    /// Changed files of the head side, by path.
    pub files: Vec<ScopedFile>,
    /// Whether production lines were deleted and none was added or changed.
    pub deletions_only: bool,
    /// Whether test code changed, deletions included.
    pub test_side_changed: bool,
    /// Whether the patch adds to a `.gitattributes`.
    pub attributes_changed: bool,
    /// What a reader should know besides.
    pub notes: Vec<String>,
}

impl Scope {
    /// The report's ranges.
    pub fn ranges(&self, workspace: &Workspace) -> Vec<Range> {
        self.files.iter().flat_map(|file| file.ranges(workspace)).collect()
    }
}

/// What classing needs to know besides the files.
pub struct Surroundings<'a> {
    /// The policy of the merge base.
    pub policy: &'a Policy,
    /// The cargo workspace of the head.
    pub workspace: &'a Workspace,
    /// Its module trees.
    pub modules: &'a ModuleMap,
    /// The root of the tree in which the head's files lie.
    pub tree: &'a Utf8Path,
    /// The base's `.gitattributes` files: path in the repository and text.
    pub attributes: &'a [(String, String)],
    /// The packages that `-p` and its like choose.
    pub chosen: &'a BTreeSet<usize>,
}

/// Classes the files of a diff.
pub fn classify(inputs: &[Input], around: &Surroundings<'_>) -> Scope {
    let attributes = Attributes::parse(around.attributes);
    let mut scope = Scope::default();
    let mut production_lost = false;
    let mut production_gained = false;
    for input in inputs {
        let path = input.diff.path();
        if path.rsplit('/').next() == Some(".gitattributes") && input.diff.hunks.iter().any(|h| h.new_lines > 0) {
            scope.attributes_changed = true;
        }
        if input.diff.submodule || input.diff.binary || input.diff.symlink {
            continue;
        }
        let loses = input.diff.hunks.iter().any(|hunk| hunk.old_lines > 0);
        if input.diff.new_path.is_none() {
            match deleted_kind(path, input, around) {
                RangeKind::Test => scope.test_side_changed = true,
                RangeKind::Production => production_lost = true,
                RangeKind::Generated | RangeKind::Other => {}
            }
            continue;
        }
        let file = scoped(input, around, &attributes, &mut scope.notes);
        production_gained |= file.changes_production();
        let tests = file.hunks.iter().any(|hunk| {
            file.kind == RangeKind::Test && loses
                || hunk.new_range().any(|line| file.kind_of(line) == RangeKind::Test && file.changed.is_changed(line))
                || hunk.is_pure_deletion() && file.kind_of(hunk.new_start) == RangeKind::Test
        });
        scope.test_side_changed |= tests;
        production_lost |= file.kind == RangeKind::Production
            && file.hunks.iter().any(|hunk| hunk.is_pure_deletion() && file.kind_of(hunk.new_start) != RangeKind::Test);
        scope.files.push(file);
    }
    scope.deletions_only = production_lost && !production_gained;
    scope.files.sort_by(|a, b| a.path.cmp(&b.path));
    scope
}

/// What a file was that the head does not have any more.
fn deleted_kind(path: &str, input: &Input, around: &Surroundings<'_>) -> RangeKind {
    if !path.ends_with(".rs") {
        return RangeKind::Other;
    }
    let code = input.old.as_deref().is_some_and(|old| {
        changed_lines(
            None,
            old,
            &[Hunk { old_start: 0, old_lines: 0, new_start: 1, new_lines: old.lines().count() as u32 }],
        )
        .changed()
        .next()
        .is_some()
    });
    match around.policy.kind_by_path(path) {
        Some(PathRule::Test) => RangeKind::Test,
        Some(PathRule::Generated) => RangeKind::Generated,
        Some(PathRule::Excluded) => RangeKind::Other,
        None if code => RangeKind::Production,
        None => RangeKind::Other,
    }
}

fn scoped(input: &Input, around: &Surroundings<'_>, attributes: &Attributes, notes: &mut Vec<String>) -> ScopedFile {
    let path = input.diff.path().to_owned();
    let rust = path.ends_with(".rs") || !around.modules.uses(&path).is_empty();
    let new = input.new.as_deref().unwrap_or_default();
    let package = around.workspace.package_of(&around.tree.join(&path));
    let mut file = ScopedFile {
        old_path: input.diff.old_path.clone(),
        old: input.old.clone(),
        hunks: input.diff.hunks.clone(),
        changed: ChangedLines::default(),
        source: None,
        regions: Regions::default(),
        package,
        module: Vec::new(),
        kind: RangeKind::Other,
        barred: None,
        compile_time: false,
        path,
    };
    if !rust {
        return file;
    }
    let by_path = around.policy.kind_by_path(&file.path);
    if by_path == Some(PathRule::Generated) || attributes.generated(&file.path) || generated::says_so(new) {
        file.kind = RangeKind::Generated;
        return file;
    }
    if by_path == Some(PathRule::Excluded) {
        notes.push(format!("`{}` is excluded by the policy", file.path));
        return file;
    }
    file.changed = match &input.new {
        Some(new) => changed_lines(input.old.as_deref(), new, &file.hunks),
        None => ChangedLines::every(&file.hunks),
    };
    let role = around.modules.role(&file.path);
    if by_path == Some(PathRule::Test) || role == FileRole::Test {
        file.kind = RangeKind::Test;
        return file;
    }
    file.kind = RangeKind::Production;
    if input.new.is_none() {
        notes.push(format!("`{}` is not UTF-8: its lines cannot be judged", file.path));
        file.barred = Some("unparsable");
        return file;
    }
    file.barred = match role {
        FileRole::BuildScript => Some("build-script"),
        FileRole::Off => Some("cfg-off"),
        FileRole::Unreached if outside_workspace(&file.path, around) => Some("outside-workspace"),
        FileRole::Unreached => Some("unreached"),
        FileRole::Production | FileRole::Test if around.modules.is_linked(&file.path) => Some("symbolic-link"),
        FileRole::Production | FileRole::Test => None,
    };
    if file.barred.is_none() && package.is_some_and(|package| !around.chosen.contains(&package)) {
        file.barred = Some("not-selected");
    }
    match SourceFile::parse(&file.path, new) {
        Ok(source) => {
            if let Some(of) = around.modules.main_use(&file.path) {
                file.regions = Regions::of(&source, around.modules.config(of.package), &of.cfgs);
                notes.extend(missing_features(&file, of.package, around.workspace));
                file.module = of.module.clone();
                file.package = Some(of.package);
                file.compile_time = around.modules.uses(&file.path).iter().any(|of| {
                    let kind = around.modules.kind(of);
                    kind == TargetKind::ProcMacro
                        || kind == TargetKind::Lib && around.workspace.compile_time.contains(&of.package)
                });
            }
            file.source = Some(source);
        }
        Err(why) => {
            notes.push(format!("{why}; its lines cannot be judged"));
            file.barred = Some("unparsable");
        }
    }
    file
}

/// How to have changed code compiled that waits for features.
fn missing_features(file: &ScopedFile, package: usize, workspace: &Workspace) -> Option<String> {
    let waiting = |line: &u32| file.regions.missing_features(*line).is_some_and(|features| !features.is_empty());
    let lines: Vec<u32> = file.changed.changed().filter(waiting).collect();
    let features: BTreeSet<&String> =
        lines.iter().flat_map(|line| file.regions.missing_features(*line).unwrap_or_default()).collect();
    let option = workspace.features_option(package, features);
    let what = match lines.as_slice() {
        [] => return None,
        [line] => format!("line {line} is"),
        [first, ..] => format!("{} changed lines from line {first} on are", lines.len()),
    };
    Some(format!("`{}`: {what} not compiled without `{option}`", file.path))
}

/// Whether the nearest manifest above a file is none of the workspace's.
fn outside_workspace(path: &str, around: &Surroundings<'_>) -> bool {
    let mut dirs = Utf8Path::new(path).ancestors().skip(1).map(|dir| around.tree.join(dir));
    let owner = dirs.find(|dir| dir.join("Cargo.toml").is_file());
    !around.workspace.packages.iter().any(|package| owner.as_deref() == Some(&package.dir))
}

/// Whether a line carries tokens at all, for the reasons of unmutated lines.
pub fn inert_reason(change: LineChange) -> Option<&'static str> {
    match change {
        LineChange::Changed => None,
        LineChange::SameTokens => Some("same-tokens"),
        LineChange::Comment => Some("comment"),
        LineChange::Blank => Some("blank"),
    }
}
