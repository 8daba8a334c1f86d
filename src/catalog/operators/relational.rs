//! Comparisons and predicates: one boundary and one negation each, not six relatives of the same comparison.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use crate::catalog::precedence::{level, swapped, symbol};
use syn::{BinOp, Expr, ExprBinary, UnOp};

/// The boundary of a comparison moves by one.
pub const RELATIONAL: Operator = Operator {
    name: "relational",
    family: "relational",
    summary: "Moves the boundary of a comparison.",
    table: &[("a < b", "a <= b"), ("a <= b", "a < b"), ("a > b", "a >= b"), ("a >= b", "a > b")],
    example: ("fn f(a: u8, b: u8) { g(a >= b); }", "fn f(a: u8, b: u8) { g(a > b); }"),
    default: true,
    why: "off-by-one boundaries are the most common real fault in conditions",
    propose: relational,
};

fn relational(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Binary(binary) = node else { return };
    let to = match binary.op {
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        _ => return,
    };
    compare(binary, to, cx, sink);
}

/// A comparison or predicate is turned into its opposite.
pub const PRED_NEGATED: Operator = Operator {
    name: "pred_negated",
    family: "relational",
    summary: "Negates a comparison, or a predicate that decides something.",
    table: &[
        ("a == b", "a != b"),
        ("a != b", "a == b"),
        ("a < b", "a >= b"),
        ("a <= b", "a > b"),
        ("a > b", "a <= b"),
        ("a >= b", "a < b"),
        ("if is_ready(x)", "if !(is_ready(x))"),
    ],
    example: ("fn f(x: u8) { if ready(x) { g(); } }", "fn f(x: u8) { if !(ready(x)) { g(); } }"),
    default: true,
    why: "a test that cannot tell a condition from its opposite does not test the condition",
    propose: pred_negated,
};

fn pred_negated(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    match node {
        Node::Binary(binary) => {
            let to = match binary.op {
                BinOp::Eq(_) => "!=",
                BinOp::Ne(_) => "==",
                BinOp::Lt(_) => ">=",
                BinOp::Le(_) => ">",
                BinOp::Gt(_) => "<=",
                BinOp::Ge(_) => "<",
                _ => return,
            };
            compare(binary, to, cx, sink);
        }
        Node::Predicate(expr) if is_leaf(expr) => {
            let range = cx.range(expr);
            let negated = format!("!({})", cx.text_of(expr));
            sink.replace(range, negated, Form::Negate);
        }
        _ => {}
    }
}

/// A predicate that no other operator negates already.
fn is_leaf(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(e) => level(symbol(&e.op)) > 4,
        Expr::Unary(e) => !matches!(e.op, UnOp::Not(_)),
        Expr::Paren(e) => is_leaf(&e.expr),
        Expr::Lit(_) | Expr::Let(_) => false,
        _ => true,
    }
}

fn compare(binary: &ExprBinary, to: &'static str, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let form = Form::Operands {
        left: cx.range(&binary.left),
        right: cx.range(&binary.right),
        from: symbol(&binary.op),
        to,
        by_ref: true,
    };
    let (span, replacement) = swapped(cx, binary, to);
    sink.replace_part(span, cx.range(binary), replacement, form);
}
