//! Values that change places, and constructors.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use syn::{Expr, ExprMethodCall, Stmt};

/// The values of two fields of one type.
pub const FIELD_SWAP: Operator = Operator {
    name: "field_swap",
    family: "structs",
    summary: "Swaps the values of two fields of the same type in a struct literal.",
    table: &[("P { x: a, y: b }", "P { x: b, y: a }")],
    example: (
        "struct P { x: u8, y: u8 } fn f(a: u8, b: u8) { g(P { x: a, y: b }); }",
        "struct P { x: u8, y: u8 } fn f(a: u8, b: u8) { g(P { x: b, y: a }); }",
    ),
    default: true,
    why: "the compiler cannot see swapped values of one type",
    propose: field_swap,
};

fn field_swap(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Fields { whole, same: [a, b] } = node else { return };
    let (first, second) = (&whole.fields[*a], &whole.fields[*b]);
    // `P { x, y }` names the values by the fields.
    if first.colon_token.is_none() || second.colon_token.is_none() {
        return;
    }
    let (a, b) = (cx.range(&first.expr), cx.range(&second.expr));
    let between = &cx.text[a.end..b.start];
    let replacement = format!("{}{between}{}", &cx.text[b.clone()], &cx.text[a.clone()]);
    let form = if sink.arm_safe() { Form::Value } else { Form::Rebuild };
    sink.replace_part(a.start..b.end, cx.range(whole), replacement, form);
}

/// The keys of two entries.
pub const KEY_SWAP: Operator = Operator {
    name: "key_swap",
    family: "structs",
    summary: "Swaps the literal keys of two insertions that follow each other.",
    table: &[("m.insert(\"a\", x); m.insert(\"b\", y);", "m.insert(\"b\", x); m.insert(\"a\", y);")],
    example: (
        "fn f() { m.insert(\"a\", x); m.insert(\"b\", y); }",
        "fn f() { m.insert(\"b\", x); m.insert(\"a\", y); }",
    ),
    default: true,
    why: "values under each other's key are a real fault",
    propose: key_swap,
};

fn key_swap(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Neighbours(one, two) = node else { return };
    let (Some(one), Some(two)) = (insertion(one), insertion(two)) else { return };
    if one.receiver != two.receiver || one.args[1] == two.args[1] {
        return;
    }
    let (a, b) = (cx.range(&one.args[0]), cx.range(&two.args[0]));
    if cx.text[a.clone()] == cx.text[b.clone()] {
        return;
    }
    let between = &cx.text[a.end..b.start];
    let replacement = format!("{}{between}{}", &cx.text[b.clone()], &cx.text[a.clone()]);
    sink.replace(a.start..b.end, replacement, Form::Rebuild);
}

/// `receiver.insert(<literal>, value);`
fn insertion(stmt: &Stmt) -> Option<&ExprMethodCall> {
    let Stmt::Expr(Expr::MethodCall(call), Some(_)) = stmt else { return None };
    let literal = matches!(call.args.first(), Some(Expr::Lit(_)));
    (call.method == "insert" && call.args.len() == 2 && literal).then_some(call)
}

/// `Some(x)` → `None`.
pub const OPTION_NONE: Operator = Operator {
    name: "option_none",
    family: "structs",
    summary: "Replaces `Some(x)` by `None`.",
    table: &[("Some(x)", "None")],
    example: ("fn f(x: u8) { g(Some(x)); }", "fn f(x: u8) { g(None); }"),
    default: true,
    why: "a value that can be missing unnoticed is not checked",
    propose: option_none,
};

fn option_none(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Call(call) = node else { return };
    let Expr::Path(path) = &*call.func else { return };
    if path.path.is_ident("Some") && call.args.len() == 1 {
        // What `None` is a `None` of is often known from the value alone.
        let form = if sink.arm_safe() { Form::Value } else { Form::Rebuild };
        sink.replace_unsure(cx.range(call), "None", form);
    }
}
