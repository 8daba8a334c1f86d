//! Whether code outside of a mutant's own function can tell at compile time that it is live.
//!
//! The body of a function is its own affair, unless it is evaluated at compile time or its return type is known only
//! from it. A private constant is, too, where only such bodies name it. Checking whether the rest of a workspace still
//! compiles costs a build of the rest of the workspace, so it is worth knowing.

use crate::source::SourceFile;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Whether nothing outside of the file's own functions can notice another text in this place at compile time.
pub fn is_private_affair(source: &SourceFile, span: &Range<usize>) -> bool {
    is_in_plain_body(source, span) || is_in_plain_constant(source, span)
}

/// Whether the place lies in the body of a function that only runs, outside of whatever is evaluated to compile it.
fn is_in_plain_body(source: &SourceFile, span: &Range<usize>) -> bool {
    let mut finder = Finder { source, span, plain: false };
    finder.visit_file(&source.ast);
    finder.plain
}

/// Whether the place lies in a private constant that nothing but plain bodies of its own file names.
fn is_in_plain_constant(source: &SourceFile, span: &Range<usize>) -> bool {
    let Some(name) = private_constant(source, &source.ast.items, span) else { return false };
    let mut named = Vec::new();
    idents(source.ast.to_token_stream(), &mut named);
    let elsewhere =
        named.iter().filter(|ident| **ident == *name && ident.span().byte_range() != name.span().byte_range());
    elsewhere.map(|ident| source.byte_range(ident.span())).all(|place| is_in_plain_body(source, &place))
}

/// The name of the constant or static around the place, where it is visible in this file alone.
fn private_constant<'a>(source: &SourceFile, items: &'a [syn::Item], span: &Range<usize>) -> Option<&'a syn::Ident> {
    if !items.iter().all(is_closed) {
        return None;
    }
    let private = |vis: &syn::Visibility| matches!(vis, syn::Visibility::Inherited);
    let around = items.iter().find(|item| {
        let range = source.byte_range(item.span());
        range.start <= span.start && span.end <= range.end
    })?;
    match around {
        syn::Item::Const(item) if private(&item.vis) && item.ident != "_" => Some(&item.ident),
        syn::Item::Static(item) if private(&item.vis) => Some(&item.ident),
        syn::Item::Mod(item) => private_constant(source, &item.content.as_ref()?.1, span),
        _ => None,
    }
}

/// Whether all code that may see the private items around an item stands in this file: modules in files of their own see
/// them, however deep, and so does what a macro such as `include!` puts here.
fn is_closed(item: &syn::Item) -> bool {
    match item {
        syn::Item::Mod(item) => item.content.as_ref().is_some_and(|(_, items)| items.iter().all(is_closed)),
        syn::Item::Macro(item) => item.mac.path.is_ident("macro_rules") || item.mac.path.is_ident("thread_local"),
        _ => true,
    }
}

fn idents(tokens: TokenStream, found: &mut Vec<proc_macro2::Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident),
            TokenTree::Group(group) => idents(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

struct Finder<'a> {
    source: &'a SourceFile,
    span: &'a Range<usize>,
    /// What the innermost node that decides has said.
    plain: bool,
}

impl Finder<'_> {
    fn touches(&self, node: &impl Spanned) -> bool {
        let range = self.source.byte_range(node.span());
        range.start < self.span.end && self.span.start < range.end
    }

    fn holds(&self, node: &impl Spanned) -> bool {
        let range = self.source.byte_range(node.span());
        range.start < self.span.start && self.span.end < range.end
    }

    fn function(&mut self, sig: &syn::Signature, block: &syn::Block) {
        // The type behind `impl Trait` and that of a future follow from the body.
        let runs = sig.constness.is_none() && sig.asyncness.is_none() && !says_impl(&sig.output);
        self.plain = self.holds(block) && runs;
    }

    fn evaluated(&mut self, node: &impl Spanned) {
        if self.touches(node) {
            self.plain = false;
        }
    }
}

/// A macro may say it, too.
fn says_impl(output: &syn::ReturnType) -> bool {
    let mut said = SaysImpl(false);
    said.visit_return_type(output);
    said.0
}

struct SaysImpl(bool);

impl<'ast> Visit<'ast> for SaysImpl {
    fn visit_type_impl_trait(&mut self, _of: &'ast syn::TypeImplTrait) {
        self.0 = true;
    }

    fn visit_type_macro(&mut self, _of: &'ast syn::TypeMacro) {
        self.0 = true;
    }
}

/// From outside in: each node that touches the place decides anew.
impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.touches(item) {
            self.plain = false;
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.touches(item) {
            self.function(&item.sig, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if self.touches(item) {
            item.default.iter().for_each(|block| self.function(&item.sig, block));
            visit::visit_trait_item_fn(self, item);
        }
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.evaluated(block);
    }

    fn visit_expr_repeat(&mut self, array: &'ast syn::ExprRepeat) {
        self.visit_expr(&array.expr);
        self.evaluated(&array.len);
    }

    fn visit_type(&mut self, of: &'ast syn::Type) {
        self.evaluated(of);
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.evaluated(argument);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the first `HERE` of the text lies where nobody else looks.
    fn unseen(text: &str) -> bool {
        let at = text.find("HERE").unwrap();
        is_private_affair(&SourceFile::parse("src/lib.rs", text).unwrap(), &(at..at + 4))
    }

    #[test]
    fn the_body_of_a_function_is_its_own_affair() {
        assert!(unseen("pub fn f() -> u8 { HERE }"));
        assert!(unseen("impl S { pub fn f(&self) { if a { g(|| HERE); } } }"));
        assert!(unseen("trait T { fn f() { g(vec![HERE]); } }"));
        assert!(unseen("const fn g() { fn f() { HERE } }"));
    }

    #[test]
    fn what_is_evaluated_to_compile_or_decides_a_type_is_seen() {
        assert!(!unseen("pub const fn f() -> u8 { HERE }"));
        assert!(!unseen("pub fn f() -> impl Iterator<Item = u8> { HERE }"));
        assert!(!unseen("pub fn f() -> Box<[impl Fn()]> { HERE }"));
        assert!(!unseen("pub fn f() -> stream!(u8) { HERE }"));
        assert!(!unseen("pub async fn f() -> u8 { HERE }"));
        assert!(!unseen("fn f() { const N: u8 = HERE; }"));
        assert!(!unseen("fn f() { g([0; HERE]); h::<{ HERE }>(); }"));
        assert!(!unseen("fn f() { h::<HERE>(); }"));
        assert!(!unseen("fn f() { const { g(HERE) } }"));
        assert!(!unseen("fn f(x: [u8; HERE]) {}"));
        assert!(!unseen("macro_rules! m { () => { HERE } }"));
        assert!(!unseen("pub const A: u8 = HERE;"));
    }

    #[test]
    fn a_private_constant_is_where_only_bodies_name_it() {
        assert!(unseen("const A: u8 = HERE;\nfn f() -> u8 { g(A) }"));
        assert!(unseen("mod m { static A: u8 = HERE; fn f() -> u8 { h!(A) } }"));
        assert!(!unseen("const A: usize = HERE;\npub fn f(x: [u8; A]) {}"));
        assert!(!unseen("const A: u8 = HERE;\npub const B: u8 = A;"));
        assert!(!unseen("const A: u8 = HERE;\npub const fn f() -> u8 { A }"));
        assert!(!unseen("mod other;\nconst A: u8 = HERE;\nfn f() -> u8 { A }"));
        assert!(!unseen("const _: () = HERE;"));
        assert!(!unseen("mod m { mod other; }\nconst A: u8 = HERE;\nfn f() -> u8 { A }"));
        assert!(!unseen("include!(\"other.rs\");\nconst A: u8 = HERE;\nfn f() -> u8 { A }"));
        assert!(unseen("macro_rules! m { () => {} }\nconst A: u8 = HERE;\nfn f() -> u8 { A }"));
    }
}
