//! Questions about syntax that the walk asks: what is a number, what may have a side effect, which type is still open.

use super::node::{Node, moved_without_temporaries, temporary_free};
use syn::{Expr, Lit, Pat, Type};

/// A value whose type may be known only from later uses.
pub(super) fn open_type(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Int(_) | Lit::Float(_)),
        Expr::Struct(_) | Expr::Field(_) | Expr::Binary(_) | Expr::Index(_) | Expr::Cast(_) => false,
        Expr::Reference(e) => open_type(&e.expr),
        Expr::Unary(e) => open_type(&e.expr),
        Expr::Paren(e) => open_type(&e.expr),
        Expr::Path(_) => true,
        _ => true,
    }
}

pub(super) fn node_is_temporary_free(node: &Node<'_>) -> bool {
    match node {
        Node::Binary(e) => temporary_free(&e.left) && temporary_free(&e.right),
        Node::Unary(e) => temporary_free(&e.expr),
        Node::Predicate(e) | Node::Bound(e) | Node::Guard(e) => temporary_free(e),
        Node::Int { .. } | Node::Bool(_) => true,
        Node::Method(e) => temporary_free(&e.receiver) && e.args.iter().all(moved_without_temporaries),
        Node::Call(e) => temporary_free(&e.func) && e.args.iter().all(moved_without_temporaries),
        Node::Fields { whole, .. } => {
            whole.fields.iter().all(|field| moved_without_temporaries(&field.expr))
                && whole.rest.as_deref().is_none_or(temporary_free)
        }
        Node::Swappable { whole, .. } => moved_without_temporaries(whole),
        Node::Try(e) => moved_without_temporaries(&e.expr),
        Node::Str { .. } | Node::Char(_) | Node::LoopControl(_) => true,
        Node::Range(_)
        | Node::Statement { .. }
        | Node::Neighbours(..)
        | Node::Arm { .. }
        | Node::Returned { .. }
        | Node::PatternLit { .. } => false,
    }
}

/// A number as written, with or without a sign and parentheses.
pub(super) fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(lit.lit, Lit::Int(_)),
        Expr::Unary(e) => is_number(&e.expr),
        Expr::Paren(e) => is_number(&e.expr),
        _ => false,
    }
}

pub(super) fn has_side_effect(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(e) => has_side_effect(&e.left) || has_side_effect(&e.right),
        Expr::MethodCall(e) => {
            !matches!(
                e.method.to_string().as_str(),
                "len" | "min" | "max" | "saturating_sub" | "saturating_add" | "count"
            ) || has_side_effect(&e.receiver)
                || e.args.iter().any(has_side_effect)
        }
        Expr::Paren(e) => has_side_effect(&e.expr),
        other => !temporary_free(other),
    }
}

/// Methods that look for, or look up, what their arguments say.
pub(super) const LOOKS_UP: &[&str] = &[
    "starts_with",
    "ends_with",
    "strip_prefix",
    "strip_suffix",
    "contains",
    "find",
    "rfind",
    "split",
    "rsplit",
    "splitn",
    "split_once",
    "rsplit_once",
    "trim_start_matches",
    "trim_end_matches",
    "matches",
    "replace",
    "get",
    "get_mut",
    "contains_key",
    "remove",
    "insert",
    "entry",
    "eq",
    "join",
    "eq_ignore_ascii_case",
];

pub(super) fn bare_string(expr: &Expr) -> Option<&syn::LitStr> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(lit) => Some(lit),
            _ => None,
        },
        Expr::Reference(e) => bare_string(&e.expr),
        Expr::Paren(e) => bare_string(&e.expr),
        _ => None,
    }
}

/// `Duration::from_secs` and its like.
pub(super) fn is_duration(path: &syn::Path) -> bool {
    let mut last = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    matches!((last.next(), last.next()), (Some(name), Some(ty)) if ty == "Duration" && name.starts_with("from_"))
}

/// The literals in a pattern, guards left out.
pub(super) fn pattern_literals(pat: &Pat) -> Vec<&Lit> {
    match pat {
        Pat::Lit(lit) => vec![&lit.lit],
        Pat::Guard(p) => pattern_literals(&p.pat),
        Pat::Ident(p) => p.subpat.iter().flat_map(|(_, pat)| pattern_literals(pat)).collect(),
        Pat::Or(p) => p.cases.iter().flat_map(pattern_literals).collect(),
        Pat::Paren(p) => pattern_literals(&p.pat),
        Pat::Reference(p) => pattern_literals(&p.pat),
        Pat::Slice(p) => p.elems.iter().flat_map(pattern_literals).collect(),
        Pat::Tuple(p) => p.elems.iter().flat_map(pattern_literals).collect(),
        Pat::TupleStruct(p) => p.elems.iter().flat_map(pattern_literals).collect(),
        Pat::Struct(p) => p.fields.iter().flat_map(|field| pattern_literals(&field.pat)).collect(),
        Pat::Range(p) => [&p.start, &p.end]
            .into_iter()
            .flatten()
            .filter_map(|end| match &**end {
                Expr::Lit(lit) => Some(&lit.lit),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn name_is(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

pub(super) fn attributes(expr: &Expr) -> &[syn::Attribute] {
    match expr {
        Expr::Call(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Assign(e) => &e.attrs,
        Expr::Await(e) => &e.attrs,
        Expr::Try(e) => &e.attrs,
        _ => &[],
    }
}

pub(super) fn is_default(item: &syn::ItemImpl) -> bool {
    item.trait_.as_ref().is_some_and(|(path, _)| path.segments.last().is_some_and(|last| last.ident == "Default"))
}

/// The name of an impl's type for item paths: `Vec<T>` → `Vec`, `&[u8]` → the type's tokens.
pub(super) fn type_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => match path.path.segments.last() {
            Some(last) => last.ident.to_string(),
            None => String::new(),
        },
        Type::Reference(r) => type_name(&r.elem),
        other => quote::quote!(#other).to_string().split_whitespace().collect(),
    }
}
