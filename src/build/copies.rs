//! Many mutants of one function in one call of the compiler: each in a renamed copy of the function beside it.
//!
//! A function whose body alone changes can be checked under another name as well as under its own: its signature is
//! what the rest of the crate sees. That does not hold for constants (the value may be a length), for `async` and
//! `impl Trait` results (callers look into the body), for methods of traits (a trait wants no more of them) and for
//! functions that a macro writes; these are not copied. A copy without any change goes first (the control): where the
//! compiler complains about that one, copies of this function say nothing.

use crate::source::SourceFile;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A function that can be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    /// Bytes of the whole function, attributes included.
    pub item: Range<usize>,
    /// Bytes of its name.
    name: Range<usize>,
}

impl Function {
    /// The innermost function whose body holds a change, if it can be copied.
    pub(super) fn around(source: &SourceFile, change: &Range<usize>) -> Option<Function> {
        let mut search = Search { source, change, found: None };
        search.visit_file(&source.ast);
        search.found
    }

    /// The function under another name, with a part of its body replaced.
    pub(super) fn copy(&self, text: &str, name: &str, change: Option<(&Range<usize>, &str)>) -> String {
        let (span, replacement) = match change {
            Some((span, replacement)) => (span.clone(), replacement),
            None => (self.item.end..self.item.end, ""),
        };
        let parts = [
            &text[self.item.start..self.name.start],
            name,
            &text[self.name.end..span.start],
            replacement,
            &text[span.end..self.item.end],
        ];
        format!("\n{}\n", parts.concat())
    }
}

struct Search<'a> {
    source: &'a SourceFile,
    change: &'a Range<usize>,
    found: Option<Function>,
}

impl Search<'_> {
    /// Outer functions are looked at before the functions in them.
    fn look(&mut self, item: Range<usize>, signature: &syn::Signature, body: &syn::Block, copies: bool) {
        let body = self.source.byte_range(body.span());
        if body.start >= self.change.start || self.change.end >= body.end {
            return;
        }
        let mut opaque = Opaque(false);
        opaque.visit_return_type(&signature.output);
        let seen_through = opaque.0 || signature.constness.is_some() || signature.asyncness.is_some();
        let name = self.source.byte_range(signature.ident.span());
        self.found = (copies && !seen_through).then_some(Function { item, name });
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.look(self.source.byte_range(node.span()), &node.sig, &node.block, true);
        visit::visit_item_fn(self, node);
    }

    fn visit_item_impl(&mut self, node: &'ast syn::ItemImpl) {
        for item in &node.items {
            if let syn::ImplItem::Fn(method) = item {
                let bytes = self.source.byte_range(method.span());
                self.look(bytes, &method.sig, &method.block, node.trait_.is_none());
            }
        }
        visit::visit_item_impl(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(body) = &node.default {
            self.look(self.source.byte_range(node.span()), &node.sig, body, false);
        }
        visit::visit_trait_item_fn(self, node);
    }
}

/// Whether a type has an `impl Trait` in it.
struct Opaque(bool);

impl<'ast> Visit<'ast> for Opaque {
    fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
        self.0 = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function around the first `+` of a text.
    fn function(text: &str) -> Option<Function> {
        let source = SourceFile::parse("src/lib.rs", text).expect("the fixture parses");
        let at = text.find('+').expect("the fixture has a `+`");
        Function::around(&source, &(at..at + 1))
    }

    #[test]
    fn a_copy_has_another_name_and_one_change() {
        let text = "mod m {\n    /// Two.\n    pub fn two(n: u8) -> u8 { n + 1 }\n}\n";
        let found = function(text).expect("it can be copied");
        let plus = text.find('+').expect("there is one");
        assert_eq!(
            found.copy(text, "two_1", Some((&(plus..plus + 1), "-"))),
            "\n/// Two.\n    pub fn two_1(n: u8) -> u8 { n - 1 }\n"
        );
        assert_eq!(found.copy(text, "two_0", None), "\n/// Two.\n    pub fn two_0(n: u8) -> u8 { n + 1 }\n");
    }

    #[test]
    fn methods_of_types_and_inner_functions_can_be_copied() {
        let item = |text: &str| function(text).map(|found| text[found.item].to_owned());
        assert_eq!(item("struct A; impl A { fn a() { b + c } }").as_deref(), Some("fn a() { b + c }"));
        assert_eq!(item("fn a() { fn b() { c + d } }").as_deref(), Some("fn b() { c + d }"));
        assert_eq!(item("async fn a() { fn b() { c + d } }").as_deref(), Some("fn b() { c + d }"));
    }

    #[test]
    fn what_others_see_more_of_than_the_signature_is_not_copied() {
        for text in [
            "const fn a() -> u8 { 1 + 2 }",
            "async fn a() { 1 + 2; }",
            "fn a() -> Box<impl Fn()> { 1 + 2; todo!() }",
            "struct A; impl Drop for A { fn drop(&mut self) { 1 + 2; } }",
            "trait A { fn a(&self) { 1 + 2; } }",
            "fn a() { impl Drop for A { fn drop(&mut self) { 1 + 2; } } }",
            "make! { fn a() { 1 + 2; } }",
            "const A: u8 = 1 + 2;",
            "fn a(b: [u8; 1 + 2]) {}",
        ] {
            assert_eq!(function(text), None, "{text}");
        }
    }
}
