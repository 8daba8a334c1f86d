//! The test functions of one file, with everything that can make one of them weaker.

use super::profile::Profile;
use super::tokens::{canonical, is_punct};
use crate::source::SourceFile;
use crate::source::cfg_expr::{Applied, CfgExpr, applied, cfgs_of};
use crate::source::items::{attrs_of, is_test, is_test_macro, wrapped_items};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Attribute, Item, Meta};

/// A test, or other code that tests are made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Whether it is a test.
    pub is_test: bool,
    /// Inline modules around it in the file.
    pub module: Vec<String>,
    /// Its name.
    pub name: String,
    /// The line of its name.
    pub line: u32,
    /// Under which conditions it is ignored; empty when it is not.
    pub ignored: BTreeSet<String>,
    /// Under which conditions it is compiled, besides `test`.
    pub gates: BTreeSet<String>,
    /// Whether it stands under `cfg(test)`.
    pub test_only: bool,
    /// Whether it should panic, and if so with what (`None` for anything).
    pub should_panic: Option<Option<String>>,
    /// Its `#[case(..)]`s and the like.
    pub cases: Vec<String>,
    /// Its tokens without attributes and name.
    pub body: String,
    /// What it asserts.
    pub profile: Profile,
}

/// A `mod name;` of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OuterModule {
    /// Inline modules around it and its own name.
    pub path: Vec<String>,
    /// Its line.
    pub line: u32,
    /// Under which conditions it is compiled, besides `test`.
    pub gates: BTreeSet<String>,
}

/// Everything of interest in one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileUnits {
    /// Tests, functions, constants and macros, in order.
    pub units: Vec<Unit>,
    /// Modules that are other files.
    pub modules: Vec<OuterModule>,
}

impl FileUnits {
    /// Reads a file.
    pub fn of(file: &SourceFile) -> FileUnits {
        let mut reader = Reader { file, module: Vec::new(), gates: Vec::new(), out: FileUnits::default() };
        reader.under(&file.ast.attrs, |reader| file.ast.items.iter().for_each(|item| reader.item(item)));
        reader.out
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    module: Vec<String>,
    gates: Vec<CfgExpr>,
    out: FileUnits,
}

impl Reader<'_> {
    fn under(&mut self, attrs: &[Attribute], inside: impl FnOnce(&mut Self)) {
        let depth = self.gates.len();
        self.gates.extend(cfgs_of(attrs));
        inside(self);
        self.gates.truncate(depth);
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Mod(module) => self.under(&module.attrs, |reader| {
                reader.module.push(module.ident.to_string());
                match &module.content {
                    Some((_, items)) => items.iter().for_each(|item| reader.item(item)),
                    None => {
                        let line = reader.file.line_range(module.ident.span()).0;
                        let (gates, _) = shown(&reader.gates);
                        reader.out.modules.push(OuterModule { path: reader.module.clone(), line, gates });
                    }
                }
                reader.module.pop();
            }),
            Item::Fn(f) => {
                let mut body = f.sig.to_token_stream();
                body = without_name(body);
                f.block.to_tokens(&mut body);
                let inside: TokenStream = f.block.stmts.iter().map(ToTokens::to_token_stream).collect();
                self.unit(&f.attrs, &f.sig.ident, is_test(&f.attrs), body, inside);
            }
            Item::Const(i) => self.unit(&i.attrs, &i.ident, false, i.to_token_stream(), i.expr.to_token_stream()),
            Item::Static(i) => self.unit(&i.attrs, &i.ident, false, i.to_token_stream(), i.expr.to_token_stream()),
            Item::Impl(i) => self.under(&i.attrs, |reader| {
                for member in &i.items {
                    if let syn::ImplItem::Fn(f) = member {
                        let inside: TokenStream = f.block.stmts.iter().map(ToTokens::to_token_stream).collect();
                        reader.unit(&f.attrs, &f.sig.ident, is_test(&f.attrs), f.to_token_stream(), inside);
                    }
                }
            }),
            Item::Macro(m) => match &m.ident {
                Some(name) => self.unit(&m.attrs, name, false, m.mac.tokens.clone(), m.mac.tokens.clone()),
                None if is_test_macro(&m.mac) => {
                    self.under(&m.attrs, |reader| reader.functions(m.mac.tokens.clone()));
                }
                None => {
                    for (cfgs, items) in wrapped_items(&m.mac) {
                        let depth = self.gates.len();
                        self.gates.extend(cfgs);
                        items.iter().for_each(|item| self.item(item));
                        self.gates.truncate(depth);
                    }
                }
            },
            other => {
                let _ = attrs_of(other);
            }
        }
    }

    /// The functions in the tokens of a property macro, whose parameters no parser of Rust takes.
    fn functions(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut attributes = TokenStream::new();
        let mut at = 0;
        while at < trees.len() {
            if is_punct(trees.get(at), '#')
                && let Some(TokenTree::Group(group)) = trees.get(at + 1)
                && group.delimiter() == Delimiter::Bracket
            {
                attributes.extend([trees[at].clone(), trees[at + 1].clone()]);
                at += 2;
                continue;
            }
            let is_fn = matches!(&trees[at], TokenTree::Ident(word) if word == "fn");
            if let (true, Some(TokenTree::Ident(name))) = (is_fn, trees.get(at + 1)) {
                let name = name.clone();
                let rest = &trees[at + 2..];
                let brace = rest
                    .iter()
                    .position(|tree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace));
                let Some(end) = brace else { break };
                let TokenTree::Group(block) = &rest[end] else { break };
                let attrs = syn::parse::Parser::parse2(Attribute::parse_outer, std::mem::take(&mut attributes));
                let body = rest[..=end].iter().cloned().collect();
                self.unit(&attrs.unwrap_or_default(), &name, true, body, block.stream());
                at += 3 + end;
                continue;
            }
            attributes = TokenStream::new();
            at += 1;
        }
    }

    fn unit(&mut self, attrs: &[Attribute], name: &syn::Ident, is_test: bool, body: TokenStream, inside: TokenStream) {
        let all = applied(attrs);
        let mut gates = self.gates.clone();
        gates.extend(cfgs_of(attrs));
        if is_test {
            // A test that is one only under a condition is gated by it.
            let tests = all.iter().filter(|a| a.is("test"));
            gates.extend(tests.flat_map(|a| a.when.iter().cloned()));
        }
        let (gates, test_only) = shown(&gates);
        let ignored = all.iter().filter(|a| a.is("ignore")).map(under).collect();
        let should_panic = all.iter().find(|a| a.is("should_panic")).map(|a| expected(&a.meta));
        let cases = all.iter().filter(|a| matches!(a.last_name().as_str(), "case" | "test_case"));
        let cases = cases.map(|a| canonical(a.meta.to_token_stream())).collect();
        self.out.units.push(Unit {
            is_test,
            module: self.module.clone(),
            name: name.to_string(),
            line: self.file.line_range(name.span()).0,
            ignored,
            gates,
            test_only,
            should_panic,
            cases,
            body: canonical(body),
            profile: Profile::of(inside),
        });
    }
}

/// A signature without the function's own name: a renamed test is the same test.
fn without_name(stream: TokenStream) -> TokenStream {
    let mut after_fn = false;
    let kept = stream.into_iter().filter(|tree| {
        let is_fn = matches!(tree, TokenTree::Ident(word) if word == "fn");
        let drop = std::mem::replace(&mut after_fn, is_fn);
        !drop
    });
    kept.collect()
}

fn under(attribute: &Applied) -> String {
    let when: Vec<String> = attribute.when.iter().map(show).collect();
    if when.is_empty() { "always".to_owned() } else { when.join(" and ") }
}

/// `expected = ".."` of a `should_panic`.
fn expected(meta: &Meta) -> Option<String> {
    let text = |expr: &syn::Expr| match expr {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    match meta {
        Meta::Path(_) => None,
        Meta::NameValue(pair) => text(&pair.value),
        Meta::List(list) => match list.parse_args::<syn::MetaNameValue>() {
            Ok(pair) if pair.path.is_ident("expected") => text(&pair.value),
            _ => None,
        },
    }
}

/// Conditions as text, `test` aside; and whether `test` is among them.
fn shown(gates: &[CfgExpr]) -> (BTreeSet<String>, bool) {
    let (mut out, mut test) = (BTreeSet::new(), false);
    let mut open: Vec<&CfgExpr> = gates.iter().collect();
    while let Some(gate) = open.pop() {
        match gate {
            CfgExpr::All(parts) => open.extend(parts),
            CfgExpr::Name(name) if name == "test" => test = true,
            CfgExpr::Const(true) => {}
            CfgExpr::Any(_)
            | CfgExpr::Not(_)
            | CfgExpr::Name(_)
            | CfgExpr::Pair(..)
            | CfgExpr::Const(false)
            | CfgExpr::Unknown => {
                out.insert(show(gate));
            }
        }
    }
    (out, test)
}

fn show(gate: &CfgExpr) -> String {
    let list = |name: &str, parts: &[CfgExpr]| {
        let mut parts: Vec<String> = parts.iter().map(show).collect();
        parts.sort();
        format!("{name}({})", parts.join(", "))
    };
    match gate {
        CfgExpr::All(parts) => list("all", parts),
        CfgExpr::Any(parts) => list("any", parts),
        CfgExpr::Not(part) => format!("not({})", show(part)),
        CfgExpr::Name(name) => name.clone(),
        CfgExpr::Pair(key, value) => format!("{key} = \"{value}\""),
        CfgExpr::Const(value) => value.to_string(),
        CfgExpr::Unknown => "a condition that a macro decides".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<Unit> {
        FileUnits::of(&SourceFile::parse("t.rs", text).unwrap()).units
    }

    #[test]
    fn attributes_of_a_test_are_read_with_their_conditions() {
        let all = units(
            "#[cfg(all(test, unix))]\nmod m {\n#[test]\n#[ignore = \"x\"]\n#[should_panic(expected = \"no\")]\nfn a() {}\n#[test]\n#[cfg_attr(windows, ignore)]\nfn b() {}\n}",
        );
        let set = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!((&all[0].ignored, &all[0].gates, all[0].test_only), (&set(&["always"]), &set(&["unix"]), true));
        assert_eq!((all[0].should_panic.clone(), all[0].line), (Some(Some("no".to_owned())), 6));
        assert_eq!((&all[1].ignored, &all[1].should_panic), (&set(&["windows"]), &None));
        assert_eq!(all[0].module, ["m"]);
    }

    #[test]
    fn a_name_is_no_part_of_a_body() {
        assert_eq!(units("#[test] fn a() { f(1) }")[0].body, units("#[test]\nfn b() {\n    f(1)\n}")[0].body);
    }

    #[test]
    fn functions_in_property_macros_are_tests() {
        let all = units(
            "proptest! {\n #![proptest_config(c())]\n /// Doc.\n #[test]\n fn p(x in 0..9) { prop_assert!(x < 9); }\n}",
        );
        assert_eq!((all.len(), all[0].is_test, all[0].profile.assertions.len()), (1, true, 1));
    }

    #[test]
    fn outer_modules_are_read_with_their_conditions() {
        let file = SourceFile::parse("t.rs", "#[cfg(feature = \"x\")]\nmod a;\nmod b { mod c; }").unwrap();
        let modules = FileUnits::of(&file).modules;
        assert_eq!(modules[0].gates.iter().collect::<Vec<_>>(), ["feature = \"x\""]);
        assert_eq!(modules[1].path, ["b", "c"]);
    }
}
