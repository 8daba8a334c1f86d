//! Calls: arguments that change places, and statements that are left out.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink, temporary_free};
use syn::{Expr, Stmt};

/// The first two arguments of the same type.
pub const ARG_SWAP: Operator = Operator {
    name: "arg_swap",
    family: "calls",
    summary: "Swaps the first two arguments of a call whose parameters have the same type.",
    table: &[("f(a, b)", "f(b, a)")],
    example: (
        "fn h(x: u8, y: u8) {} fn f(a: u8, b: u8) { h(a, b); }",
        "fn h(x: u8, y: u8) {} fn f(a: u8, b: u8) { h(b, a); }",
    ),
    default: true,
    why: "the compiler cannot see swapped arguments of one type",
    propose: arg_swap,
};

fn arg_swap(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Swappable { whole, args: [first, second] } = node else { return };
    let (a, b) = (cx.range(first), cx.range(second));
    if cx.text[a.clone()] == cx.text[b.clone()] {
        return;
    }
    let between = &cx.text[a.end..b.start];
    let replacement = format!("{}{between}{}", &cx.text[b.clone()], &cx.text[a.clone()]);
    let form = match whole {
        Expr::Call(call) if call.args.iter().all(temporary_free) && temporary_free(&call.func) => Form::Value,
        Expr::MethodCall(call) if call.args.iter().all(temporary_free) && temporary_free(&call.receiver) => Form::Value,
        _ if cx.terminating => Form::Value,
        _ => Form::Rebuild,
    };
    sink.replace_part(a.start..b.end, cx.range(whole), replacement, form);
}

/// A statement that is called for its effect.
pub const STATEMENT_DELETED: Operator = Operator {
    name: "statement_deleted",
    family: "calls",
    summary: "Leaves out a call or an assignment that stands as a statement.",
    table: &[("log.push(x);", ""), ("self.count = 0;", "")],
    example: ("fn f(v: &mut Vec<u8>) { v.push(1); g(); }", "fn f(v: &mut Vec<u8>) {  g(); }"),
    default: true,
    why: "an effect that can be left out unnoticed is not tested",
    propose: statement_deleted,
};

fn statement_deleted(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Statement { stmt, .. } = node else { return };
    let Stmt::Expr(expr, Some(_)) = stmt else { return };
    if has_effect(expr) {
        sink.replace_dropping(cx, cx.range(stmt), "", Form::Statement);
    }
}

fn has_effect(expr: &Expr) -> bool {
    match expr {
        Expr::Call(e) => !diverges(&e.func),
        Expr::MethodCall(_) | Expr::Assign(_) => true,
        Expr::Await(e) => has_effect(&e.base),
        Expr::Try(e) => has_effect(&e.expr),
        _ => false,
    }
}

/// Calls that never return: leaving them out rarely compiles and says nothing.
fn diverges(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    path.path.segments.last().is_some_and(|last| matches!(last.ident.to_string().as_str(), "exit" | "abort" | "drop"))
}
