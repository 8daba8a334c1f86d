//! Code that its author has asked mutation tools to leave alone: what stands under `#[mutants::skip]`.
//!
//! The attribute is cargo-mutants' (its book, "Skipping functions with an attribute"), and does nothing when compiled.
//! It is no excusal: its owner gives no reason and no date, and a patch can bring it along.

use super::SourceFile;
use super::cfg_expr::applied;
use super::items::{attrs_of, wrapped_items};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, TraitItem};

/// The bytes of every item, method or file that bears the attribute, in a `cfg_attr` too, whatever its condition.
pub fn skipped(file: &SourceFile) -> Vec<Range<usize>> {
    if !file.text.contains("mutants") {
        return Vec::new();
    }
    if bears(&file.ast.attrs) {
        return std::iter::once(0..file.text.len()).collect();
    }
    let mut finder = Finder { file, found: Vec::new() };
    finder.visit_file(&file.ast);
    finder.found
}

fn bears(attrs: &[Attribute]) -> bool {
    let is_skip = |segments: Vec<String>| segments == ["mutants", "skip"];
    applied(attrs).iter().any(|a| is_skip(a.meta.path().segments.iter().map(|s| s.ident.to_string()).collect()))
}

struct Finder<'a> {
    file: &'a SourceFile,
    found: Vec<Range<usize>>,
}

impl Finder<'_> {
    fn look(&mut self, attrs: &[Attribute], whole: &dyn Spanned) {
        if bears(attrs) {
            self.found.push(self.file.byte_range(whole.span()));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        self.look(attrs_of(item), item);
        if let Item::Macro(m) = item {
            let inside = wrapped_items(&m.mac).into_iter().flat_map(|(_, items)| items);
            inside.for_each(|item| Finder::visit_item(self, &item));
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if let ImplItem::Fn(f) = item {
            self.look(&f.attrs, item);
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if let TraitItem::Fn(f) = item {
            self.look(&f.attrs, item);
        }
        visit::visit_trait_item(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that stand in skipped code, of `a`, `b` …
    fn skips(text: &str) -> Vec<String> {
        let file = SourceFile::parse("a.rs", text).unwrap();
        skipped(&file).into_iter().map(|range| file.text[range].to_owned()).collect()
    }

    #[test]
    fn functions_methods_and_whole_blocks_are_found_wherever_they_stand() {
        assert_eq!(skips("#[mutants::skip] fn a() {}\nfn b() {}"), ["#[mutants::skip] fn a() {}"]);
        for text in [
            "impl X { #[mutants::skip] fn a() {} fn b() {} }",
            "trait X { #[::mutants::skip] fn a() {} fn b() {} }",
            "mod m { #[mutants::skip] impl X { fn a() {} } fn b() {} }",
            "fn b() { #[mutants::skip] fn a() {} }",
            "cfg_if! { if #[cfg(unix)] { #[mutants::skip] fn a() {} } else { fn b() {} } }",
        ] {
            let found = skips(text);
            assert!(found.len() == 1 && found[0].contains("fn a") && !found[0].contains("fn b"), "{text}: {found:?}");
        }
    }

    #[test]
    fn the_attribute_is_found_behind_a_condition_and_for_a_whole_file() {
        assert_eq!(skips("#[inline] #[cfg_attr(test, mutants::skip)] fn a() {}").len(), 1);
        let whole = "#![cfg_attr(test, mutants::skip)]\nfn a() {}";
        assert_eq!(skips(whole), [whole]);
    }

    #[test]
    fn other_attributes_called_skip_are_none() {
        for text in ["#[skip] fn a() {}", "#[rustfmt::skip] fn mutants() {}", "// mutants::skip\nfn a() {}"] {
            assert!(skips(text).is_empty(), "{text}");
        }
    }
}
