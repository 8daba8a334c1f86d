//! Changing one binary operator for another in text, with parentheses where the grammar would regroup.

use super::node::Cx;
use std::ops::Range;
use syn::{BinOp, Expr, ExprBinary};

/// How tightly a binary operator binds; higher binds tighter (the Rust Reference, "Expression precedence").
pub fn level(op: &str) -> u8 {
    match op {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "&" => 7,
        "^" => 6,
        "|" => 5,
        "==" | "!=" | "<" | ">" | "<=" | ">=" => 4,
        "&&" => 3,
        "||" => 2,
        _ => 0,
    }
}

/// The operator as written.
pub fn symbol(op: &BinOp) -> &'static str {
    match op {
        BinOp::Add(_) => "+",
        BinOp::Sub(_) => "-",
        BinOp::Mul(_) => "*",
        BinOp::Div(_) => "/",
        BinOp::Rem(_) => "%",
        BinOp::And(_) => "&&",
        BinOp::Or(_) => "||",
        BinOp::BitXor(_) => "^",
        BinOp::BitAnd(_) => "&",
        BinOp::BitOr(_) => "|",
        BinOp::Shl(_) => "<<",
        BinOp::Shr(_) => ">>",
        BinOp::Eq(_) => "==",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Ne(_) => "!=",
        BinOp::Ge(_) => ">=",
        BinOp::Gt(_) => ">",
        BinOp::AddAssign(_) => "+=",
        BinOp::SubAssign(_) => "-=",
        BinOp::MulAssign(_) => "*=",
        BinOp::DivAssign(_) => "/=",
        BinOp::RemAssign(_) => "%=",
        BinOp::BitXorAssign(_) => "^=",
        BinOp::BitAndAssign(_) => "&=",
        BinOp::BitOrAssign(_) => "|=",
        BinOp::ShlAssign(_) => "<<=",
        BinOp::ShrAssign(_) => ">>=",
        _ => "",
    }
}

/// The bytes to replace and their replacement when the operator of `node` becomes `to`.
///
/// The whole expression is replaced when it stands on one line, so that it reads well; else only the operator.
pub fn swapped(cx: &Cx<'_>, node: &ExprBinary, to: &str) -> (Range<usize>, String) {
    let whole = cx.range(node);
    let left = cx.text_of(&node.left);
    let right = cx.text_of(&node.right);
    let op = cx.range(&node.op);
    let (before, after) = (level(symbol(&node.op)), level(to));
    // `a as usize < b` would be read as the start of generic arguments.
    let cast = to.starts_with('<') && ends_in_cast(&node.left);
    if before != after {
        let inner = |expr: &Expr, text: &str| match expr {
            Expr::Binary(_) | Expr::Range(_) | Expr::Closure(_) | Expr::Cast(_) => format!("({text})"),
            _ => text.to_owned(),
        };
        return (whole, format!("({} {to} {})", inner(&node.left, left), inner(&node.right, right)));
    }
    if cast {
        return (whole, format!("({left}) {to} {right}"));
    }
    if cx.one_line(&whole) {
        let middle = |range: Range<usize>| &cx.text[range];
        let replacement = format!(
            "{left}{}{to}{}{right}",
            middle(cx.range(&node.left).end..op.start),
            middle(op.end..cx.range(&node.right).start)
        );
        (whole, replacement)
    } else {
        (op, to.to_owned())
    }
}

fn ends_in_cast(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(_) => true,
        Expr::Binary(e) => ends_in_cast(&e.right),
        Expr::Unary(e) => ends_in_cast(&e.expr),
        Expr::Reference(e) => ends_in_cast(&e.expr),
        _ => false,
    }
}
