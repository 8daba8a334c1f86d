//! Match arms and their guards.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink, guard_of, holds_let};
use syn::{Arm, Expr, Pat};

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

/// An arm that is left out, where a later arm takes every value.
pub const MATCH_ARM: Operator = Operator {
    name: "match_arm",
    family: "matches",
    summary: "Leaves out an arm of a match that a later catch-all arm covers.",
    table: &[("A => 1, _ => 0", "_ => 0")],
    example: ("fn f(x: u8) -> u8 { match x { 1 => g(), _ => h() } }", "fn f(x: u8) -> u8 { match x {  _ => h() } }"),
    default: true,
    why: "a special case that can go unnoticed is not tested",
    propose: match_arm,
};

fn match_arm(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Arm { whole, index } = node else { return };
    let arm = &whole.arms[*index];
    let covered = whole.arms[index + 1..].iter().any(catches_all);
    if !covered || catches_all(arm) || !arm.attrs.is_empty() {
        return;
    }
    let next = &whole.arms[index + 1];
    if cx.text_of(&arm.body) == cx.text_of(&next.body) && catches_all(next) {
        return;
    }
    let (after, guard) = match (&arm.pat, guard_of(arm)) {
        (Pat::Guard(pat), Some(guard)) => {
            if holds_let(guard) {
                return;
            }
            (cx.range(&pat.pat).end, Some(cx.range(guard)))
        }
        (pat, _) => (cx.range(pat).end, None),
    };
    sink.replace_dropping(cx, cx.range(arm), "", Form::ArmGuard { guard, after });
}

fn catches_all(arm: &Arm) -> bool {
    fn pattern(pat: &Pat) -> bool {
        match pat {
            Pat::Wild(_) => true,
            // A lowercase name binds; an uppercase one may be a constant.
            Pat::Ident(p) => {
                p.subpat.is_none() && p.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_')
            }
            Pat::Paren(p) => pattern(&p.pat),
            _ => false,
        }
    }
    pattern(&arm.pat) && !matches!(&*arm.body, Expr::Macro(m) if m.mac.path.is_ident("unreachable"))
}
