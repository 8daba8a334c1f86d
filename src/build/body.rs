//! The innermost function, closure or async block around a change, and whether all of it is sure to be compiled once.
//!
//! Generic code is compiled for the types that somebody uses it with, a constant wherever it is named: of both, the code
//! of one crate does not show everything. Tokens inside of a macro call may be anything.

use crate::source::SourceFile;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Where code can be put that runs whenever the body does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Inside a block, at this byte.
    Block(usize),
    /// Around an expression.
    Expr(Range<usize>),
}

impl Body {
    /// Finds the body around a change; `None` where code could be compiled any number of times, or never.
    pub fn around(source: &SourceFile, span: &Range<usize>) -> Option<Body> {
        let mut finder = Finder { source, span, body: None, manifold: false };
        finder.visit_file(&source.ast);
        finder.body.filter(|_| !finder.manifold)
    }

    /// What has to be inserted so that a statement runs first: bytes and text, in order.
    pub fn insertions(&self, statement: &str) -> Vec<(usize, String)> {
        match self {
            Body::Block(at) => vec![(*at, format!(" {statement} "))],
            Body::Expr(range) => vec![(range.start, format!("{{ {statement} ")), (range.end, " }".to_owned())],
        }
    }
}

struct Finder<'a> {
    source: &'a SourceFile,
    span: &'a Range<usize>,
    body: Option<Body>,
    /// Whether it is generic, constant, or inside a macro.
    manifold: bool,
}

impl Finder<'_> {
    fn holds(&self, node: &impl Spanned) -> bool {
        let range = self.source.byte_range(node.span());
        range.start <= self.span.start && self.span.end <= range.end
    }

    fn enter(&mut self, block: &syn::Block) {
        if self.holds(block) {
            self.body = Some(Body::Block(self.source.byte_range(block.brace_token.span.open()).end));
        }
    }

    fn function(&mut self, sig: &syn::Signature, block: &syn::Block) {
        self.manifold |= self.holds(block) && (sig.constness.is_some() || is_generic(&sig.generics) || takes_impl(sig));
        self.enter(block);
    }
}

fn is_generic(generics: &syn::Generics) -> bool {
    generics.params.iter().any(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
}

/// Whether a parameter's type is `impl Trait`, however deep.
fn takes_impl(sig: &syn::Signature) -> bool {
    struct Impl(bool);
    impl Visit<'_> for Impl {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = Impl(false);
    sig.inputs.iter().for_each(|input| found.visit_fn_arg(input));
    found.0
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !self.holds(item) {
            return;
        }
        // An item inside a body is no part of it.
        self.body = None;
        visit::visit_item(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.holds(item) {
            self.function(&item.sig, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.manifold |= is_generic(&item.generics);
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.manifold = true;
        visit::visit_item_trait(self, item);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if self.holds(&closure.body) {
            match &*closure.body {
                syn::Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => self.enter(&block.block),
                body => self.body = Some(Body::Expr(self.source.byte_range(body.span()))),
            }
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        self.enter(&block.block);
        visit::visit_expr_async(self, block);
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.manifold |= self.holds(block);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.manifold |= self.holds(mac);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the statement in the body around `what`.
    fn with(text: &str, what: &str) -> Option<String> {
        let source = SourceFile::parse("", text).unwrap();
        let at = text.find(what).unwrap();
        let body = Body::around(&source, &(at..at + what.len()))?;
        let mut text = text.to_owned();
        for (at, insertion) in body.insertions("M;").into_iter().rev() {
            text.insert_str(at, &insertion);
        }
        Some(text)
    }

    #[test]
    fn the_innermost_body_counts() {
        assert_eq!(with("fn f() { 1 + 2 }", "1").unwrap(), "fn f() { M;  1 + 2 }");
        assert_eq!(with("fn f() { g(|x| x + 1) }", "x + 1").unwrap(), "fn f() { g(|x| { M; x + 1 }) }");
        assert_eq!(with("fn f() { g(|x| { x + 1 }) }", "x + 1").unwrap(), "fn f() { g(|x| { M;  x + 1 }) }");
        assert_eq!(with("fn f() { async move { 1 } }", "1").unwrap(), "fn f() { async move { M;  1 } }");
        assert_eq!(
            with("impl A { fn f(&self) { fn g() { 1 } } }", "1").unwrap(),
            "impl A { fn f(&self) { fn g() { M;  1 } } }"
        );
    }

    #[test]
    fn code_that_may_be_compiled_many_times_or_never_has_none() {
        for text in [
            "fn f<T: Into<u8>>(t: T) { 1; }",
            "fn f<const N: usize>() { 1; }",
            "fn f(t: &impl Into<u8>) { 1; }",
            "impl<T> A<T> { fn f(&self) { 1; } }",
            "trait A { fn f(&self) { 1; } }",
            "const fn f() { 1; }",
            "const A: u8 = 1;",
            "fn f() { const A: u8 = 1; }",
            "fn f() { const { 1 } }",
            "fn f() { vec![1]; }",
        ] {
            assert_eq!(with(text, "1"), None, "{text}");
        }
        assert!(with("impl<'a> A<'a> { fn f(&'a self) { 1; } }", "1").is_some(), "lifetimes are no types");
    }
}
