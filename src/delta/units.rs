//! The units that a diff can touch: test functions, macro invocations that may make tests, `macro_rules!`, and the
//! helpers in test code. A unit is touched whole or not at all.

use super::tokens::{Kind, Mention, Print, Role, Token, flat, is_keyword, mentions};
use crate::source::SourceFile;
use crate::source::items::{is_test, is_test_macro};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Attribute, ImplItem, Item, UseTree};

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum UnitKind {
    /// A test function, or a property inside `proptest!` and its like.
    Test,
    /// A macro invocation in item position that is not read as items.
    Invocation,
    /// A `macro_rules!`.
    Macro,
    /// Any other function, method, constant, type or trait.
    Helper,
}

/// One unit of one file.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub kind: UnitKind,
    /// The names it is used by: one but for traits and invocations that declare several. Never empty.
    pub names: Vec<String>,
    /// The type that a method belongs to.
    pub owner: Option<String>,
    /// Inline modules around it in the file.
    pub module: Vec<String>,
    /// First and last line, attributes included.
    pub lines: (u32, u32),
    /// Its tokens, attributes included.
    pub print: Print,
    /// Its tokens without attributes.
    pub bare: Print,
    /// The names that it uses.
    pub mentions: BTreeSet<Mention>,
    /// The identifiers in its tokens, in order of first appearance (invocations only).
    pub idents: Vec<String>,
    /// Whether it stands in test code; test functions always do.
    pub in_test: bool,
}

impl Unit {
    /// The name that a person would call it by.
    pub fn title(&self) -> String {
        let own = match (&self.owner, self.kind) {
            (Some(owner), _) => format!("{owner}::{}", self.names[0]),
            (None, UnitKind::Invocation | UnitKind::Macro) => format!("{}!", self.names[0]),
            (None, UnitKind::Test | UnitKind::Helper) => self.names[0].clone(),
        };
        self.module.iter().rev().fold(own, |title, module| format!("{module}::{title}"))
    }

    /// Whether its tests follow from files rather than from code.
    pub fn is_file_driven(&self) -> bool {
        const MAKERS: &[&str] =
            &["files", "test_resources", "dir_test", "datatest", "datatest_stable", "test_each_file"];
        self.mentions.iter().any(|m| MAKERS.contains(&m.name.as_str()))
            || self.names.iter().any(|n| MAKERS.contains(&n.as_str()))
    }
}

/// What a module brings into scope: `use path::name as local`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    /// The inline modules of the `use`.
    pub module: Vec<String>,
    /// The name in scope.
    pub local: String,
    /// The whole path; the last segment is the original name.
    pub path: Vec<String>,
}

/// A module's declaration or the head of an inline one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModuleHead {
    /// Inline modules around it and its own name; empty for the file itself.
    pub path: Vec<String>,
    /// Whether its body is another file.
    pub outside: bool,
    /// Its conditions.
    pub conditions: Print,
    /// Whether it stands in test code.
    pub in_test: bool,
}

/// Everything that matters of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct FileUnits {
    pub units: Vec<Unit>,
    pub imports: Vec<Import>,
    pub modules: Vec<ModuleHead>,
}

impl FileUnits {
    /// Reads a file; `in_test` says whether a byte lies in test code.
    pub fn of(file: &SourceFile, in_test: &dyn Fn(usize) -> bool) -> FileUnits {
        let mut reader = Reader { file, in_test, module: Vec::new(), out: FileUnits::default() };
        let (conditions, in_test) = (conditions(&file.ast.attrs), in_test(0));
        reader.out.modules.push(ModuleHead { path: Vec::new(), outside: false, conditions, in_test });
        reader.items(&file.ast.items);
        reader.out
    }

    /// The innermost unit that holds a line. Of several on one line the one that uses most of these names is meant.
    pub fn at_line(&self, line: u32, names: &[&str]) -> Option<usize> {
        let holds = |u: &Unit| (u.lines.0..=u.lines.1).contains(&line);
        let knows = |u: &Unit| names.iter().filter(|n| u.names.iter().chain(&u.idents).any(|have| have == *n)).count();
        let holders = self.units.iter().enumerate().filter(|(_, u)| holds(u));
        holders.min_by_key(|(_, u)| (u.lines.1 - u.lines.0, usize::MAX - knows(u))).map(|(index, _)| index)
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    in_test: &'a dyn Fn(usize) -> bool,
    module: Vec<String>,
    out: FileUnits,
}

impl Reader<'_> {
    fn items(&mut self, items: &[Item]) {
        items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Mod(module) => self.module(module),
            Item::Use(import) => self.import(&mut Vec::new(), &import.tree),
            Item::Fn(f) => {
                let kind = if is_test(&f.attrs) { UnitKind::Test } else { UnitKind::Helper };
                self.node(kind, &f.sig.ident, None, &f.attrs, f);
            }
            Item::Const(i) => self.helper(&i.ident, &i.attrs, i),
            Item::Static(i) => self.helper(&i.ident, &i.attrs, i),
            Item::Struct(i) => self.helper(&i.ident, &i.attrs, i),
            Item::Enum(i) => self.helper(&i.ident, &i.attrs, i),
            Item::Union(i) => self.helper(&i.ident, &i.attrs, i),
            Item::Type(i) => self.helper(&i.ident, &i.attrs, i),
            Item::TraitAlias(i) => self.helper(&i.ident, &i.attrs, i),
            Item::Trait(i) => {
                self.helper(&i.ident, &i.attrs, i);
                let methods = i.items.iter().filter_map(|member| match member {
                    syn::TraitItem::Fn(f) => Some(name_of(&f.sig.ident)),
                    _ => None,
                });
                if let Some(unit) = self.out.units.last_mut() {
                    unit.names.extend(methods);
                }
            }
            Item::Impl(i) => self.implementation(i),
            Item::Macro(m) => match &m.ident {
                Some(name) => self.node(UnitKind::Macro, name, None, &m.attrs, m),
                None => self.invocation(m),
            },
            _ => {}
        }
    }

    fn module(&mut self, module: &syn::ItemMod) {
        self.module.push(name_of(&module.ident));
        self.out.modules.push(ModuleHead {
            path: self.module.clone(),
            outside: module.content.is_none(),
            conditions: conditions(&module.attrs),
            in_test: (self.in_test)(self.file.byte_range(module.ident.span()).start),
        });
        if let Some((_, items)) = &module.content {
            self.items(items);
        }
        self.module.pop();
    }

    fn import(&mut self, path: &mut Vec<String>, tree: &UseTree) {
        let mut record = |local: String, last: Option<String>, path: &[String]| {
            let path = path.iter().cloned().chain(last).collect();
            self.out.imports.push(Import { module: self.module.clone(), local, path });
        };
        match tree {
            UseTree::Path(p) => {
                path.push(name_of(&p.ident));
                self.import(path, &p.tree);
                path.pop();
            }
            UseTree::Name(n) if n.ident == "self" => record(path.last().cloned().unwrap_or_default(), None, path),
            UseTree::Name(n) => record(name_of(&n.ident), Some(name_of(&n.ident)), path),
            UseTree::Rename(r) => record(name_of(&r.rename), Some(name_of(&r.ident)), path),
            UseTree::Glob(_) => record("*".to_owned(), None, path),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(path, tree)),
        }
    }

    fn helper(&mut self, name: &syn::Ident, attrs: &[Attribute], node: &dyn Node) {
        self.node(UnitKind::Helper, name, None, attrs, node);
    }

    fn node(&mut self, kind: UnitKind, name: &syn::Ident, owner: Option<String>, attrs: &[Attribute], node: &dyn Node) {
        let attributes = flat(attrs.iter().map(ToTokens::to_token_stream).collect());
        self.push(kind, vec![name_of(name)], owner, &node.tokens(), attributes.len(), &Print::default());
    }

    /// Records a unit; the first `attributes` of its tokens are attributes, `context` is what else it hangs on.
    fn push(
        &mut self,
        kind: UnitKind,
        names: Vec<String>,
        owner: Option<String>,
        stream: &TokenStream,
        attributes: usize,
        context: &Print,
    ) {
        let tokens = flat(stream.clone());
        let Some(first) = tokens.first() else { return };
        let last = tokens.last().unwrap_or(first);
        // A documentation comment in front belongs to the unit for the eye, not for the comparison.
        let lead = stream.clone().into_iter().next().map_or(first.span, |tree| tree.span());
        let bytes = self.file.byte_range(first.span);
        let print = Print::of(&tokens);
        let idents = if kind == UnitKind::Invocation { idents(&tokens) } else { Vec::new() };
        self.out.units.push(Unit {
            kind,
            names,
            owner,
            module: self.module.clone(),
            lines: (self.file.line_range(lead).0, self.file.line_range(last.span).1),
            print: if context.is_empty() { print } else { context.with(&print) },
            bare: context.with(&Print::of(tokens.get(attributes..).unwrap_or_default())),
            mentions: mentions(&tokens),
            idents,
            in_test: kind == UnitKind::Test || (self.in_test)(bytes.start),
        });
    }

    /// Each member of an `impl` is a unit of its own: one more method does not touch the users of the others.
    fn implementation(&mut self, i: &syn::ItemImpl) {
        let owner = type_name(&i.self_ty);
        let head = {
            let (attrs, generics, ty) = (&i.attrs, &i.generics, &i.self_ty);
            let of = i.trait_.as_ref().map(|(path, _)| path.to_token_stream());
            let mut stream: TokenStream = attrs.iter().map(ToTokens::to_token_stream).collect();
            generics.to_tokens(&mut stream);
            generics.where_clause.to_tokens(&mut stream);
            stream.extend(of.into_iter().flatten());
            ty.to_tokens(&mut stream);
            Print::of(&flat(stream))
        };
        if i.items.is_empty() {
            let name = owner.clone().unwrap_or_else(|| "_".to_owned());
            self.push(UnitKind::Helper, vec![name], None, &i.to_token_stream(), 0, &Print::default());
        }
        for member in &i.items {
            let (name, attrs, stream) = match member {
                ImplItem::Fn(f) => (name_of(&f.sig.ident), &f.attrs, f.to_token_stream()),
                ImplItem::Const(c) => (name_of(&c.ident), &c.attrs, c.to_token_stream()),
                ImplItem::Type(t) => (name_of(&t.ident), &t.attrs, t.to_token_stream()),
                ImplItem::Macro(m) => ("_".to_owned(), &m.attrs, m.to_token_stream()),
                _ => continue,
            };
            let attributes = flat(attrs.iter().map(ToTokens::to_token_stream).collect()).len();
            self.push(UnitKind::Helper, vec![name], owner.clone(), &stream, attributes, &head);
        }
    }

    fn invocation(&mut self, item: &syn::ItemMacro) {
        let tokens = &item.mac.tokens;
        if !is_test_macro(&item.mac)
            && let Ok(inner) = syn::parse2::<syn::File>(tokens.clone())
            && inner.items.iter().any(|i| matches!(i, Item::Fn(_) | Item::Mod(_) | Item::Static(_)))
        {
            return self.items(&inner.items);
        }
        let functions = functions(tokens, is_test_macro(&item.mac));
        if functions.is_empty() {
            let name = item.mac.path.segments.last().map_or_else(|| "_".to_owned(), |s| name_of(&s.ident));
            let names = [name.clone()].into_iter().chain(declared(&flat(tokens.clone()))).collect();
            self.push(UnitKind::Invocation, names, None, &item.to_token_stream(), 0, &Print::default());
            if let Some(unit) = self.out.units.last_mut() {
                unit.idents.retain(|ident| *ident != name);
            }
            return;
        }
        // What stands around the functions, a configuration say, belongs to each of them.
        let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let inside = |at: usize| functions.iter().any(|f| f.trees.contains(&at));
        let rest = all.iter().enumerate().filter(|(at, _)| !inside(*at)).map(|(_, tree)| tree.clone());
        let around: TokenStream = item.mac.path.to_token_stream().into_iter().chain(rest).collect();
        let context = Print::of(&flat(around));
        for f in functions {
            let stream: TokenStream = all[f.trees.clone()].iter().cloned().collect();
            let kind = if f.test { UnitKind::Test } else { UnitKind::Helper };
            let attributes = flat(all[f.trees.start..f.head].iter().cloned().collect()).len();
            self.push(kind, vec![f.name], None, &stream, attributes, &context);
        }
    }
}

/// Anything that can be laid out as tokens, as an object.
trait Node {
    fn tokens(&self) -> TokenStream;
}

impl<T: ToTokens> Node for T {
    fn tokens(&self) -> TokenStream {
        self.to_token_stream()
    }
}

/// A function in the tokens of a macro invocation.
struct FunctionIn {
    name: String,
    test: bool,
    /// The trees that it takes, attributes included.
    trees: std::ops::Range<usize>,
    /// Where its attributes end.
    head: usize,
}

/// The functions that stand directly in a macro's tokens, when they are tests: all of them in a macro that is for
/// tests, else only if one has a test attribute.
fn functions(tokens: &TokenStream, for_tests: bool) -> Vec<FunctionIn> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let word = |i: usize| match trees.get(i) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    let group = |i: usize, d: Delimiter| matches!(trees.get(i), Some(TokenTree::Group(g)) if g.delimiter() == d);
    let mut out: Vec<FunctionIn> = Vec::new();
    let mut i = 0;
    while i < trees.len() {
        let (Some("fn"), Some(name)) = (word(i).as_deref(), word(i + 1)) else {
            i += 1;
            continue;
        };
        let body = (i + 2..trees.len()).find(|at| {
            group(*at, Delimiter::Brace) || matches!(&trees[*at], TokenTree::Punct(p) if p.as_char() == ';')
        });
        let Some(body) = body.filter(|at| group(*at, Delimiter::Brace)) else {
            i += 2;
            continue;
        };
        let mut head = i;
        while head > 0
            && (matches!(word(head - 1).as_deref(), Some("pub" | "async" | "unsafe" | "const" | "extern"))
                || group(head - 1, Delimiter::Parenthesis)
                || matches!(trees[head - 1], TokenTree::Literal(_)))
        {
            head -= 1;
        }
        let mut start = head;
        while start >= 2
            && group(start - 1, Delimiter::Bracket)
            && matches!(&trees[start - 2], TokenTree::Punct(p) if p.as_char() == '#')
        {
            start -= 2;
        }
        let attributes: TokenStream = trees[start..head].iter().cloned().collect();
        let attrs = syn::parse::Parser::parse2(Attribute::parse_outer, attributes).unwrap_or_default();
        out.push(FunctionIn { name, test: for_tests || is_test(&attrs), trees: start..body + 1, head });
        i = body + 1;
    }
    if out.iter().any(|f| f.test) { out } else { Vec::new() }
}

/// The conditions of a module, for comparison.
fn conditions(attrs: &[Attribute]) -> Print {
    let cfg = attrs.iter().filter(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"));
    Print::of(&flat(cfg.map(ToTokens::to_token_stream).collect()))
}

/// The identifiers in some tokens, in order of first appearance.
fn idents(tokens: &[Token]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for token in tokens {
        if let Kind::Ident(name) = &token.kind
            && !is_keyword(name)
            && !out.contains(name)
        {
            out.push(name.clone());
        }
    }
    out
}

/// The names that some tokens seem to declare.
fn declared(tokens: &[Token]) -> Vec<String> {
    let pairs = tokens.windows(2).filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
        (Kind::Ident(word), Kind::Ident(name)) if !is_keyword(name) => match word.as_str() {
            "static" | "const" | "fn" | "struct" | "enum" | "type" | "trait" | "ref" | "mod" => Some(name.clone()),
            _ => None,
        },
        _ => None,
    });
    pairs.collect()
}

/// The last name of a type's path, whatever references stand before it.
fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(p) => p.path.segments.last().map(|s| name_of(&s.ident)),
        syn::Type::Reference(r) => type_name(&r.elem),
        syn::Type::Paren(p) => type_name(&p.elem),
        syn::Type::Group(g) => type_name(&g.elem),
        _ => None,
    }
}

fn name_of(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// Whether a use of a name may mean this unit by the look of it alone.
pub(super) fn may_mean(mention: &Mention, unit: &Unit) -> bool {
    if !unit.names.contains(&mention.name) {
        return false;
    }
    match (mention.role, unit.kind) {
        (Role::Macro, kind) => kind == UnitKind::Macro,
        (_, UnitKind::Macro) => false,
        (Role::Member, UnitKind::Helper) => unit.owner.is_some() || unit.names.len() > 1,
        (Role::Member, _) => false,
        (Role::Call | Role::Plain, _) => unit.owner.is_none() || !mention.path.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<Unit> {
        let file = SourceFile::parse("tests/t.rs", text).unwrap();
        FileUnits::of(&file, &|_| true).units
    }

    fn titles(text: &str) -> Vec<(UnitKind, String)> {
        units(text).iter().map(|u| (u.kind, u.title())).collect()
    }

    #[test]
    fn items_become_units_with_their_modules() {
        use UnitKind::{Helper, Macro, Test};
        let text = "mod m { #[test] fn t() {} fn h() {} const C: u8 = 1; }\nimpl A { fn new() {} fn b() {} }\nmacro_rules! q { () => {} }";
        let want =
            [(Test, "m::t"), (Helper, "m::h"), (Helper, "m::C"), (Helper, "A::new"), (Helper, "A::b"), (Macro, "q!")];
        assert_eq!(titles(text), want.map(|(kind, title)| (kind, title.to_owned())));
    }

    #[test]
    fn properties_are_units_of_their_own_and_share_what_stands_around_them() {
        let text = |config: u8, body: u8| {
            format!(
                "proptest! {{ #![config({config})]\n #[test]\n fn a(x in 0..9) {{ {body} }}\n\n fn b(y in 1..2) {{}} }}"
            )
        };
        let (base, body, config) = (units(&text(1, 1)), units(&text(1, 2)), units(&text(2, 1)));
        assert_eq!(
            base.iter().map(|u| (u.names[0].as_str(), u.lines)).collect::<Vec<_>>(),
            [("a", (2, 3)), ("b", (5, 5))]
        );
        assert!(base.iter().all(|u| u.kind == UnitKind::Test));
        assert!(base[0].print != body[0].print && base[1].print == body[1].print);
        assert!(base[0].print != config[0].print && base[1].print != config[1].print);
    }

    #[test]
    fn items_in_a_wrapping_macro_are_items() {
        assert_eq!(
            titles("cfg_rt! { #[tokio::test] async fn t() {} fn h() {} }"),
            [(UnitKind::Test, "t".to_owned()), (UnitKind::Helper, "h".to_owned())]
        );
        assert_eq!(titles("thread_local! { static S: u8 = 1; }"), [(UnitKind::Helper, "S".to_owned())]);
    }

    #[test]
    fn other_invocations_keep_their_identifiers() {
        let all = units("check!(tabs: \"a\" => vec![1], f(other));");
        assert_eq!((all[0].kind, all[0].title()), (UnitKind::Invocation, "check!".to_owned()));
        assert_eq!(all[0].idents, ["tabs", "vec", "f", "other"]);
    }

    #[test]
    fn the_innermost_unit_of_a_line_is_found() {
        let file =
            SourceFile::parse("t.rs", "/// Doc.\n#[test]\nfn a() {\n}\n\ncheck!(x: 1); check!(y: 2);\n").unwrap();
        let all = FileUnits::of(&file, &|_| true);
        assert_eq!(all.at_line(1, &[]), Some(0));
        assert_eq!(all.at_line(4, &[]), Some(0));
        assert_eq!(all.at_line(5, &[]), None);
        assert_eq!(all.at_line(6, &["y", "ok"]), Some(2));
    }

    #[test]
    fn imports_are_laid_flat() {
        let file = SourceFile::parse("t.rs", "use a::{b as c, d::{self, e}, f::*};").unwrap();
        let imports = FileUnits::of(&file, &|_| true).imports;
        let flat: Vec<String> = imports.iter().map(|i| format!("{}={}", i.local, i.path.join("::"))).collect();
        assert_eq!(flat, ["c=a::b", "d=a::d", "e=a::d::e", "*=a::f"]);
    }
}
