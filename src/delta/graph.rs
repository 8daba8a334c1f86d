//! Which tests reach a touched helper: a call graph by name inside the test code of one target.
//!
//! Names are resolved as far as modules, `use` and re-exports allow. Methods are resolved by name and by whether the
//! caller can have a value of their type at all. Where that leaves doubt, there is an edge.

use super::compare::State;
use super::scopes::{self, Scopes};
use super::tokens::{Mention, Role};
use super::units::{FileUnits, Unit, UnitKind, may_mean};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// One unit as part of one target.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Path in the repository.
    pub file: String,
    /// Everything of that file.
    pub units: Rc<FileUnits>,
    /// Which of the file's units it is.
    pub index: usize,
    /// The full path of its module in the target; `None` where nobody knows how the target reaches the file.
    pub module: Option<Vec<String>>,
    /// How it relates to the base.
    pub state: State,
}

impl Node {
    /// The unit.
    pub fn unit(&self) -> &Unit {
        &self.units.units[self.index]
    }

    /// The `macro_rules!` that it is or that holds it.
    pub fn macro_name(&self) -> Option<&str> {
        match self.unit().kind {
            UnitKind::Macro => self.unit().names.first().map(String::as_str),
            UnitKind::Template => self.unit().of_macro.as_deref(),
            UnitKind::Test | UnitKind::Helper | UnitKind::Invocation => None,
        }
    }

    /// The name that a person would call it by, in backquotes.
    pub fn title(&self) -> String {
        let unit = self.unit();
        let outer = self.module.as_deref().map_or(&[][..], |full| &full[..full.len() - unit.module.len()]);
        format!("`{}`", outer.iter().rev().fold(unit.title(), |title, module| format!("{module}::{title}")))
    }

    /// What the patch did to it, as a verb in the past tense.
    pub fn verb(&self) -> &'static str {
        match self.state {
            State::Same => "stayed",
            State::Moved => "moved",
            State::Modified { .. } => "changed",
            State::Added => "was added",
        }
    }
}

/// How a node reaches what the patch touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reached {
    /// The next node on the way.
    pub next: usize,
    /// The touched node.
    pub touched: usize,
}

/// For each node that reaches a touched helper: how.
pub(super) fn reached(nodes: &[Node], imports: &Scopes) -> HashMap<usize, Reached> {
    let graph = Graph::new(nodes, imports);
    let helper = |n: &Node| match n.unit().kind {
        UnitKind::Helper | UnitKind::Macro | UnitKind::Invocation => true,
        UnitKind::Test => n.unit().is_case_template(),
        UnitKind::Template => false,
    };
    let touched = (0..nodes.len()).filter(|i| {
        let node = &nodes[*i];
        node.state.is_touched() && node.unit().in_test && helper(node)
    });
    let callers = graph.callers();
    let mut found: HashMap<usize, Reached> = HashMap::new();
    let mut queue: VecDeque<(usize, usize)> = touched.map(|i| (i, i)).collect();
    while let Some((at, touched)) = queue.pop_front() {
        for &caller in &callers[at] {
            if let std::collections::hash_map::Entry::Vacant(entry) = found.entry(caller) {
                entry.insert(Reached { next: at, touched });
                queue.push_back((caller, touched));
            }
        }
    }
    found
}

struct Graph<'a> {
    nodes: &'a [Node],
    scopes: &'a Scopes,
    by_name: HashMap<&'a str, Vec<usize>>,
    /// Certain enough.
    plain: Vec<Vec<usize>>,
    /// `.name` of any type.
    members: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn new(nodes: &'a [Node], scopes: &'a Scopes) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, node) in nodes.iter().enumerate().filter(|(_, n)| n.unit().in_test) {
            for name in &node.unit().names {
                by_name.entry(name).or_default().push(i);
            }
        }
        let mut graph = Graph { nodes, scopes, by_name, plain: Vec::new(), members: Vec::new() };
        for (from, node) in nodes.iter().enumerate() {
            let (mut plain, mut members) = (BTreeSet::new(), BTreeSet::new());
            if node.unit().in_test {
                for mention in &node.unit().mentions {
                    let set = if mention.role == Role::Member { &mut members } else { &mut plain };
                    set.extend(graph.meant(from, mention));
                }
            }
            plain.remove(&from);
            members.remove(&from);
            graph.plain.push(plain.into_iter().collect());
            graph.members.push(members.into_iter().collect());
        }
        graph
    }

    /// The nodes that a mention may mean.
    fn meant(&self, from: usize, mention: &Mention) -> Vec<usize> {
        let node = &self.nodes[from];
        // Where a macro's tests end up is not known here.
        let anywhere = node.module.is_none() || node.unit().kind == UnitKind::Template;
        if mention.role == Role::Member || anywhere {
            return self.named(&mention.name).filter(|i| may_mean(mention, self.nodes[*i].unit())).collect();
        }
        let module = node.module.as_deref().unwrap_or_default();
        let fits = |i: &usize| may_mean(mention, self.nodes[*i].unit());
        if mention.path.is_empty() {
            let found: Vec<usize> = self.lookup(module, &mention.name, 0).into_iter().filter(fits).collect();
            // `macro_rules!` have a scope of their own: everything after them in the text, modules included.
            return match mention.role {
                Role::Macro if found.is_empty() => self.named(&mention.name).filter(fits).collect(),
                _ => found,
            };
        }
        if let Some(inside) = self.scopes.module(module, &mention.path, 0) {
            return self.lookup(&inside, &mention.name, 0).into_iter().filter(fits).collect();
        }
        let last = mention.path.last().map(String::as_str);
        let owner = if last == Some("Self") { node.unit().owner.as_deref() } else { last };
        let of_owner = |i: &usize| owner.is_some() && self.nodes[*i].unit().owner.as_deref() == owner;
        self.named(&mention.name).filter(of_owner).filter(fits).collect()
    }

    fn named(&self, name: &str) -> impl Iterator<Item = usize> {
        self.by_name.get(name).into_iter().flatten().copied()
    }

    /// What a name means in a module: its own items, else what is imported by name, else through `*`.
    fn lookup(&self, module: &[String], name: &str, depth: usize) -> Vec<usize> {
        let own = |i: &usize| self.nodes[*i].module.as_deref().is_none_or(|m| m == module);
        let found: Vec<usize> = self.named(name).filter(own).collect();
        if !found.is_empty() || depth > scopes::LIMIT {
            return found;
        }
        let imports = self.scopes.of(module);
        for import in imports.iter().filter(|i| i.local == name) {
            let Some((last, path)) = import.path.split_last() else { continue };
            let inside = if path.is_empty() { Some(module.to_vec()) } else { self.scopes.module(module, path, 0) };
            match inside {
                Some(inside) if inside != module || last != name => return self.lookup(&inside, last, depth + 1),
                _ => return Vec::new(),
            }
        }
        let globs = imports.iter().filter(|i| i.local == "*");
        let inside = globs.filter_map(|i| self.scopes.module(module, &i.path, 0)).filter(|inside| inside != module);
        inside.flat_map(|inside| self.lookup(&inside, name, depth + 1)).collect()
    }

    /// For each node: who uses it.
    fn callers(&self) -> Vec<Vec<usize>> {
        let mut callers = vec![Vec::new(); self.nodes.len()];
        let mut holders: HashMap<&str, Vec<bool>> = HashMap::new();
        for from in 0..self.nodes.len() {
            for &to in &self.plain[from] {
                callers[to].push(from);
            }
            for &to in &self.members[from] {
                let may = match self.nodes[to].unit().owner.as_deref() {
                    None => true,
                    Some(owner) => {
                        let holders = holders.entry(owner).or_insert_with(|| self.holders(owner));
                        holders[from] || self.nodes[from].unit().owner.as_deref() == Some(owner)
                    }
                };
                if may {
                    callers[to].push(from);
                }
            }
        }
        callers
    }

    /// The nodes that may have a value of a type: those that name it, and those that use such.
    fn holders(&self, owner: &str) -> Vec<bool> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for from in 0..self.nodes.len() {
            self.plain[from].iter().chain(&self.members[from]).for_each(|to| users[*to].push(from));
        }
        let mut holds: Vec<bool> =
            self.nodes.iter().map(|n| n.unit().mentions.iter().any(|m| m.name == owner)).collect();
        let mut queue: Vec<usize> = (0..holds.len()).filter(|i| holds[*i]).collect();
        while let Some(at) = queue.pop() {
            for &user in &users[at] {
                if !std::mem::replace(&mut holds[user], true) {
                    queue.push(user);
                }
            }
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    /// Units by title that reach what differs between the two texts of each file; files are `(module, base, head)`.
    fn users(files: &[(&str, &str, &str)]) -> Vec<String> {
        let parse = |text: &str| FileUnits::of(&SourceFile::parse("t.rs", text).unwrap(), &|_| true);
        let parsed: Vec<_> = files.iter().map(|(_, old, new)| (parse(old), Rc::new(parse(new)))).collect();
        let pairs: Vec<_> = parsed.iter().map(|(old, new)| (old, &**new)).collect();
        let states = crate::delta::compare::states(&pairs);
        let (mut nodes, mut scopes) = (Vec::new(), Scopes::default());
        for (file, (module, _, _)) in files.iter().enumerate() {
            let at: Vec<String> = module.split("::").filter(|m| !m.is_empty()).map(str::to_owned).collect();
            let units = &parsed[file].1;
            scopes.add(&at, units);
            for (index, state) in states[file].iter().enumerate() {
                let module = at.iter().chain(&units.units[index].module).cloned().collect();
                nodes.push(Node {
                    file: String::new(),
                    units: units.clone(),
                    index,
                    module: Some(module),
                    state: *state,
                });
            }
        }
        let found = reached(&nodes, &scopes);
        let mut titles: Vec<String> = found.keys().map(|i| nodes[*i].unit().title()).collect();
        titles.sort();
        titles
    }

    fn one(before: &str, after: &str, rest: &str) -> Vec<String> {
        users(&[("", &format!("{before}\n{rest}"), &format!("{after}\n{rest}"))])
    }

    #[test]
    fn a_changed_helper_is_reached_through_other_helpers() {
        let rest = "fn g() { h() } #[test] fn a() { g() } #[test] fn b() { other() }";
        assert_eq!(one("fn h() { 1 }", "fn h() { 2 }", rest), ["a", "g"]);
    }

    #[test]
    fn constants_types_and_macros_are_helpers() {
        let rest = "#[test] fn a() { f(LIMIT) } #[test] fn b() { check!(1) } #[test] fn c() { Conf { x: 1 } }";
        assert_eq!(one("const LIMIT: u8 = 1;", "const LIMIT: u8 = 2;", rest), ["a"]);
        assert_eq!(one("macro_rules! check { (1) => {} }", "macro_rules! check { (1) => { 2 } }", rest), ["b"]);
        assert_eq!(one("struct Conf { x: u8 }", "struct Conf { x: u16 }", rest), ["c"]);
    }

    #[test]
    fn a_helper_of_another_module_with_the_same_name_is_not_meant() {
        let text = |n: u8| {
            format!(
                "mod a {{ fn setup() {{ {n} }} #[test] fn t() {{ setup() }} }} mod b {{ fn setup() {{}} #[test] fn u() {{ setup() }} }}"
            )
        };
        assert_eq!(users(&[("", &text(1), &text(2))]), ["a::t"]);
    }

    #[test]
    fn helpers_are_found_through_modules_imports_and_re_exports() {
        let tests = "mod common; use common::parser; use common as c;\n#[test] fn path() { common::open() }\n#[test] fn import() { parser() }\n#[test] fn alias() { c::open() }\n#[test] fn foreign() { std::open() }\nmod inner { use super::*; use crate::common::prelude::*;\n#[test] fn glob() { parser() }\n#[test] fn reexported() { deep() } }";
        let common = |n: u8| {
            format!(
                "pub mod prelude {{ pub use super::deep; }} pub fn open() {{ {n} }} pub fn parser() {{ {n} }} pub fn deep() {{ {n} }}"
            )
        };
        assert_eq!(
            users(&[("", tests, tests), ("common", &common(1), &common(2))]),
            ["alias", "import", "inner::glob", "inner::reexported", "path"]
        );
    }

    #[test]
    fn one_more_method_touches_nobody_and_a_changed_one_its_callers() {
        let rest = "fn make() -> Server { Server::new() } #[test] fn a() { make().send() } #[test] fn b() { Server::new() } #[test] fn c(v: Vec<u8>) { v.send() }";
        let server =
            |methods: &str| format!("struct Server; impl Server {{ fn new() -> Self {{ Server }} {methods} }}");
        assert_eq!(
            one(&server("fn send(&self) {}"), &server("fn send(&self) {} fn extra(&self) {}"), rest),
            Vec::<String>::new()
        );
        assert_eq!(one(&server("fn send(&self) {}"), &server("fn send(&self) { 1 }"), rest), ["a"]);
    }

    #[test]
    fn a_fixture_is_reached_by_the_name_of_a_parameter() {
        let rest = "#[rstest] fn a(db: Db) {} #[rstest] fn b() {}";
        assert_eq!(one("#[fixture] fn db() -> Db { 1 }", "#[fixture] fn db() -> Db { 2 }", rest), ["a"]);
    }
}
