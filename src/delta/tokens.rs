//! Tokens for comparing and for finding names: comments and documentation gone, groups laid flat.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// One token without its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Ident(String),
    Literal(String),
    /// A character and whether the next one belongs to the same operator.
    Punct(char, bool),
    Open(char),
    Close(char),
}

/// One token and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// What two pieces of code have in common exactly when their tokens are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Print(String);

/// A name used in code, with what stands around it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Mention {
    pub name: String,
    /// `a`, `b` of `a::b::name`; empty for a bare name.
    pub path: Vec<String>,
    pub role: Role,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// `.name`
    Member,
    /// `name!`
    Macro,
    /// `name(`
    Call,
    /// Anything else.
    Plain,
}

/// Lays tokens flat, without `#[doc = ".."]`, which is what comments of the form `///` are.
pub(super) fn flat(stream: TokenStream) -> Vec<Token> {
    let mut out = Vec::new();
    push(stream, &mut out);
    out
}

fn push(stream: TokenStream, out: &mut Vec<Token>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut i = 0;
    while let Some(tree) = trees.get(i) {
        if let Some(len) = doc_attribute(&trees[i..]) {
            i += len;
            continue;
        }
        i += 1;
        let span = tree.span();
        match tree {
            TokenTree::Ident(ident) => out.push(Token { kind: Kind::Ident(ident.to_string()), span }),
            TokenTree::Literal(literal) => out.push(Token { kind: Kind::Literal(literal.to_string()), span }),
            TokenTree::Punct(p) => {
                // A lifetime's quote is always joint; so is the first half of `==`, but not that of `= =`.
                let joint = p.spacing() == Spacing::Joint && matches!(trees.get(i), Some(TokenTree::Punct(_)));
                out.push(Token { kind: Kind::Punct(p.as_char(), joint), span });
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::None => {
                        push(group.stream(), out);
                        continue;
                    }
                };
                out.push(Token { kind: Kind::Open(open), span: group.span_open() });
                push(group.stream(), out);
                out.push(Token { kind: Kind::Close(close), span: group.span_close() });
            }
        }
    }
}

/// How many trees a documentation attribute at the front takes.
fn doc_attribute(trees: &[TokenTree]) -> Option<usize> {
    let is = |tree: Option<&TokenTree>, c: char| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c);
    if !is(trees.first(), '#') {
        return None;
    }
    let at = if is(trees.get(1), '!') { 2 } else { 1 };
    let Some(TokenTree::Group(group)) = trees.get(at) else { return None };
    let is_doc = matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(i)) if i == "doc");
    (group.delimiter() == Delimiter::Bracket && is_doc).then_some(at + 1)
}

impl Print {
    /// The print of some tokens.
    pub fn of(tokens: &[Token]) -> Print {
        let mut text = String::new();
        for token in tokens {
            match &token.kind {
                Kind::Ident(t) | Kind::Literal(t) => text.push_str(t),
                Kind::Punct(c, joint) => {
                    text.push(*c);
                    if *joint {
                        continue;
                    }
                }
                Kind::Open(c) | Kind::Close(c) => text.push(*c),
            }
            // A character that no token but a literal can hold, and that no literal begins or ends with.
            text.push('\u{1f}');
        }
        Print(text)
    }

    /// The print of two pieces taken together.
    pub fn with(&self, other: &Print) -> Print {
        Print(format!("{}\u{1e}{}", self.0, other.0))
    }

    /// Whether it is the print of no tokens.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The names that some tokens use. A name bound by `let` is a variable: only where it is called or qualified may it
/// still mean something else.
pub(super) fn mentions(tokens: &[Token]) -> BTreeSet<Mention> {
    let ident = |i: usize| match tokens.get(i).map(|t| &t.kind) {
        Some(Kind::Ident(name)) => Some(name.as_str()),
        _ => None,
    };
    let punct = |i: usize, c: char| matches!(tokens.get(i).map(|t| &t.kind), Some(Kind::Punct(p, _)) if *p == c);
    let mut bound = BTreeSet::new();
    for i in 0..tokens.len() {
        if ident(i) == Some("let") {
            let at = if ident(i + 1) == Some("mut") { i + 2 } else { i + 1 };
            bound.extend(ident(at));
        }
    }
    let mut out = BTreeSet::new();
    for i in 0..tokens.len() {
        let Some(name) = ident(i) else { continue };
        if is_keyword(name) {
            continue;
        }
        let mut path = Vec::new();
        let mut at = i;
        while at >= 3 && punct(at - 1, ':') && punct(at - 2, ':') {
            // Behind `<T as Trait>::` stands no word; what is known of such a path is its last part.
            let Some(segment) = ident(at - 3) else { break };
            path.insert(0, segment.to_owned());
            at -= 3;
        }
        let bare = !(i >= 2 && punct(i - 1, ':') && punct(i - 2, ':'));
        let role = if i >= 1 && punct(i - 1, '.') && !(i >= 2 && punct(i - 2, '.')) {
            Role::Member
        } else if punct(i + 1, '!') && !punct(i + 2, '=') {
            Role::Macro
        } else if matches!(tokens.get(i + 1).map(|t| &t.kind), Some(Kind::Open('('))) {
            Role::Call
        } else {
            Role::Plain
        };
        if role == Role::Plain && bare && bound.contains(name) {
            continue;
        }
        out.insert(Mention { name: name.to_owned(), path, role });
    }
    out
}

/// Words that name nothing.
pub(super) fn is_keyword(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
        "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
        "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "_",
    ];
    WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str) -> Print {
        Print::of(&flat(text.parse().unwrap()))
    }

    #[test]
    fn comments_and_layout_do_not_count() {
        let plain = print("#[test] fn a() { f(1) }");
        assert_eq!(plain, print("/// About.\n#[test]\nfn a() { // why\n    f( 1 ) /* x */\n}"));
        assert_eq!(plain, print("#[doc(hidden)] #[test] fn a() { //! inner\n f(1) }"));
        assert_ne!(plain, print("#[test] fn a() { f(2) }"));
    }

    #[test]
    fn operators_and_words_are_kept_apart() {
        assert_ne!(print("a == b"), print("a = = b"));
        assert_ne!(print("ab c"), print("a bc"));
        assert_ne!(print("{a}"), print("(a)"));
        assert_ne!(print("'a"), print("\"a\""));
    }

    #[test]
    fn names_are_found_with_what_stands_around_them() {
        let found = mentions(&flat("super::common::open(x).read(check!(y), Z)".parse().unwrap()));
        let has = |name: &str, path: &[&str], role| {
            let path = path.iter().map(|p| (*p).to_owned()).collect();
            found.contains(&Mention { name: name.into(), path, role })
        };
        assert!(has("open", &["super", "common"], Role::Call));
        assert!(has("read", &[], Role::Member));
        assert!(has("check", &[], Role::Macro));
        assert!(has("Z", &[], Role::Plain));
    }

    #[test]
    fn a_variable_is_no_use_of_a_function_of_its_name() {
        let found = mentions(&flat("let path = 1; g(path); let name = name();".parse().unwrap()));
        let names: Vec<(&str, Role)> = found.iter().map(|m| (m.name.as_str(), m.role)).collect();
        assert_eq!(names, [("g", Role::Call), ("name", Role::Call)]);
    }
}
