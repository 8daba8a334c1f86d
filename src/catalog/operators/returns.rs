//! Returned values, by the type that the signature names.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use syn::{Expr, GenericArgument, Lit, PathArguments, Type, UnOp};

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
        let same = || syn::parse_str(&value).is_ok_and(|value| is_same(expr, &value));
        if squashed(&value) != squashed(text) && !same() {
            sink.replace_dropping(cx, cx.range(expr), value, Form::Return { place: *place });
        }
    }
}

fn squashed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Whether two expressions of one type say the same value, as far as that is plain to see: `Duration::ZERO` and
/// `::core::time::Duration::ZERO`, `vec![]` and `Vec::new()`, `Ok(HashMap::new())` and `Ok(Default::default())`.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Paren(a), b) => is_same(&a.expr, b),
        (Expr::Group(a), b) => is_same(&a.expr, b),
        (Expr::Tuple(a), Expr::Tuple(b)) => {
            a.elems.len() == b.elems.len() && a.elems.iter().zip(&b.elems).all(|(a, b)| is_same(a, b))
        }
        (Expr::Call(a), Expr::Call(b)) if is_path_to(&a.func, "Ok") && is_path_to(&b.func, "Ok") => {
            a.args.len() == b.args.len() && a.args.iter().zip(&b.args).all(|(a, b)| is_same(a, b))
        }
        (Expr::Path(a), Expr::Path(b)) if a.path.segments.last() == b.path.segments.last() => true,
        (Expr::Lit(a), Expr::Lit(b)) if a.lit == b.lit => true,
        (a, b) => is_default(a) && is_default(b),
    }
}

/// Whether the expression is sure to be what `Default` gives for its type.
fn is_default(expr: &Expr) -> bool {
    let is_nothing = |expr: &Expr| matches!(expr, Expr::Lit(lit) if is_default_literal(&lit.lit));
    match expr {
        Expr::Paren(e) => is_default(&e.expr),
        Expr::Group(e) => is_default(&e.expr),
        Expr::Cast(e) => is_default(&e.expr),
        Expr::Lit(_) => is_nothing(expr),
        Expr::Reference(e) => matches!(&*e.expr, Expr::Array(array) if array.elems.is_empty()),
        Expr::Tuple(e) => e.elems.iter().all(is_default),
        Expr::Macro(e) => e.mac.path.is_ident("vec") && e.mac.tokens.is_empty(),
        Expr::Path(e) => {
            let names: Vec<String> = e.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            matches!(names.iter().map(String::as_str).collect::<Vec<_>>()[..], [.., "None"] | [.., "Duration", "ZERO"])
        }
        Expr::MethodCall(e) => {
            e.args.is_empty()
                && is_nothing(&e.receiver)
                && matches!(e.method.to_string().as_str(), "to_string" | "to_owned" | "into")
        }
        Expr::Call(e) => {
            let Expr::Path(path) = &*e.func else { return false };
            let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
            let (function, of) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
            match (of.as_str(), function.as_str()) {
                (_, "default") => e.args.is_empty(),
                ("String", "from")
                | ("Duration", "new" | "from_secs" | "from_millis" | "from_micros" | "from_nanos") => {
                    e.args.iter().all(is_nothing)
                }
                (of, "new") => EMPTY.contains(&of) && e.args.is_empty(),
                (of, "with_capacity") => EMPTY.contains(&of),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Types of the standard library whose `new` is their `Default`.
const EMPTY: &[&str] =
    &["String", "Vec", "HashMap", "BTreeMap", "HashSet", "BTreeSet", "VecDeque", "PathBuf", "OsString"];

fn is_default_literal(lit: &Lit) -> bool {
    match lit {
        Lit::Int(lit) => lit.base10_digits() == "0",
        Lit::Float(lit) => lit.base10_digits().parse() == Ok(0.0),
        Lit::Bool(lit) => !lit.value,
        Lit::Str(lit) => lit.value().is_empty(),
        _ => false,
    }
}

fn is_path_to(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(e) if e.path.segments.last().is_some_and(|last| last.ident == name))
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

#[cfg(test)]
mod tests {
    use crate::catalog::walk::tests::mutants_in;

    fn returned(ty: &str, value: &str) -> Vec<String> {
        mutants_in(&format!("fn f() -> {ty} {{"), value, "}", "return_value")
    }

    #[test]
    fn a_value_is_not_replaced_by_itself_under_another_name() {
        for (ty, value) in [
            ("Duration", "Duration::ZERO"),
            ("Duration", "std::time::Duration::from_secs(0)"),
            ("Ordering", "Ordering::Equal"),
            ("Option<u8>", "Option::None"),
            ("String", "\"\".to_owned()"),
            ("String", "String::default()"),
            ("Vec<u8>", "vec![]"),
            ("Vec<u8>", "Vec::with_capacity(n)"),
            ("HashMap<u8, u8>", "HashMap::new()"),
            ("Result<HashMap<u8, u8>>", "Ok(HashMap::new())"),
            ("(u8, String)", "(0, String::default())"),
            ("u8", "Default::default()"),
        ] {
            assert_eq!(returned(ty, value), Vec::<String>::new(), "{ty} {value}");
        }
        assert_eq!(returned("bool", "Default::default()"), ["true"]);
        for (ty, value) in [
            ("Duration", "Duration::MAX"),
            ("Duration", "Duration::from_secs(1)"),
            ("Ordering", "Ordering::Less"),
            ("Vec<u8>", "vec![0]"),
            ("Vec<u8>", "Own::new()"),
            ("Result<(u8, bool)>", "Ok((1, false))"),
        ] {
            assert_eq!(returned(ty, value).len(), 1, "{ty} {value}");
        }
    }
}
