//! Numbers and truth values written in the source.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink, temporary_free};
use syn::LitInt;

/// An integer or a bound moves by one.
pub const OFF_BY_ONE: Operator = Operator {
    name: "off_by_one",
    family: "literals",
    summary: "Adds one to an integer literal, or to the bound of a slice or of a counted loop.",
    table: &[("41", "42"), ("-3", "-4"), ("&v[..n]", "&v[..(n + 1)]"), ("for i in a..n", "for i in a..(n + 1)")],
    example: ("fn f() -> u8 { g(41) }", "fn f() -> u8 { g(42) }"),
    default: true,
    why: "counts, limits and indices that are off by one are the commonest slip",
    propose: off_by_one,
};

fn off_by_one(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    match node {
        Node::Int { lit, negated } => {
            let Some(text) = incremented(lit) else { return };
            match negated {
                Some(range) => sink.replace(range.clone(), format!("-{text}"), Form::Value),
                None => sink.replace(cx.range(lit), text, Form::Value),
            }
        }
        Node::Bound(expr) => {
            let form = if temporary_free(expr) || cx.terminating { Form::Value } else { Form::Rebuild };
            sink.replace(cx.range(expr), format!("({} + 1)", cx.text_of(expr)), form);
        }
        _ => {}
    }
}

/// The literal plus one, with its suffix; `None` when it does not fit 128 bits.
pub(super) fn incremented(lit: &LitInt) -> Option<String> {
    let value: u128 = lit.base10_parse().ok()?;
    let suffix = lit.suffix();
    let separator = if suffix.is_empty() { "" } else { "_" };
    Some(format!("{}{separator}{suffix}", value.checked_add(1)?))
}

/// `true` ↔ `false`.
pub const BOOL_LITERAL: Operator = Operator {
    name: "bool_literal",
    family: "literals",
    summary: "Replaces `true` by `false` and the other way round.",
    table: &[("true", "false"), ("false", "true")],
    example: ("fn f() { g(true); }", "fn f() { g(false); }"),
    default: true,
    why: "a flag that nobody checks is a gap",
    propose: bool_literal,
};

fn bool_literal(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Bool(lit) = node else { return };
    sink.replace(cx.range(lit), if lit.value { "false" } else { "true" }, Form::Value);
}
