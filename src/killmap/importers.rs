//! Which files import a module directly: by `use`, by `mod`, or by a path that leads into it.
//!
//! Tokens, not name resolution: a path is taken at its word from where it stands. A re-export hides what lies behind
//! it, which is what "direct" means.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// A module that files may import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The package, by its name as code writes it.
    pub package: String,
    /// The module's path in its crate; empty for the crate's root.
    pub path: Vec<String>,
}

/// Whether the code of a file, itself the module `own`, imports `wanted`. `None` when the text is no Rust.
pub fn imports(text: &str, own: &Module, wanted: &Module) -> Option<bool> {
    let stream: TokenStream = text.parse().ok()?;
    let mut paths = BTreeSet::new();
    collect(stream, &mut paths);
    let mut found = paths.iter().any(|path| leads_into(path, own, wanted));
    found |= own.package == wanted.package
        && declared(text).iter().any(|name| {
            let mut child = own.path.clone();
            child.push(name.clone());
            child == wanted.path
        });
    Some(found)
}

/// The names of `mod name;` and `mod name {`.
fn declared(text: &str) -> Vec<String> {
    let Ok(stream) = text.parse::<TokenStream>() else { return Vec::new() };
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let declares = |pair: &[TokenTree]| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "mod" => Some(name.to_string()),
        _ => None,
    };
    trees.windows(2).filter_map(declares).collect()
}

/// Every path of two or more names, `use` groups opened up.
fn collect(stream: TokenStream, out: &mut BTreeSet<Vec<String>>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    pieces(&trees, &[], out);
}

fn pieces(trees: &[TokenTree], prefix: &[String], out: &mut BTreeSet<Vec<String>>) {
    let colon = |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Ident(first) => {
                let mut path: Vec<String> = prefix.to_vec();
                path.push(first.to_string());
                at += 1;
                while colon(at) && colon(at + 1) {
                    match trees.get(at + 2) {
                        Some(TokenTree::Ident(next)) => {
                            path.push(next.to_string());
                            at += 3;
                        }
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                            pieces(&inside, &path, out);
                            at += 3;
                            break;
                        }
                        _ => {
                            at += 2;
                            break;
                        }
                    }
                }
                if path.len() > 1 {
                    out.insert(path);
                }
            }
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                pieces(&inside, &[], out);
                at += 1;
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
        }
    }
}

fn leads_into(path: &[String], own: &Module, wanted: &Module) -> bool {
    let same = own.package == wanted.package;
    let reaches = |absolute: &[String]| match wanted.path.is_empty() {
        // An item of the root, not one of some module.
        true => absolute.len() == 1,
        false => absolute.starts_with(&wanted.path),
    };
    match path[0].as_str() {
        "crate" => same && reaches(&path[1..]),
        "self" | "super" => {
            let mut base = own.path.clone();
            let mut at = 0;
            while let Some(word) = path.get(at) {
                match word.as_str() {
                    "self" => {}
                    "super" => {
                        base.pop();
                    }
                    _ => break,
                }
                at += 1;
            }
            base.extend_from_slice(&path[at..]);
            same && reaches(&base)
        }
        first if first == wanted.package => reaches(&path[1..]),
        _ => {
            let relative: Vec<String> = own.path.iter().chain(path).cloned().collect();
            same && !wanted.path.is_empty() && (reaches(&relative) || reaches(path))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(package: &str, path: &[&str]) -> Module {
        Module { package: package.into(), path: path.iter().map(|part| (*part).to_owned()).collect() }
    }

    fn direct(text: &str) -> bool {
        imports(text, &module("app", &["shop", "cart"]), &module("app", &["shop", "pricing"])).unwrap()
    }

    #[test]
    fn uses_paths_and_declarations_are_imports() {
        assert!(direct("use crate::shop::pricing::bulk;"));
        assert!(direct("use crate::{shop::{pricing, other}, x};"));
        assert!(direct("fn f() { super::pricing::bulk(1) }"));
        assert!(direct("use app::shop::pricing::*;"));
        assert!(!direct("use crate::shop::stock; fn f() { pricing() }"));
        assert!(!direct("use other::shop::pricing;"));
        let parent = module("app", &["shop"]);
        assert_eq!(imports("mod pricing; mod cart;", &parent, &module("app", &["shop", "pricing"])), Some(true));
        assert_eq!(imports("fn f() { pricing::bulk() }", &parent, &module("app", &["shop", "pricing"])), Some(true));
    }

    #[test]
    fn the_root_of_another_crate_is_imported_by_its_items() {
        let core = module("core_lib", &[]);
        assert_eq!(imports("use core_lib::Day;", &module("app", &[]), &core), Some(true));
        assert_eq!(imports("use core_lib::time::Day;", &module("app", &[]), &core), Some(false));
        assert_eq!(imports("use crate::Day;", &module("core_lib", &["a"]), &core), Some(true));
    }
}
