//! The static step: which test targets can hold tests of the delta, from syntax alone.

use super::compare::{State, states};
use super::graph::{Node, Reached, reached};
use super::opaque::{self, Opaque};
use super::scopes::Scopes;
use super::units::{FileUnits, Unit, UnitKind};
use super::{ChangedFile, Inputs, doctests};
use crate::source::SourceFile;
use crate::source::regions::Regions;
use crate::test_id::TestId;
use crate::workspace::TargetKind;
use crate::workspace::cfg::Presence;
use crate::workspace::modules::{FileRole, relative};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The test targets that can hold tests of the delta, and what is needed to find these once the targets are built.
#[derive(Debug, Default)]
pub struct Candidates {
    pub(super) targets: BTreeMap<(usize, usize), TargetView>,
    pub(super) doctests: Vec<(String, u32)>,
    pub(super) manifest: Vec<TestId>,
    pub(super) notes: Vec<String>,
}

/// One candidate target.
#[derive(Debug, Default)]
pub(super) struct TargetView {
    /// nextest's ID of its binary.
    pub binary_id: String,
    /// Units of the changed files, and of all others where those are needed.
    pub nodes: Vec<Node>,
    /// How nodes reach touched helpers.
    pub reached: HashMap<usize, Reached>,
    /// Changes that may add tests unseen.
    pub opaque: Vec<Opaque>,
    /// Changed files that do not parse, with their changed lines.
    pub unparsed: BTreeMap<String, BTreeSet<u32>>,
    /// Why it is a candidate.
    pub why: BTreeSet<String>,
}

impl Candidates {
    /// Package and target index of each, in order. Empty when the diff touches no test code.
    pub fn targets(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.targets.keys().copied()
    }

    /// Whether the diff touches no test code.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Only those of some packages; says how many targets of others are left out.
    pub fn within(mut self, packages: &BTreeSet<usize>) -> Candidates {
        let all = self.targets.len();
        self.targets.retain(|(package, _), _| packages.contains(package));
        if let others @ 1.. = all - self.targets.len() {
            self.notes.push(format!(
                "{} with changed tests left out: of packages that were not chosen",
                crate::report::text::count(others, "test target")
            ));
        }
        self
    }

    /// Why a target is a candidate, one reason an entry.
    pub fn why(&self, package: usize, target: usize) -> impl Iterator<Item = &str> {
        self.targets.get(&(package, target)).into_iter().flat_map(|t| t.why.iter().map(String::as_str))
    }
}

/// Finds the candidates.
pub fn candidates(inputs: &Inputs<'_>) -> Candidates {
    let mut finder = Finder { inputs, parsed: HashMap::new() };
    let changed: Vec<Changed<'_>> = inputs.files.iter().filter_map(|file| finder.changed(file)).collect();
    let empty = FileUnits::default();
    let pairs: Vec<(&FileUnits, &FileUnits)> =
        changed.iter().map(|c| (c.old.as_ref().unwrap_or(&empty), c.new.as_deref().unwrap_or(&empty))).collect();
    let mut states = states(&pairs);
    for (file, states) in changed.iter().zip(&mut states) {
        file.by_lines(states);
    }
    let paths: BTreeSet<&str> = changed.iter().filter_map(|c| c.file.new_path.as_deref()).collect();

    let mut out = Candidates { manifest: inputs.manifest.to_vec(), ..Candidates::default() };
    for target in inputs.workspace.targets().filter(|t| is_tested(inputs, *t)) {
        let mut view = finder.view(target, &changed, &states);
        view.opaque.extend(opaque::outside_code(inputs, target.0, target.1));
        finder.complete(target, &mut view, &paths);
        if inputs.manifest.iter().any(|id| id.binary_id == view.binary_id) {
            view.why.insert("the policy's manifest names tests of it".to_owned());
        }
        if !view.why.is_empty() {
            out.targets.insert(target, view);
        }
    }
    out.notes.extend(changed.iter().zip(&states).filter_map(|(file, states)| finder.left_out(file, states)));
    for file in inputs.files {
        if let (Some(path), Some(text)) = (&file.new_path, &file.new)
            && path.ends_with(".rs")
        {
            out.doctests.extend(doctests::lines(text, &file.changed_new_lines).into_iter().map(|l| (path.clone(), l)));
        }
    }
    out
}

/// Whether `cargo test` runs tests of this target under the active features.
fn is_tested(inputs: &Inputs<'_>, (package, target): (usize, usize)) -> bool {
    let package = &inputs.workspace.packages[package];
    let target = &package.targets[target];
    target.test && target.kind != TargetKind::BuildScript && package.is_built(target)
}

/// A changed file of Rust code, read.
struct Changed<'a> {
    file: &'a ChangedFile,
    old: Option<FileUnits>,
    /// `None` for a deleted file and for one that does not parse.
    new: Option<Rc<FileUnits>>,
    /// Whether there is text in the head that does not parse.
    unparsed: bool,
}

impl Changed<'_> {
    /// Where the base's version does not parse, lines say what is touched: worse than tokens, better than all.
    fn by_lines(&self, states: &mut [State]) {
        let (Some(units), None, Some(_)) = (&self.new, &self.old, &self.file.old) else { return };
        for (unit, state) in units.units.iter().zip(states) {
            let changed = self.file.changed_new_lines.range(unit.lines.0..=unit.lines.1).next().is_some();
            *state = if changed { State::Modified { attributes: false } } else { State::Same };
        }
    }
}

struct Finder<'a> {
    inputs: &'a Inputs<'a>,
    /// Unchanged files by path; `None` when they are of no interest.
    parsed: HashMap<String, Option<Rc<FileUnits>>>,
}

impl Finder<'_> {
    fn changed<'f>(&self, file: &'f ChangedFile) -> Option<Changed<'f>> {
        let path = file.new_path.as_deref().or(file.old_path.as_deref())?;
        let is_code = path.ends_with(".rs") || !self.inputs.modules.uses(path).is_empty();
        if !is_code {
            return None;
        }
        // What the base's code was does not matter: a unit with the same tokens is the same unit.
        let old = file.old.as_deref().and_then(|text| SourceFile::parse(path, text).ok());
        let old = old.map(|source| FileUnits::of(&source, &|_| true));
        let new = file.new.as_deref().map(|text| self.units(path, text));
        let unparsed = matches!(new, Some(None));
        Some(Changed { file, old, new: new.flatten().map(Rc::new), unparsed })
    }

    /// Reads a file of the head; `None` when it does not parse.
    fn units(&self, path: &str, text: &str) -> Option<FileUnits> {
        let source = SourceFile::parse(path, text).ok()?;
        if self.is_test_file(path) {
            return Some(FileUnits::of(&source, &|_| true));
        }
        let modules = self.inputs.modules;
        let regions = match (modules.main_use(path), self.inputs.workspace.package_of(&self.inputs.root.join(path))) {
            (Some(main), _) => Regions::of(&source, modules.config(main.package), &main.cfgs),
            (None, Some(package)) => Regions::of(&source, modules.config(package), &[]),
            (None, None) => return None,
        };
        Some(FileUnits::of(&source, &|byte| regions.is_test(byte)))
    }

    /// Whether all of a file is test code.
    fn is_test_file(&self, path: &str) -> bool {
        (self.inputs.test_path)(path) || self.inputs.modules.role(path) == FileRole::Test
    }

    /// Touched tests of a file that are not compiled, and what would change that.
    fn left_out(&self, changed: &Changed<'_>, states: &[State]) -> Option<String> {
        let path = changed.file.new_path.as_deref()?;
        let modules = self.inputs.modules;
        let main = modules.main_use(path)?;
        let source = SourceFile::parse(path, changed.file.new.as_deref()?).ok()?;
        let regions = Regions::of(&source, modules.config(main.package), &main.cfgs);
        let required = modules.uses(path).iter().map(|of| {
            let package = &self.inputs.workspace.packages[of.package];
            package.missing_features(&package.targets[of.target])
        });
        let required = required.min_by_key(Vec::len)?;
        let off = modules.role(path) == FileRole::Off || !required.is_empty();
        let touched = changed.new.iter().flat_map(|units| &units.units).zip(states);
        let tests = touched.filter(|(unit, state)| unit.kind == UnitKind::Test && state.is_touched());
        // Where the file is compiled, its targets' lists tell what they lack; only features are worth a word here.
        let waits = |line: u32| regions.missing_features(line).is_some_and(|features| !features.is_empty());
        let tests: Vec<&Unit> = tests.map(|(unit, _)| unit).filter(|unit| off || waits(unit.lines.1)).collect();
        let first = tests.first()?;
        let mut features: BTreeSet<String> = required.into_iter().collect();
        features.extend(tests.iter().flat_map(|t| regions.missing_features(t.lines.1).unwrap_or_default()).cloned());
        let (more, are) = match tests.len() - 1 {
            0 => (String::new(), "is"),
            1 => (" and 1 more test".to_owned(), "are"),
            n => (format!(" and {n} more tests"), "are"),
        };
        let place = format!("`{}` ({path}:{}){more} {are}", first.title(), first.lines.0);
        Some(if features.is_empty() {
            format!("{place} not compiled: the file is switched off by a feature or the platform")
        } else {
            let option = self.inputs.workspace.features_option(main.package, &features);
            format!("{place} not compiled without `{option}`, and so not counted")
        })
    }

    /// The places of a file in a target: full paths of its module, `None` where nobody knows.
    fn places(&self, path: &str, target: (usize, usize), units: Option<&FileUnits>) -> Vec<Option<Vec<String>>> {
        let modules = self.inputs.modules;
        let uses = modules.uses(path);
        if uses.is_empty() {
            let has_tests = units.is_none_or(|units| units.units.iter().any(Unit::makes_tests));
            return if has_tests && self.may_reach(path, target) { vec![None] } else { Vec::new() };
        }
        let here = uses.iter().filter(|u| (u.package, u.target) == target && modules.presence_of(u) != Presence::Off);
        here.map(|u| Some(u.module.clone())).collect()
    }

    /// Whether a file outside of every module tree may belong to a target: a macro may have found it. Of the targets
    /// above it those that lie closest are meant (else all of the package), and of these those that name its directory,
    /// if any does.
    fn may_reach(&self, path: &str, target: (usize, usize)) -> bool {
        let ws = self.inputs.workspace;
        let Some(package) = ws.package_of(&self.inputs.root.join(path)) else { return false };
        if package != target.0 {
            return false;
        }
        let package_dir = relative(self.inputs.root, &ws.packages[package].dir);
        let dir = path.strip_prefix(&package_dir).unwrap_or(path).trim_start_matches('/');
        let dir = dir.rfind('/').map_or("", |end| &dir[..end]);
        let rank = |t: &crate::workspace::Target| {
            let root = relative(self.inputs.root, &t.root);
            let above = root.rfind('/').map_or("", |end| &root[..=end]);
            let depth = path.starts_with(above).then_some(above.len());
            let names = || (self.inputs.read)(&root).is_some_and(|text| text.contains(dir));
            (depth, depth.is_some() && !dir.is_empty() && names())
        };
        let all = ws.packages[package].targets.iter().enumerate();
        let tested = all.filter(|(index, _)| is_tested(self.inputs, (package, *index)));
        let ranks: Vec<(usize, (Option<usize>, bool))> = tested.map(|(index, t)| (index, rank(t))).collect();
        let best = ranks.iter().map(|(_, rank)| *rank).max();
        ranks.iter().any(|(index, rank)| *index == target.1 && Some(*rank) == best)
    }

    /// The target with the units of the changed files.
    fn view(&self, target: (usize, usize), changed: &[Changed<'_>], states: &[Vec<State>]) -> TargetView {
        let package = &self.inputs.workspace.packages[target.0];
        let binary_id = package.binary_id(&package.targets[target.1]);
        let mut view = TargetView { binary_id, ..TargetView::default() };
        let outside = |units: Option<&FileUnits>| -> BTreeSet<String> {
            let heads = units.into_iter().flat_map(|u| &u.modules).filter(|m| m.outside);
            heads.filter_map(|m| m.path.last().cloned()).collect()
        };
        let gone = changed.iter().flat_map(|c| &outside(c.old.as_ref()) - &outside(c.new.as_deref())).collect();
        for (file, states) in changed.iter().zip(states) {
            let Some(path) = file.file.new_path.as_deref() else { continue };
            for place in self.places(path, target, file.new.as_deref()) {
                if file.unparsed {
                    view.unparsed.insert(path.to_owned(), file.file.changed_new_lines.clone());
                    view.why.insert(format!("{path} does not parse"));
                }
                let Some(units) = &file.new else { continue };
                view.opaque
                    .extend(place.iter().flat_map(|at| opaque::modules(path, at, file.old.as_ref(), units, &gone)));
                view.add(path, units, place.as_deref(), |index| states[index]);
            }
        }
        view
    }

    /// Adds the unchanged files where something can only be told with them, and says why the target is a candidate.
    fn complete(&mut self, target: (usize, usize), view: &mut TargetView, changed: &BTreeSet<&str>) {
        let touched = |view: &TargetView| -> Vec<usize> {
            (0..view.nodes.len())
                .filter(|i| view.nodes[*i].state.is_touched() && view.nodes[*i].unit().in_test)
                .collect()
        };
        let touched = touched(view);
        for &i in &touched {
            let (node, verb) = (&view.nodes[i], view.nodes[i].verb());
            if node.unit().makes_tests() {
                view.why.insert(format!("{} {verb} in {}", node.title(), node.file));
            }
        }
        let is_test = |unit: &Unit| unit.kind == UnitKind::Test && !unit.is_case_template();
        let only_tests = touched.iter().all(|i| is_test(view.nodes[*i].unit()));
        if only_tests && view.opaque.is_empty() {
            return;
        }
        let files: Vec<String> = self.inputs.modules.files().map(|(path, _)| path.to_owned()).collect();
        for path in files.iter().filter(|path| !changed.contains(path.as_str())) {
            let places = self.places(path, target, None);
            if places.is_empty() || self.inputs.modules.uses(path).is_empty() {
                continue;
            }
            if let Some(units) = self.unchanged(path) {
                places.iter().for_each(|place| view.add(path, &units, place.as_deref(), |_| State::Same));
            }
        }
        let mut scopes = Scopes::default();
        let mut seen = BTreeSet::new();
        for node in &view.nodes {
            let inner = node.unit().module.len();
            let Some(full) = &node.module else { continue };
            let at = &full[..full.len() - inner];
            if seen.insert((node.file.clone(), at.to_vec())) {
                scopes.add(at, &node.units);
            }
        }
        view.reached = reached(&view.nodes, &scopes);
        // A test function in a macro is built by the targets that invoke the macro.
        for (i, node) in view.nodes.iter().enumerate().filter(|(_, n)| n.unit().kind == UnitKind::Template) {
            let reached = view.reached.get(&i).map(|r| &view.nodes[r.touched]);
            let Some(touched) = node.state.is_touched().then_some(node).or(reached) else { continue };
            let names = node.macro_name().map(|name| view.users_of_macro(name)).unwrap_or_default();
            let invokes = |n: &Node| n.unit().of_macro.as_ref().is_some_and(|own| names.contains(own));
            if view.nodes.iter().any(|n| n.unit().makes_tests() && invokes(n)) {
                view.why.insert(format!("{} {} in {}", touched.title(), touched.verb(), touched.file));
            }
        }
        view.opaque.retain(|o| opaque::can_add(o, &view.nodes));
        view.why.extend(view.opaque.iter().map(|o| o.why.clone()));
        for (user, reached) in &view.reached {
            if view.nodes[*user].unit().makes_tests() {
                let helper = &view.nodes[reached.touched];
                view.why.insert(format!("{} {} in {}", helper.title(), helper.verb(), helper.file));
            }
        }
    }

    /// An unchanged file, if it can hold anything of interest.
    fn unchanged(&mut self, path: &str) -> Option<Rc<FileUnits>> {
        if let Some(known) = self.parsed.get(path) {
            return known.clone();
        }
        let text = (self.inputs.read)(path);
        // Cheap, and true for nearly every production file without tests.
        let interesting =
            |text: &String| self.is_test_file(path) || text.contains("test") || text.contains("macro_rules");
        let units = text.filter(interesting).and_then(|text| self.units(path, &text)).map(Rc::new);
        self.parsed.insert(path.to_owned(), units.clone());
        units
    }
}

impl TargetView {
    fn add(&mut self, path: &str, units: &Rc<FileUnits>, place: Option<&[String]>, state: impl Fn(usize) -> State) {
        for (index, unit) in units.units.iter().enumerate() {
            let module = place.map(|at| at.iter().chain(&unit.module).cloned().collect());
            let (file, units, state) = (path.to_owned(), units.clone(), state(index));
            self.nodes.push(Node { file, units, index, module, state });
        }
    }
}
