//! Arithmetic, bits, shifts, assignment operators and signs: one counterpart each.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use crate::catalog::precedence::{swapped, symbol};
use syn::{BinOp, Expr, ExprBinary, UnOp};

/// `+ - * / %`.
pub const ARITHMETIC: Operator = Operator {
    name: "arithmetic",
    family: "arithmetic",
    summary: "Replaces an arithmetic operator by its counterpart.",
    table: &[("a + b", "a - b"), ("a - b", "a + b"), ("a * b", "a / b"), ("a / b", "a * b"), ("a % b", "a / b")],
    example: ("fn f(a: u8, b: u8) -> u8 { a + b }", "fn f(a: u8, b: u8) -> u8 { a - b }"),
    default: true,
    why: "a wrong operator changes nearly every result",
    propose: arithmetic,
};

fn arithmetic(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Binary(binary) = node else { return };
    let to = match binary.op {
        BinOp::Add(_) => "-",
        BinOp::Sub(_) => "+",
        BinOp::Mul(_) => "/",
        BinOp::Div(_) => "*",
        BinOp::Rem(_) => "/",
        _ => return,
    };
    // `1 * x` and `x / 1` would not change.
    let neutral = |expr: &Expr| cx.text_of(expr) == "1" || cx.text_of(expr) == "1.0";
    if matches!(binary.op, BinOp::Mul(_) | BinOp::Div(_)) && neutral(&binary.right) {
        return;
    }
    let zero = |expr: &Expr| cx.text_of(expr) == "0";
    if matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_)) && zero(&binary.right) {
        return;
    }
    by_value(binary, to, cx, sink);
}

/// `& | ^ << >>`.
pub const BITWISE: Operator = Operator {
    name: "bitwise",
    family: "bitwise",
    summary: "Replaces a bit or shift operator by its counterpart.",
    table: &[("a & b", "a | b"), ("a | b", "a & b"), ("a ^ b", "a & b"), ("a << b", "a >> b"), ("a >> b", "a << b")],
    example: ("fn f(a: u8) -> u8 { a << 2 }", "fn f(a: u8) -> u8 { a >> 2 }"),
    default: true,
    why: "masks and shifts are easy to get wrong and cheap to test",
    propose: bitwise,
};

fn bitwise(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Binary(binary) = node else { return };
    let to = match binary.op {
        BinOp::BitAnd(_) => "|",
        BinOp::BitOr(_) => "&",
        BinOp::BitXor(_) => "&",
        BinOp::Shl(_) => ">>",
        BinOp::Shr(_) => "<<",
        _ => return,
    };
    by_value(binary, to, cx, sink);
}

/// `+= -= *= …`.
pub const ASSIGN_OP: Operator = Operator {
    name: "assign_op",
    family: "arithmetic",
    summary: "Replaces an assignment operator by its counterpart.",
    table: &[
        ("a += b", "a -= b"),
        ("a -= b", "a += b"),
        ("a *= b", "a /= b"),
        ("a /= b", "a *= b"),
        ("a %= b", "a /= b"),
        ("a &= b", "a |= b"),
        ("a |= b", "a &= b"),
        ("a ^= b", "a |= b"),
        ("a <<= b", "a >>= b"),
        ("a >>= b", "a <<= b"),
    ],
    example: ("fn f(a: &mut u8) { *a += 2; }", "fn f(a: &mut u8) { *a -= 2; }"),
    default: true,
    why: "an accumulator that runs the wrong way is a real fault",
    propose: assign_op,
};

fn assign_op(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Binary(binary) = node else { return };
    let to = match binary.op {
        BinOp::AddAssign(_) => "-=",
        BinOp::SubAssign(_) => "+=",
        BinOp::MulAssign(_) => "/=",
        BinOp::DivAssign(_) => "*=",
        BinOp::RemAssign(_) => "/=",
        BinOp::BitAndAssign(_) => "|=",
        BinOp::BitOrAssign(_) => "&=",
        BinOp::BitXorAssign(_) => "|=",
        BinOp::ShlAssign(_) => ">>=",
        BinOp::ShrAssign(_) => "<<=",
        _ => return,
    };
    // As a statement nothing outlives the assignment; elsewhere it is `()` all the same, so its end cannot be seen.
    let (span, replacement) = swapped(cx, binary, to);
    sink.replace_part(span, cx.range(binary), replacement, Form::Value);
}

/// `!` and `-`.
pub const UNARY: Operator = Operator {
    name: "unary",
    family: "unary",
    summary: "Leaves out a `!` or a minus sign.",
    table: &[("!a", "a"), ("-a", "a")],
    example: ("fn f(a: bool) -> bool { g(!a) }", "fn f(a: bool) -> bool { g(a) }"),
    default: true,
    why: "a missing negation is a real fault that types do not catch",
    propose: unary,
};

fn unary(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Unary(unary) = node else { return };
    let from = match unary.op {
        UnOp::Not(_) => "!",
        UnOp::Neg(_) => "-",
        _ => return,
    };
    if matches!(&*unary.expr, Expr::Lit(_)) {
        return;
    }
    let operand = cx.range(&unary.expr);
    let text = cx.text[operand.clone()].to_owned();
    sink.replace(cx.range(unary), text, Form::Drop { operand, from });
}

fn by_value(binary: &ExprBinary, to: &'static str, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let form = Form::Operands {
        left: cx.range(&binary.left),
        right: cx.range(&binary.right),
        from: symbol(&binary.op),
        to,
        by_ref: false,
    };
    let (span, replacement) = swapped(cx, binary, to);
    sink.replace_part(span, cx.range(binary), replacement, form);
}
