//! Strings and characters written in the source.

use crate::catalog::Operator;
use crate::catalog::node::{Cx, Form, Node, Sink};
use syn::{Lit, LitStr};

/// A string that decides something.
pub const STRING_PREFIX: Operator = Operator {
    name: "string_prefix",
    family: "text",
    summary: "Drops the first character of a string that is compared, searched for or looked up.",
    table: &[("s.strip_prefix(\"0x\")", "s.strip_prefix(\"x\")"), ("key == \"id\"", "key == \"d\"")],
    example: ("fn f(s: &str) { g(s == \"id\"); }", "fn f(s: &str) { g(s == \"d\"); }"),
    default: true,
    why: "a key or prefix that can be misspelt unnoticed is not tested",
    propose: string_prefix,
};

fn string_prefix(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Str { lit, decides: true } = node else { return };
    let value = lit.value();
    let mut rest = value.chars();
    if rest.next().is_some() {
        sink.replace(cx.range(lit), format!("{:?}", rest.as_str()), Form::Value);
    }
}

/// Any other string.
pub const STRING_LITERAL: Operator = Operator {
    name: "string_literal",
    family: "text",
    summary: "Empties a string, or fills an empty one.",
    table: &[("\"text\"", "\"\""), ("\"\"", "\"hunkmut\"")],
    example: ("fn f() { g(\"text\"); }", "fn f() { g(\"\"); }"),
    default: false,
    why: "most other strings are messages, whose wording tests rightly leave alone",
    propose: string_literal,
};

fn string_literal(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Str { lit, decides: false } = node else { return };
    sink.replace(cx.range(*lit), emptied(lit), Form::Value);
}

fn emptied(lit: &LitStr) -> &'static str {
    if lit.value().is_empty() { "\"hunkmut\"" } else { "\"\"" }
}

/// A character.
pub const CHAR_LITERAL: Operator = Operator {
    name: "char_literal",
    family: "text",
    summary: "Takes the next character or byte.",
    table: &[("'a'", "'b'"), ("b'\\n'", "b'\\x0b'")],
    example: ("fn f(c: char) { g(c == 'a'); }", "fn f(c: char) { g(c == 'b'); }"),
    default: true,
    why: "separators and quotes decide what a parser accepts",
    propose: char_literal,
};

fn char_literal(node: &Node<'_>, cx: &Cx<'_>, sink: &mut Sink<'_>) {
    let Node::Char(lit) = node else { return };
    if let Some(next) = next(lit) {
        sink.replace(cx.range(lit), next, Form::Value);
    }
}

/// The literal after this one, for characters and bytes.
pub(super) fn next(lit: &Lit) -> Option<String> {
    match lit {
        Lit::Char(lit) => {
            let value = lit.value();
            // Past the last character, and in the gap of the surrogates.
            let next = char::from_u32(value as u32 + 1).unwrap_or('x');
            Some(format!("{next:?}"))
        }
        Lit::Byte(lit) => {
            let value = lit.value();
            Some(format!("b'{}'", std::ascii::escape_default(value.checked_add(1).unwrap_or(u8::MAX - 1))))
        }
        _ => None,
    }
}
