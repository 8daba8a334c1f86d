//! A Rust file as a flat list of tokens with their lines: what is left when layout and comments are taken away.
//!
//! Doc comments are comments here, although the compiler sees attributes. A comma that rustfmt adds before a closing
//! delimiter when it breaks a list over several lines is layout as well.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree, token_stream};
use std::borrow::Cow;

/// One token: its text and the lines it stands on (more than one for a long string literal).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub text: String,
    pub start: u32,
    pub end: u32,
}

/// The tokens of a source file in order; `None` when it does not lex.
pub(super) fn tokens(source: &str) -> Option<Vec<Token>> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let source = without_shebang(source);
    let stream: TokenStream = source.parse().ok()?;
    Some(without_trailing_commas(flatten(stream, &source)))
}

/// The source with a shebang's characters blanked, so that line numbers stay. `#![attribute]` is none.
fn without_shebang(source: &str) -> Cow<'_, str> {
    match source.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => {
            let end = source.find('\n').unwrap_or(source.len());
            Cow::Owned(format!("{}{}", " ".repeat(end), &source[end..]))
        }
        _ => Cow::Borrowed(source),
    }
}

/// Walks the trees with a stack of its own: nesting in a source file must not overflow the program's.
fn flatten(stream: TokenStream, source: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut open: Vec<(token_stream::IntoIter, Option<Token>)> = vec![(stream.into_iter(), None)];
    let mut joint = false;
    while let Some((trees, closing)) = open.last_mut() {
        let Some(tree) = trees.next() else {
            out.extend(closing.take());
            open.pop();
            joint = false;
            continue;
        };
        let span = tree.span();
        let was_joint = std::mem::take(&mut joint);
        if is_doc_comment(&tree, source) {
            // `///` is `# [..]`, `//!` is `# ! [..]`, all with the comment's span.
            while !matches!(trees.next(), Some(TokenTree::Group(_)) | None) {}
            continue;
        }
        match tree {
            TokenTree::Group(group) => {
                let (opening, closing) = delimiters(&group);
                out.extend(opening);
                open.push((group.stream().into_iter(), closing));
            }
            TokenTree::Punct(punct) => {
                joint = punct.spacing() == Spacing::Joint;
                let glued = was_joint.then(|| out.last_mut()).flatten().and_then(|last| {
                    let both = format!("{}{}", last.text, punct.as_char());
                    OPERATORS.contains(&both.as_str()).then(|| last.text = both)
                });
                if glued.is_none() {
                    out.push(token(punct.as_char().to_string(), span));
                }
            }
            TokenTree::Ident(ident) => out.push(token(ident.to_string(), span)),
            // The compiler reads a line end inside a literal as `\n` either way.
            TokenTree::Literal(literal) => out.push(token(literal.to_string().replace("\r\n", "\n"), span)),
        }
    }
    out
}

/// The operators of more than one character: `a - -b` is not `a --b` by accident of spacing, but `& &` is not `&&`.
const OPERATORS: [&str; 25] = [
    "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>",
    "<<=", ">>=", "..", "...", "..=", "<-",
];

fn token(text: String, span: proc_macro2::Span) -> Token {
    let line = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Token { text, start: line(span.start().line), end: line(span.end().line) }
}

fn delimiters(group: &Group) -> (Option<Token>, Option<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => return (None, None),
    };
    (Some(token(open.into(), group.span_open())), Some(token(close.into(), group.span_close())))
}

fn is_doc_comment(tree: &TokenTree, source: &str) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '#')
        && source.as_bytes().get(tree.span().byte_range().start) == Some(&b'/')
}

/// Drops a comma before a closing delimiter, except where it makes a tuple or may matter to a macro: in `(x,)` only
/// that of a call's argument list goes.
fn without_trailing_commas(tokens: Vec<Token>) -> Vec<Token> {
    struct List {
        call: bool,
        commas: u32,
    }
    let mut lists: Vec<List> = Vec::new();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match token.text.as_str() {
            "(" | "[" | "{" => {
                let call = token.text != "(" || out.last().is_some_and(|before| is_callee(&before.text));
                lists.push(List { call, commas: 0 });
            }
            ")" | "]" | "}" => {
                let layout = lists.pop().is_some_and(|list| list.call || list.commas > 1);
                if layout && out.last().is_some_and(|before| before.text == ",") {
                    out.pop();
                }
            }
            "," => lists.iter_mut().last().into_iter().for_each(|list| list.commas += 1),
            _ => {}
        }
        out.push(token);
    }
    out
}

/// Whether a parenthesis after this token holds arguments: a name that is no keyword an expression may follow.
fn is_callee(text: &str) -> bool {
    const BEFORE_EXPRESSIONS: [&str; 13] =
        ["return", "break", "in", "match", "if", "while", "let", "else", "move", "mut", "ref", "yield", "for"];
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !BEFORE_EXPRESSIONS.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        tokens(source).expect("the test's source lexes").into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn layout_and_comments_leave_no_trace() {
        let one = "fn f(a: u8) -> bool { g(a, 1) >= 2 }";
        let two =
            "/// Doc.\nfn f(\n    a: u8,\n) -> bool {\n    //! inner\n    g(\n a, // why\n 1,\n ) /* x */ >= 2\n}\n";
        assert_eq!(texts(one), texts(two));
    }

    #[test]
    fn a_written_doc_attribute_is_code() {
        assert_ne!(texts("#[doc = \"x\"] fn f() {}"), texts("fn f() {}"));
        assert_eq!(texts("/** x */ fn f() {}"), texts("fn f() {}"));
    }

    #[test]
    fn spacing_matters_only_inside_an_operator() {
        assert_eq!(texts("x=-1"), texts("x = - 1"));
        assert_ne!(texts("a & &b"), texts("a && b"));
        assert_eq!(texts("a>>=b"), ["a", ">>=", "b"]);
    }

    #[test]
    fn the_comma_of_a_tuple_and_of_a_macro_is_code() {
        assert_ne!(texts("let t = (x,);"), texts("let t = (x);"));
        assert_ne!(texts("return (x,);"), texts("return (x);"));
        assert_ne!(texts("m!(x,)"), texts("m!(x)"));
        assert_eq!(texts("(x, y,)"), texts("(x, y)"));
        assert_eq!(texts("[f(x,), ]"), texts("[f(x)]"));
    }

    #[test]
    fn a_shebang_a_byte_order_mark_and_crlf_do_not_move_lines() {
        let found = tokens("\u{feff}#!/usr/bin/env run\r\n\r\nfn f() {}\r\n").unwrap();
        assert_eq!((found[0].text.as_str(), found[0].start), ("fn", 3));
        assert_eq!(texts("#![allow(x)]")[0], "#");
    }

    #[test]
    fn a_long_literal_stands_on_all_its_lines() {
        let found = tokens("x(\"a\nb\nc\")").unwrap();
        let literal = found.iter().find(|t| t.text.starts_with('"')).unwrap();
        assert_eq!((literal.start, literal.end), (1, 3));
    }

    #[test]
    fn line_ends_inside_a_literal_are_layout() {
        assert_eq!(texts("x(\"a\r\nb\")"), texts("x(\"a\nb\")"));
    }

    #[test]
    fn deep_nesting_does_not_overflow_the_stack() {
        let source = format!("{}{}", "(".repeat(50_000), ")".repeat(50_000));
        assert_eq!(tokens(&source).unwrap().len(), 100_000);
    }

    #[test]
    fn what_does_not_lex_has_no_tokens() {
        assert!(tokens("fn f( {").is_none());
        assert!(tokens("\"open").is_none());
    }
}
