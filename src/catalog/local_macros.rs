//! Macros by example of the crate itself that take nothing but expressions: what is in their calls is code like any
//! other.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::{Item, ItemMacro};

/// By name: whether every rule takes nothing but expressions, and does nothing with them but evaluate them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalMacros(HashMap<String, bool>);

impl LocalMacros {
    /// Adds the definitions among some items, inner modules included.
    pub fn collect(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Macro(mac) => self.add(mac),
                Item::Mod(m) => self.collect(m.content.as_ref().map_or(&[], |(_, items)| items)),
                _ => {}
            }
        }
    }

    /// Whether the arguments of a call may be looked at.
    pub fn takes_expressions(&self, name: &str) -> bool {
        self.0.get(name).copied().unwrap_or(false)
    }

    fn add(&mut self, mac: &ItemMacro) {
        let Some(name) = &mac.ident else { return };
        let good = rules_take_expressions(mac.mac.tokens.clone());
        // Two macros of one name: both have to be harmless.
        self.0.entry(name.to_string()).and_modify(|known| *known &= good).or_insert(good);
    }
}

/// `(matcher) => { body };` again and again.
fn rules_take_expressions(tokens: TokenStream) -> bool {
    let groups: Vec<TokenStream> = tokens
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        })
        .collect();
    !groups.is_empty()
        && groups.len().is_multiple_of(2)
        && groups.chunks(2).all(|rule| matcher_takes_expressions(&rule[0]) && body_is_plain(&rule[1]))
}

fn matcher_takes_expressions(matcher: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = matcher.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at..] {
            [TokenTree::Punct(dollar), TokenTree::Ident(_), TokenTree::Punct(colon), TokenTree::Ident(kind), ..]
                if dollar.as_char() == '$' && colon.as_char() == ':' =>
            {
                if kind != "expr" {
                    return false;
                }
                at += 4;
            }
            [TokenTree::Punct(dollar), TokenTree::Group(group), ..]
                if dollar.as_char() == '$' && group.delimiter() == Delimiter::Parenthesis =>
            {
                if !matcher_takes_expressions(&group.stream()) {
                    return false;
                }
                at += 2;
            }
            [TokenTree::Punct(punct), ..] if ",;*+?".contains(punct.as_char()) => at += 1,
            _ => return false,
        }
    }
    true
}

/// What is done with the arguments must be done at run time, and their text must not be looked at.
fn body_is_plain(body: &TokenStream) -> bool {
    body.clone().into_iter().all(|token| match token {
        TokenTree::Group(group) => body_is_plain(&group.stream()),
        TokenTree::Ident(ident) => {
            !["stringify", "concat", "const", "static", "include", "include_str", "quote", "macro_rules", "fn", "impl"]
                .contains(&ident.to_string().as_str())
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(source: &str, name: &str) -> bool {
        let mut macros = LocalMacros::default();
        macros.collect(&syn::parse_file(source).unwrap().items);
        macros.takes_expressions(name)
    }

    #[test]
    fn macros_of_expressions_are_known() {
        let tri = "macro_rules! tri { ($e:expr $(,)?) => { match $e { Ok(v) => v, Err(e) => return Err(e) } }; }";
        assert!(knows(tri, "tri"));
        assert!(knows("mod m { macro_rules! max { ($a:expr, $($b:expr),+) => { f($a, $($b),+) } } }", "max"));
    }

    #[test]
    fn macros_of_anything_else_are_not() {
        assert!(!knows("macro_rules! m { ($i:ident, $e:expr) => { $e } }", "m"));
        assert!(!knows("macro_rules! m { ($e:expr) => { stringify!($e) } }", "m"));
        assert!(!knows("macro_rules! m { (get $e:expr) => { $e } }", "m"));
        assert!(!knows("fn f() {}", "m"));
    }
}
