//! Ways out of a loop or a function.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use syn::{Expr, Stmt};

/// An early return that is left out.
pub const EARLY_RETURN: Operator = Operator {
    name: "early_return",
    family: "control",
    summary: "Leaves out a `return` in an `if` without `else`, or in a loop.",
    table: &[("if x { return y; }", "if x { }")],
    example: ("fn f(x: bool) { if x { return; } g(); }", "fn f(x: bool) { if x {  } g(); }"),
    default: true,
    why: "a guard clause that can go unnoticed is not tested",
    propose: early_return,
};

fn early_return(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Statement { stmt, optional: true } = node else { return };
    if let Stmt::Expr(Expr::Return(_), Some(_)) = stmt {
        sink.replace_dropping(cx, cx.range(stmt), "", Form::Statement);
    }
}

/// `break` and `continue`.
pub const LOOP_CONTROL: Operator = Operator {
    name: "loop_control",
    family: "control",
    summary: "Replaces `continue` by `break` and the other way round.",
    table: &[("continue", "break"), ("break", "continue")],
    example: ("fn f() { for x in y { if x { continue; } g(); } }", "fn f() { for x in y { if x { break; } g(); } }"),
    default: true,
    why: "a loop that ends one round too early is a real fault",
    propose: loop_control,
};

fn loop_control(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::LoopControl(expr) = node else { return };
    let (to, label) = match expr {
        Expr::Break(e) => ("continue", &e.label),
        Expr::Continue(e) => ("break", &e.label),
        _ => return,
    };
    let text = match label {
        Some(label) => format!("{to} {label}"),
        None => to.to_owned(),
    };
    sink.replace(cx.range(expr), text, Form::Value);
}

/// An error that panics instead of being passed on.
pub const TRY_UNWRAP: Operator = Operator {
    name: "try_unwrap",
    family: "control",
    summary: "Panics on an error instead of passing it on.",
    table: &[("x?", "x.unwrap()")],
    example: ("fn f() -> Option<u8> { g(h()?) }", "fn f() -> Option<u8> { g(h().unwrap()) }"),
    default: false,
    why: "needs an error that can be printed, and a test of the error path notices a wrong result as well",
    propose: try_unwrap,
};

fn try_unwrap(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Try(expr) = node else { return };
    let form = if sink.arm_safe() { Form::Value } else { Form::Rebuild };
    sink.replace_part(cx.range(&expr.question_token), cx.range(expr), ".unwrap()", form);
}

/// A range that ends one earlier.
pub const RANGE_KIND: Operator = Operator {
    name: "range_kind",
    family: "literals",
    summary: "Leaves out the last value of an inclusive range.",
    table: &[("a..=b", "a..b")],
    example: ("fn f(n: u8) { for x in 1..=n { g(x); } }", "fn f(n: u8) { for x in 1..n { g(x); } }"),
    default: true,
    why: "the last value is where loops go wrong; the other way round `off_by_one` moves the bound",
    propose: range_kind,
};

fn range_kind(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Range(range) = node else { return };
    if let syn::RangeLimits::Closed(limits) = &range.limits {
        // The two kinds are different types, so no switch can choose between them.
        sink.replace_part(cx.range(limits), cx.range(range), "..", Form::Rebuild);
    }
}
