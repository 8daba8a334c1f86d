//! Methods of the standard library that are easily taken for one another, and calls whose name says the unit.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use crate::catalog::syntax::is_duration;
use syn::Expr;

/// Pairs that mean the exact opposite for every value.
const OPPOSITES: &[(&str, &str)] = &[("is_some", "is_none"), ("is_ok", "is_err")];

/// Pairs of the same type.
const PAIRS: &[(&str, &str)] = &[
    ("any", "all"),
    ("min", "max"),
    ("min_by", "max_by"),
    ("min_by_key", "max_by_key"),
    ("first", "last"),
    ("first_mut", "last_mut"),
    ("split_first", "split_last"),
    ("take", "skip"),
    ("take_while", "skip_while"),
    ("starts_with", "ends_with"),
    ("strip_prefix", "strip_suffix"),
    ("trim_start", "trim_end"),
    ("find", "rfind"),
    ("position", "rposition"),
    ("split_once", "rsplit_once"),
    ("push_front", "push_back"),
    ("pop_front", "pop_back"),
    ("front", "back"),
    ("saturating_add", "saturating_sub"),
    ("wrapping_add", "wrapping_sub"),
    ("checked_add", "checked_sub"),
    ("to_lowercase", "to_uppercase"),
    ("to_ascii_lowercase", "to_ascii_uppercase"),
    ("floor", "ceil"),
    ("leading_zeros", "trailing_zeros"),
    ("rotate_left", "rotate_right"),
    ("is_lowercase", "is_uppercase"),
    ("is_ascii_lowercase", "is_ascii_uppercase"),
    ("to_le_bytes", "to_be_bytes"),
];

/// A method and its counterpart.
pub const METHOD_PAIR: Operator = Operator {
    name: "method_pair",
    family: "methods",
    summary: "Calls the counterpart of a method of the standard library.",
    table: &[
        ("x.is_some()", "x.is_none()"),
        ("it.any(f)", "it.all(f)"),
        ("a.min(b)", "a.max(b)"),
        ("v.first()", "v.last()"),
        ("s.starts_with(p)", "s.ends_with(p)"),
        ("a.saturating_add(b)", "a.saturating_sub(b)"),
    ],
    example: ("fn f(a: u8, b: u8) { g(a.min(b)); }", "fn f(a: u8, b: u8) { g(a.max(b)); }"),
    default: true,
    why: "the pairs have one type, so the compiler cannot tell them apart",
    propose: method_pair,
};

fn method_pair(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Method(call) = node else { return };
    let name = call.method.to_string();
    // `take` without an argument is `Option::take`, `find` on an iterator has no `rfind` for every iterator.
    let arguments = call.args.len();
    let closure = call.args.iter().any(|arg| matches!(arg, Expr::Closure(_)));
    if matches!(name.as_str(), "take" | "min" | "max") && arguments == 0 && name == "take" {
        return;
    }
    if matches!(name.as_str(), "find" | "rfind" | "position" | "rposition") && closure {
        return;
    }
    let counterpart = |pairs: &[(&'static str, &'static str)]| {
        pairs.iter().find_map(|(a, b)| {
            if name == *a {
                Some(*b)
            } else if name == *b {
                Some(*a)
            } else {
                None
            }
        })
    };
    let site = cx.range(call);
    let span = cx.range(&call.method);
    if let Some(to) = counterpart(OPPOSITES) {
        sink.replace_part(span, site, to, Form::Negate);
    } else if let Some(to) = counterpart(PAIRS) {
        let form = if sink.arm_safe() { Form::Value } else { Form::Rebuild };
        sink.replace_part(span, site, to, form);
    }
}

/// A unit of time.
pub const DURATION: Operator = Operator {
    name: "duration",
    family: "methods",
    summary: "Takes a duration for one of another unit.",
    table: &[
        ("Duration::from_secs(n)", "Duration::from_millis(n)"),
        ("Duration::from_millis(n)", "Duration::from_micros(n)"),
        ("Duration::from_micros(n)", "Duration::from_nanos(n)"),
    ],
    example: ("fn f() { g(Duration::from_secs(5)); }", "fn f() { g(Duration::from_millis(5)); }"),
    default: true,
    why: "a timeout that is a thousand times too short should be noticed, one more millisecond need not",
    propose: duration,
};

fn duration(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Call(call) = node else { return };
    let Expr::Path(path) = &*call.func else { return };
    if !is_duration(&path.path) {
        return;
    }
    let Some(last) = path.path.segments.last() else { return };
    let to = match last.ident.to_string().as_str() {
        "from_secs" => "from_millis",
        "from_millis" => "from_micros",
        "from_micros" => "from_nanos",
        _ => return,
    };
    let form = if sink.arm_safe() { Form::Value } else { Form::Rebuild };
    sink.replace_part(cx.range(&last.ident), cx.range(call), to, form);
}
