//! Functions in the tokens of macros: in an invocation's, and in the definition of a `macro_rules!`.

use super::tokens::{Kind, Token, is_keyword};
use crate::source::items::is_test;
use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use syn::Attribute;

/// A function in the tokens of a macro invocation.
pub(super) struct FunctionIn {
    pub name: String,
    pub test: bool,
    /// The trees that it takes, attributes included.
    pub trees: std::ops::Range<usize>,
    /// Where its attributes end.
    pub head: usize,
}

/// The functions that stand directly in a macro's tokens, when they are tests: all of them in a macro that is for
/// tests, else only if one has a test attribute.
pub(super) fn functions(tokens: &TokenStream, for_tests: bool) -> Vec<FunctionIn> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let word = |i: usize| match trees.get(i) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    let group = |i: usize, d: Delimiter| matches!(trees.get(i), Some(TokenTree::Group(g)) if g.delimiter() == d);
    let mut out: Vec<FunctionIn> = Vec::new();
    let mut i = 0;
    while i < trees.len() {
        // `paste!` has a name in brackets.
        let pasted = || group(i + 1, Delimiter::Bracket).then(|| trees[i + 1].to_string());
        let (Some("fn"), Some(name)) = (word(i).as_deref(), word(i + 1).or_else(pasted)) else {
            i += 1;
            continue;
        };
        let body = (i + 2..trees.len()).find(|at| {
            group(*at, Delimiter::Brace) || matches!(&trees[*at], TokenTree::Punct(p) if p.as_char() == ';')
        });
        let Some(body) = body.filter(|at| group(*at, Delimiter::Brace)) else {
            i += 2;
            continue;
        };
        // Back over what may stand before `fn`: qualifiers, attributes, and in definitions repetitions of either.
        let (mut start, mut head, mut test) = (i, i, for_tests);
        loop {
            let punct = |back: usize, chars: &str| {
                let tree = start.checked_sub(back).map(|at| &trees[at]);
                matches!(tree, Some(TokenTree::Punct(p)) if chars.contains(p.as_char()))
            };
            let grouped = |back: usize, d: Delimiter| start.checked_sub(back).is_some_and(|at| group(at, d));
            let qualifier = start > 0
                && (matches!(word(start - 1).as_deref(), Some("pub" | "async" | "unsafe" | "const" | "extern"))
                    || matches!(trees[start - 1], TokenTree::Literal(_)));
            let visibility =
                grouped(1, Delimiter::Parenthesis) && start >= 2 && word(start - 2).as_deref() == Some("pub");
            if punct(3, "$") && grouped(2, Delimiter::Parenthesis) && punct(1, "?*+") {
                start -= 3;
            } else if qualifier || visibility {
                start -= 1;
            } else if punct(2, "#") && grouped(1, Delimiter::Bracket) {
                test |= is_test_attribute(&trees[start - 1]);
                head = if head == i { start } else { head };
                start -= 2;
            } else {
                break;
            }
        }
        out.push(FunctionIn { name, test, trees: start..body + 1, head });
        i = body + 1;
    }
    if out.iter().any(|f| f.test) { out } else { Vec::new() }
}

/// Whether the brackets of an attribute hold one that makes a test, or a macro's variable for such: `#[$test]`.
fn is_test_attribute(brackets: &TokenTree) -> bool {
    let TokenTree::Group(group) = brackets else { return false };
    let mut inner = group.stream().into_iter();
    match (inner.next(), inner.next()) {
        (Some(TokenTree::Punct(p)), Some(TokenTree::Ident(name))) if p.as_char() == '$' => {
            name.to_string().contains("test")
        }
        _ => {
            let attribute: TokenStream =
                [TokenTree::Punct(Punct::new('#', Spacing::Alone)), brackets.clone()].into_iter().collect();
            syn::parse::Parser::parse2(Attribute::parse_outer, attribute).is_ok_and(|attrs| is_test(&attrs))
        }
    }
}

/// A test function in the definition of a macro, under its own name.
pub(super) struct Template {
    pub name: String,
    pub tokens: TokenStream,
    /// Its attributes alone.
    pub attributes: TokenStream,
}

/// Takes the test functions out of the definition of a macro; what is left comes back without `use` declarations,
/// which are no code of any test. A definition without such functions comes back as it is.
pub(super) fn templates(definition: &TokenStream) -> (Vec<Template>, TokenStream) {
    let mut found = Vec::new();
    let rest = split(definition, &mut found);
    if found.is_empty() { (found, definition.clone()) } else { (found, rest) }
}

fn split(stream: &TokenStream, found: &mut Vec<Template>) -> TokenStream {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let here: Vec<FunctionIn> = functions(stream, false).into_iter().filter(|f| f.test).collect();
    let mut rest = Vec::new();
    let mut i = 0;
    while i < trees.len() {
        if let Some(f) = here.iter().find(|f| f.trees.start == i) {
            let part = |range: std::ops::Range<usize>| trees[range].iter().cloned().collect();
            let (name, tokens) = (f.name.clone(), part(f.trees.clone()));
            found.push(Template { name, tokens, attributes: part(f.trees.start..f.head) });
            i = f.trees.end;
            continue;
        }
        match &trees[i] {
            TokenTree::Ident(word) if word == "use" => {
                let end = trees[i..].iter().position(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ';'));
                i = end.map_or(trees.len(), |end| i + end);
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), split(&group.stream(), found));
                inner.set_span(group.span());
                rest.push(TokenTree::Group(inner));
            }
            tree => rest.push(tree.clone()),
        }
        i += 1;
    }
    rest.into_iter().collect()
}

/// The identifiers in some tokens, in order of first appearance.
pub(super) fn idents(tokens: &[Token]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for token in tokens {
        if let Kind::Ident(name) = &token.kind
            && !is_keyword(name)
            && !out.contains(name)
        {
            out.push(name.clone());
        }
    }
    out
}

/// The names that some tokens seem to declare.
pub(super) fn declared(tokens: &[Token]) -> Vec<String> {
    let pairs = tokens.windows(2).filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
        (Kind::Ident(word), Kind::Ident(name)) if !is_keyword(name) => match word.as_str() {
            "static" | "const" | "fn" | "struct" | "enum" | "type" | "trait" | "ref" | "mod" => Some(name.clone()),
            _ => None,
        },
        _ => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delta::tokens::{Print, flat};

    #[test]
    fn test_functions_of_a_definition_are_told_from_the_rest() {
        let text = |body: u8, uses: &str, rest: u8| -> TokenStream {
            let text = format!(
                "($n:ident) => {{ mod $n {{ {uses} #[test] fn ok() {{ {body} }} fn h() {{ {rest} }} #[test] fn $n() {{}} #[$test] $(#[$m])* #[ignore] $($async)? fn by() {{}} }} }}"
            );
            text.parse().unwrap()
        };
        let print = |tokens: TokenStream| Print::of(&flat(tokens));
        let (found, rest) = templates(&text(1, "use a::b;", 1));
        assert_eq!(found.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["ok", "by"]);
        let rest = print(rest);
        assert_eq!(rest, print(templates(&text(2, "use a::{b, c};", 1)).1));
        assert_ne!(rest, print(templates(&text(1, "use a::b;", 2)).1));
    }
}
