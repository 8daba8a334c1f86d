//! `&&` and `||`.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink, holds_let};
use crate::catalog::precedence::swapped;
use syn::BinOp;

/// `&&` ↔ `||`.
pub const LOGICAL: Operator = Operator {
    name: "logical",
    family: "logical",
    summary: "Replaces `&&` by `||` and the other way round.",
    table: &[("a && b", "(a || b)"), ("a || b", "(a && b)")],
    example: ("fn f(a: bool, b: bool) { g(a && b); }", "fn f(a: bool, b: bool) { g((a || b)); }"),
    default: true,
    why: "conditions joined the wrong way are a real fault",
    propose: logical,
};

fn logical(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Binary(binary) = node else { return };
    let to = match binary.op {
        BinOp::And(_) => "||",
        BinOp::Or(_) => "&&",
        _ => return,
    };
    if holds_let(&binary.left) || holds_let(&binary.right) {
        return;
    }
    // The operands of a lazy boolean end their temporaries themselves, so arms change nothing.
    let (span, replacement) = swapped(cx, binary, to);
    sink.replace_part(span, cx.range(binary), replacement, Form::Value);
}
