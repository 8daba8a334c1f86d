//! Production code that behaves otherwise when it is tested: what its tests see is not what ships.
//!
//! Test modules, test-only helpers and imports are the ordinary use of `cfg(test)`; what counts here is code that asks in
//! the midst of a function, code that is there only when nobody tests, and code that looks for this program or nextest.

use crate::source::SourceFile;
use crate::source::cfg_expr::{CfgExpr, cfgs_of};
use crate::source::items::{attrs_of, is_test};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, LitStr, Macro, TraitItem};

/// The starts of the names of environment variables that say that tests run.
const VARIABLES: [&str; 3] = ["HUNKMUT", "__HUNKMUT", "NEXTEST"];

/// Whether a production file asks more often if it is being tested, as one sentence about the file.
pub fn forks(path: &str, old: Option<&str>, new: &str) -> Option<String> {
    let count = |text: &str| SourceFile::parse(path, text).map(|file| count(&file)).unwrap_or_default();
    let more = count(new) > old.map_or(0, count);
    more.then(|| format!("`{path}` asks whether it is being tested: what the tests see is not what ships"))
}

fn count(file: &SourceFile) -> usize {
    let mut asking = Asking::default();
    asking.visit_file(&file.ast);
    asking.count
}

#[derive(Default)]
struct Asking {
    count: usize,
}

impl Asking {
    /// An item: left alone when it is there only for tests, counted when it is there only without them.
    fn item(&mut self, attrs: &[Attribute], inside: impl FnOnce(&mut Self)) {
        let cfgs = cfgs_of(attrs);
        if is_test(attrs) || cfgs.iter().any(needs_test) {
            return;
        }
        let before = self.count;
        inside(self);
        // Its own attributes were counted like those of a statement.
        let own = cfgs.iter().filter(|cfg| mentions_test(cfg)).count();
        self.count = (self.count - own.min(self.count - before)) + cfgs.iter().filter(|cfg| forbids_test(cfg)).count();
    }

    /// Macros hold tokens that nobody parses.
    fn tokens(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal.clone()) {
                        self.visit_lit_str(&text);
                    }
                }
                TokenTree::Ident(name) if name == "cfg" => {
                    let bang = matches!(trees.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!');
                    if let (true, Some(TokenTree::Group(group))) = (bang, trees.get(at + 2)) {
                        self.count += usize::from(names_test(group.stream()));
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Asking {
    fn visit_item(&mut self, item: &'ast Item) {
        self.item(attrs_of(item), |asking| visit::visit_item(asking, item));
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attrs = match item {
            ImplItem::Const(i) => &i.attrs[..],
            ImplItem::Fn(i) => &i.attrs,
            ImplItem::Type(i) => &i.attrs,
            ImplItem::Macro(i) => &i.attrs,
            _ => &[], // non-exhaustive in `syn`
        };
        self.item(attrs, |asking| visit::visit_impl_item(asking, item));
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let attrs = match item {
            TraitItem::Const(i) => &i.attrs[..],
            TraitItem::Fn(i) => &i.attrs,
            TraitItem::Type(i) => &i.attrs,
            TraitItem::Macro(i) => &i.attrs,
            _ => &[], // non-exhaustive in `syn`
        };
        self.item(attrs, |asking| visit::visit_trait_item(asking, item));
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        self.count += cfgs_of(std::slice::from_ref(attr)).iter().filter(|cfg| mentions_test(cfg)).count();
        if !attr.path().is_ident("doc") {
            visit::visit_attribute(self, attr);
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if mac.path.is_ident("cfg") {
            self.count += usize::from(names_test(mac.tokens.clone()));
        } else {
            self.tokens(mac.tokens.clone());
        }
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        let text = text.value();
        self.count += usize::from(VARIABLES.iter().any(|start| text.starts_with(start)));
    }
}

fn names_test(stream: TokenStream) -> bool {
    stream.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => names_test(group.stream()),
        TokenTree::Ident(name) => name == "test",
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether a condition cannot hold without `test`.
fn needs_test(cfg: &CfgExpr) -> bool {
    match cfg {
        CfgExpr::Name(name) => name == "test",
        CfgExpr::All(parts) => parts.iter().any(needs_test),
        CfgExpr::Any(parts) => !parts.is_empty() && parts.iter().all(needs_test),
        CfgExpr::Not(part) => forbids_test(part),
        CfgExpr::Pair(..) | CfgExpr::Const(_) | CfgExpr::Unknown => false,
    }
}

/// Whether a condition cannot hold with `test`.
fn forbids_test(cfg: &CfgExpr) -> bool {
    match cfg {
        CfgExpr::Not(part) => must_hold_with_test(part),
        CfgExpr::All(parts) => parts.iter().any(forbids_test),
        CfgExpr::Any(parts) => !parts.is_empty() && parts.iter().all(forbids_test),
        CfgExpr::Name(_) | CfgExpr::Pair(..) | CfgExpr::Const(_) | CfgExpr::Unknown => false,
    }
}

/// Whether `test` alone is enough for a condition.
fn must_hold_with_test(cfg: &CfgExpr) -> bool {
    match cfg {
        CfgExpr::Name(name) => name == "test",
        CfgExpr::Any(parts) => parts.iter().any(must_hold_with_test),
        CfgExpr::All(parts) => !parts.is_empty() && parts.iter().all(must_hold_with_test),
        CfgExpr::Not(_) | CfgExpr::Pair(..) | CfgExpr::Const(_) | CfgExpr::Unknown => false,
    }
}

fn mentions_test(cfg: &CfgExpr) -> bool {
    match cfg {
        CfgExpr::Name(name) => name == "test",
        CfgExpr::All(parts) | CfgExpr::Any(parts) => parts.iter().any(mentions_test),
        CfgExpr::Not(part) => mentions_test(part),
        CfgExpr::Pair(..) | CfgExpr::Const(_) | CfgExpr::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_named(code: &str) -> bool {
        forks("src/a.rs", Some("fn f() {}"), code).is_some()
    }

    #[test]
    fn code_that_asks_whether_it_is_tested_is_named() {
        for code in [
            "fn f() { if cfg!(test) { return; } }",
            "fn f() { if cfg!(all(unix, not(test))) { log(); } }",
            "fn f() { println!(\"{}\", cfg!(test)); }",
            "#[cfg(not(test))] fn f() { real() }\n#[cfg(test)] fn f() { fake() }",
            "#[cfg(not(any(test, feature = \"x\")))] use real as clock;",
            "impl X { #[cfg(not(test))] fn f() {} }",
            "fn f() { #[cfg(test)] return 1; 2 }",
            "fn f() { #[cfg(not(test))] { check(); } }",
            "struct S { #[cfg(test)] seen: u8 }",
            "fn f() { std::env::var(\"NEXTEST\"); }",
            "fn f() { std::env::var_os(r\"HUNKMUT_ID\"); }",
            "fn f() { option_env!(\"__HUNKMUT_X\"); }",
        ] {
            assert!(is_named(code), "{code}");
        }
    }

    #[test]
    fn tests_beside_the_code_and_their_helpers_are_no_fork() {
        for code in [
            "fn f() {}\n#[cfg(test)] mod tests { fn g() { if cfg!(test) {} } }",
            "#[cfg(all(test, unix))] use x;\nfn f() {}",
            "#[cfg(any(test, feature = \"testing\"))] pub fn helper() {}",
            "#[cfg_attr(test, derive(PartialEq))] struct S;",
            "#![cfg_attr(not(test), no_std)]\nfn f() {}",
            "fn f() { if cfg!(unix) {} }",
            "/// NEXTEST is a variable.\nfn f() {}",
            "#[test] fn t() { std::env::var(\"NEXTEST\"); }",
        ] {
            assert!(!is_named(code), "{code}");
        }
    }

    #[test]
    fn what_was_so_before_is_not_the_patchs() {
        let same = "fn f() { if cfg!(not(test)) {} }";
        assert!(forks("src/a.rs", Some(same), same).is_none());
        assert!(forks("src/a.rs", None, same).is_some());
    }
}
