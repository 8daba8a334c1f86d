//! Returned values, by the type that the signature names.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use syn::{Expr, GenericArgument, PathArguments, Type, UnOp};

/// The value that a function returns.
pub const RETURN_VALUE: Operator = Operator {
    name: "return_value",
    family: "returns",
    summary: "Returns a plain value of the function's type instead.",
    table: &[
        ("-> bool", "true / false"),
        ("-> u32", "0"),
        ("-> f64", "0.0"),
        ("-> &str", "\"\""),
        ("-> String", "String::new()"),
        ("-> Vec<T>", "Vec::new()"),
        ("-> (A, B)", "a pair of plain values"),
        ("-> T with a Default in this file", "Default::default()"),
        ("-> Option<T>", "None"),
        ("-> Result<T, E>", "Ok(plain value of T)"),
    ],
    example: ("fn f(a: u8) -> u8 { g(a) }", "fn f(a: u8) -> u8 { 0 }"),
    default: true,
    why: "a result that can be anything is not checked",
    propose: return_value,
};

fn return_value(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Returned { expr, ty, place } = node else { return };
    // Literals, `Ok(..)` of a literal and comparisons have operators of their own.
    if has_own_operator(expr) {
        return;
    }
    let text = cx.text_of(expr);
    for value in plain_values(ty, cx) {
        if squashed(&value) != squashed(text) {
            sink.replace_dropping(cx, cx.range(expr), value, Form::Return { place: *place });
        }
    }
}

fn squashed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn has_own_operator(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(e) => matches!(e.op, UnOp::Not(_)) || matches!(&*e.expr, Expr::Lit(_)),
        Expr::Binary(e) => {
            matches!(crate::catalog::precedence::level(crate::catalog::precedence::symbol(&e.op)), 2..=4)
        }
        Expr::Paren(e) => has_own_operator(&e.expr),
        Expr::Macro(e) => e.mac.path.segments.last().is_some_and(|last| {
            matches!(last.ident.to_string().as_str(), "unreachable" | "panic" | "todo" | "unimplemented" | "bail")
        }),
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        _ => false,
    }
}

/// Plain values of a type, most telling first; empty when none is known without a type checker.
fn plain_values(ty: &Type, cx: &Cx<'_>) -> Vec<String> {
    match ty {
        Type::Reference(r) if r.mutability.is_none() => match &*r.elem {
            Type::Path(p) if p.path.is_ident("str") => vec!["\"\"".into()],
            Type::Slice(_) => vec!["&[]".into()],
            _ => Vec::new(),
        },
        Type::Paren(p) => plain_values(&p.elem, cx),
        // One value for each element, so that a pair of booleans does not become four mutants.
        Type::Tuple(t) if !t.elems.is_empty() => {
            let values: Vec<_> = t.elems.iter().map_while(|elem| plain_values(elem, cx).into_iter().next()).collect();
            if values.len() == t.elems.len() { vec![format!("({},)", values.join(", "))] } else { Vec::new() }
        }
        Type::Path(p) if p.qself.is_none() => {
            let Some(last) = p.path.segments.last() else { return Vec::new() };
            named(&last.ident.to_string(), first_argument(&last.arguments), p.path.segments.len() == 1, cx)
        }
        _ => Vec::new(),
    }
}

fn first_argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(args) = arguments else { return None };
    args.args.iter().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// `bare`: the type is named without a path, so that a constructor of the prelude's type can be called by its name.
fn named(name: &str, argument: Option<&Type>, bare: bool, cx: &Cx<'_>) -> Vec<String> {
    let one = |value: &str| vec![value.to_owned()];
    match name {
        "bool" => vec!["true".into(), "false".into()],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => one("0"),
        "f32" | "f64" => one("0.0"),
        "char" => one("'x'"),
        "String" if bare => one("String::new()"),
        "Vec" if bare => one("Vec::new()"),
        "Option" => one("None"),
        "Ordering" => one("::core::cmp::Ordering::Equal"),
        "Duration" => one("::core::time::Duration::ZERO"),
        "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "PathBuf" | "OsString" => {
            one("::core::default::Default::default()")
        }
        "Result" => match argument {
            Some(Type::Tuple(t)) if t.elems.is_empty() => one("Ok(())"),
            Some(inner) => plain_values(inner, cx).into_iter().map(|value| format!("Ok({value})")).collect(),
            None => Vec::new(),
        },
        _ if bare && cx.defaults.contains(name) => one("::core::default::Default::default()"),
        _ => Vec::new(),
    }
}
