//! From a file's syntax to its units.

use super::macros::{declared, functions, idents, templates};
use super::tokens::{Print, flat, mentions};
use super::units::{FileUnits, Import, ModuleHead, Unit, UnitKind};
use crate::source::SourceFile;
use crate::source::items::{is_test, is_test_macro, wrapped_items};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ImplItem, Item, UseTree};

impl FileUnits {
    /// Reads a file; `in_test` says whether a byte lies in test code.
    pub fn of(file: &SourceFile, in_test: &dyn Fn(usize) -> bool) -> FileUnits {
        let mut reader = Reader { file, in_test, module: Vec::new(), of_macro: None, out: FileUnits::default() };
        let (conditions, in_test) = (conditions(&file.ast.attrs), in_test(0));
        reader.out.modules.push(ModuleHead { path: Vec::new(), outside: false, conditions, in_test });
        reader.items(&file.ast.items);
        reader.out
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    in_test: &'a dyn Fn(usize) -> bool,
    module: Vec<String>,
    /// The macro in whose tokens the items stand.
    of_macro: Option<String>,
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
                Some(name) => self.definition(name, m),
                None => self.invocation(m),
            },
            _ => {}
        }
    }

    fn definition(&mut self, name: &syn::Ident, item: &syn::ItemMacro) {
        let (templates, rest) = templates(&item.mac.tokens);
        if templates.is_empty() {
            return self.node(UnitKind::Macro, name, None, &item.attrs, item);
        }
        self.node(UnitKind::Macro, name, None, &item.attrs, item);
        if let Some(unit) = self.out.units.last_mut() {
            let attributes: TokenStream = item.attrs.iter().map(ToTokens::to_token_stream).collect();
            let rest = flat(rest);
            unit.print = Print::of(&flat(attributes)).with(&Print::of(&rest));
            unit.bare = Print::of(&rest);
            unit.mentions = mentions(&rest);
        }
        let outer = self.of_macro.replace(name_of(name));
        for t in templates {
            let attributes = flat(t.attributes).len();
            self.push(UnitKind::Template, vec![t.name], None, &t.tokens, attributes, &Print::default());
        }
        self.of_macro = outer;
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
        let of_macro = if kind == UnitKind::Invocation { names.first().cloned() } else { self.of_macro.clone() };
        let idents = match (kind, &of_macro) {
            (UnitKind::Invocation, Some(own)) => idents(&tokens).into_iter().filter(|ident| ident != own).collect(),
            (_, Some(_)) => names.clone(),
            (_, None) => Vec::new(),
        };
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
            of_macro,
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
        let name = item.mac.path.segments.last().map_or_else(|| "_".to_owned(), |s| name_of(&s.ident));
        let wrapped: Vec<Item> = wrapped_items(&item.mac).into_iter().flat_map(|(_, items)| items).collect();
        let holds_code = |i: &Item| matches!(i, Item::Fn(_) | Item::Mod(_) | Item::Static(_));
        if !is_test_macro(&item.mac) && wrapped.iter().any(holds_code) {
            let outer = self.of_macro.replace(name);
            self.items(&wrapped);
            self.of_macro = outer;
            return;
        }
        let functions = functions(tokens, is_test_macro(&item.mac));
        if functions.is_empty() {
            let names = [name].into_iter().chain(declared(&flat(tokens.clone()))).collect();
            self.push(UnitKind::Invocation, names, None, &item.to_token_stream(), 0, &Print::default());
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

/// The conditions of a module, for comparison.
fn conditions(attrs: &[Attribute]) -> Print {
    let cfg = attrs.iter().filter(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"));
    Print::of(&flat(cfg.map(ToTokens::to_token_stream).collect()))
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
    fn imports_are_laid_flat() {
        let file = SourceFile::parse("t.rs", "use a::{b as c, d::{self, e}, f::*};").unwrap();
        let imports = FileUnits::of(&file, &|_| true).imports;
        let flat: Vec<String> = imports.iter().map(|i| format!("{}={}", i.local, i.path.join("::"))).collect();
        assert_eq!(flat, ["c=a::b", "d=a::d", "e=a::d::e", "*=a::f"]);
    }
}
