//! Match arms, their guards and the literals in their patterns.

use super::text;
use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink, guard_of, holds_let};
use std::ops::Range;
use syn::{Arm, Expr, Lit, Pat};

/// A guard that always holds.
pub const MATCH_GUARD: Operator = Operator {
    name: "match_guard",
    family: "matches",
    summary: "Makes the guard of a match arm always hold.",
    table: &[("x if x > 3 => …", "x if true => …")],
    example: (
        "fn f(x: u8) -> u8 { match x { y if odd(y) => g(), _ => h() } }",
        "fn f(x: u8) -> u8 { match x { y if true => g(), _ => h() } }",
    ),
    default: true,
    why: "a guard that no test sees fail is not tested",
    propose: match_guard,
};

fn match_guard(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Guard(guard) = node else { return };
    if !holds_let(guard) && cx.text_of(guard) != "true" {
        sink.replace_dropping(cx, cx.range(guard), "true", Form::OrTrue);
    }
}

/// An arm that is left out, where a later arm takes all of its values.
pub const MATCH_ARM: Operator = Operator {
    name: "match_arm",
    family: "matches",
    summary: "Leaves out an arm of a match whose values a later arm takes.",
    table: &[("A => 1, _ => 0", "_ => 0"), ("Some(3) => 1, Some(_) => 0", "Some(_) => 0")],
    example: ("fn f(x: u8) -> u8 { match x { 1 => g(), _ => h() } }", "fn f(x: u8) -> u8 { match x {  _ => h() } }"),
    default: true,
    why: "a special case that can go unnoticed is not tested",
    propose: match_arm,
};

fn match_arm(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Arm { whole, index } = node else { return };
    let arm = &whole.arms[*index];
    let Some(heir) = whole.arms[index + 1..].iter().find(|later| inherits(later, arm)) else { return };
    if !arm.attrs.is_empty() || cx.text_of(&arm.body) == cx.text_of(&heir.body) {
        return;
    }
    let Some((after, guard)) = pattern_end(arm, cx) else { return };
    sink.replace_dropping(cx, cx.range(arm), "", Form::ArmGuard { guard, after });
}

/// Byte after the pattern, and the guard; `None` where a guard holds a `let`.
fn pattern_end(arm: &Arm, cx: &Cx<'_>) -> Option<(usize, Option<Range<usize>>)> {
    match (&arm.pat, guard_of(arm)) {
        (Pat::Guard(pat), Some(guard)) => (!holds_let(guard)).then(|| (cx.range(&pat.pat).end, Some(cx.range(guard)))),
        (pat, _) => Some((cx.range(pat).end, None)),
    }
}

/// Whether a later arm takes everything that an arm took.
fn inherits(later: &Arm, arm: &Arm) -> bool {
    guard_of(later).is_none() && later.attrs.is_empty() && covers(&later.pat, bare(&arm.pat)) && !never(&later.body)
}

fn bare(pat: &Pat) -> &Pat {
    match pat {
        Pat::Guard(p) => bare(&p.pat),
        Pat::Paren(p) => bare(&p.pat),
        other => other,
    }
}

/// Whether `wide` matches whatever `narrow` matches, as far as syntax tells.
fn covers(wide: &Pat, narrow: &Pat) -> bool {
    let all = |wide: &syn::punctuated::Punctuated<Pat, syn::Token![,]>,
               narrow: &syn::punctuated::Punctuated<Pat, _>| {
        wide.len() == narrow.len() && wide.iter().zip(narrow).all(|(wide, narrow)| covers(wide, narrow))
    };
    match (bare(wide), bare(narrow)) {
        (Pat::Wild(_), _) => true,
        // A lowercase name binds; an uppercase one may be a constant.
        (Pat::Ident(p), _) if p.subpat.is_none() && binds(&p.ident) => true,
        (Pat::Or(wide), narrow) => wide.cases.iter().any(|wide| covers(wide, narrow)),
        (wide, Pat::Or(narrow)) => narrow.cases.iter().all(|narrow| covers(wide, narrow)),
        (Pat::TupleStruct(wide), Pat::TupleStruct(narrow)) => {
            wide.path == narrow.path && all(&wide.elems, &narrow.elems)
        }
        (Pat::Tuple(wide), Pat::Tuple(narrow)) => all(&wide.elems, &narrow.elems),
        (Pat::Reference(wide), Pat::Reference(narrow)) => covers(&wide.pat, &narrow.pat),
        _ => false,
    }
}

fn binds(name: &syn::Ident) -> bool {
    name.to_string().starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// An arm that only says that it cannot be reached.
fn never(body: &Expr) -> bool {
    matches!(body, Expr::Macro(m) if m.mac.path.segments.last().is_some_and(|last| last.ident == "unreachable"))
}

/// A literal in a pattern moves on by one.
pub const PATTERN_LITERAL: Operator = Operator {
    name: "pattern_literal",
    family: "matches",
    summary: "Takes the next number, character or byte in the pattern of a match arm.",
    table: &[("3 => …", "4 => …"), ("'a'..='z' => …", "'b'..='z' => …"), ("Some(b'\"') => …", "Some(b'#') => …")],
    example: (
        "fn f(x: u8) -> u8 { match x { 3 => g(), _ => h() } }",
        "fn f(x: u8) -> u8 { match x { 4 => g(), _ => h() } }",
    ),
    default: true,
    why: "a special case for the wrong value is not the same special case",
    propose: pattern_literal,
};

fn pattern_literal(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::PatternLit { lit, whole, index } = node else { return };
    let arm = &whole.arms[*index];
    let to = match lit {
        Lit::Int(lit) if !is_some_types_last(lit) => super::literals::incremented(lit),
        Lit::Char(_) | Lit::Byte(_) => text::next(lit),
        _ => None,
    };
    let (Some(to), Some((after, guard))) = (to, pattern_end(arm, cx)) else { return };
    if !arm.attrs.is_empty() {
        return;
    }
    let span = cx.range(*lit);
    let start = cx.range(arm).start;
    let pattern = format!("{}{to}{}", &cx.text[start..span.start], &cx.text[span.end..after]);
    let condition = guard.clone().map(|range| cx.text[range].to_owned());
    let body = cx.text_of(&arm.body).to_owned();
    let form = Form::ArmCopy { at: start, guard, after, pattern, condition, body };
    sink.replace_part(span, cx.range(arm), to, form);
}

/// `255`, `0xFFFF` and their like: the next number would not fit.
fn is_some_types_last(lit: &syn::LitInt) -> bool {
    let lasts =
        [u8::MAX as u128, i8::MAX as u128, u16::MAX as u128, i16::MAX as u128, u32::MAX as u128, i32::MAX as u128];
    lit.base10_parse::<u128>().is_ok_and(|value| lasts.contains(&value) || value >= i64::MAX as u128)
}
