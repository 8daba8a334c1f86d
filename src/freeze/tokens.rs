//! Code as text for comparing: comments, documentation, layout and trailing commas gone.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The tokens of some code, one space between any two, so that reformatting changes nothing.
pub fn canonical(stream: TokenStream) -> String {
    let mut words = Vec::new();
    flatten(stream, &mut words);
    words.join(" ")
}

/// The tokens as words; groups are laid flat with their delimiters.
pub fn words(stream: TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    flatten(stream, &mut words);
    words
}

fn flatten(stream: TokenStream, out: &mut Vec<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        if let Some(length) = documentation(&trees[at..]) {
            at += length;
            continue;
        }
        at += 1;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                out.extend((!open.is_empty()).then(|| open.to_owned()));
                flatten(group.stream(), out);
                if !close.is_empty() {
                    // rustfmt adds a comma where it breaks a list into lines.
                    if out.last().is_some_and(|last| last == ",") {
                        out.pop();
                    }
                    out.push(close.to_owned());
                }
            }
            TokenTree::Punct(punct) => {
                let joins = at >= 2
                    && matches!(&trees[at - 2], TokenTree::Punct(before)
                        if before.spacing() == proc_macro2::Spacing::Joint);
                match out.last_mut() {
                    Some(last) if joins => last.push(punct.as_char()),
                    _ => out.push(punct.as_char().to_string()),
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => out.push(tree.to_string()),
        }
    }
}

/// How many trees a `#[doc = ".."]` at the front takes.
fn documentation(trees: &[TokenTree]) -> Option<usize> {
    let is = |tree: Option<&TokenTree>, c: char| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c);
    if !is(trees.first(), '#') {
        return None;
    }
    let at = if is(trees.get(1), '!') { 2 } else { 1 };
    let Some(TokenTree::Group(group)) = trees.get(at) else { return None };
    let doc = matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(name)) if name == "doc");
    (group.delimiter() == Delimiter::Bracket && doc).then_some(at + 1)
}

/// An item's tokens without attributes in front and without visibility: what stays the same when it moves. Text that does
/// not lex stands for itself, white space aside.
pub fn code_words(text: &str) -> String {
    let Ok(stream) = text.parse::<TokenStream>() else {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    };
    let mut trees: std::collections::VecDeque<TokenTree> = stream.into_iter().collect();
    while is_punct(trees.front(), '#') {
        trees.drain(..2.min(trees.len()));
    }
    if matches!(trees.front(), Some(TokenTree::Ident(word)) if word == "pub") {
        trees.pop_front();
        if matches!(trees.front(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis) {
            trees.pop_front();
        }
    }
    canonical(trees.into_iter().collect())
}

/// Whether a tree is this punctuation character.
pub fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

/// Pieces of a stream between commas at its top; no empty last one.
pub fn arguments(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut pieces: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for tree in stream {
        if is_punct(Some(&tree), ',') {
            pieces.push(Vec::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push(tree);
        }
    }
    if pieces.last().is_some_and(Vec::is_empty) {
        pieces.pop();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(code: &str) -> String {
        canonical(code.parse().unwrap())
    }

    #[test]
    fn layout_comments_and_trailing_commas_do_not_count() {
        assert_eq!(text("assert_eq!(a(1), [2, 3])"), text("assert_eq!(\n    a(1), // one\n    [2, 3,],\n)"));
        assert_eq!(text("#[doc = \"x\"] fn a() {}"), text("/// y\nfn a() {}"));
        assert_ne!(text("a == b"), text("a = = b"));
        assert_ne!(text("a <= b"), text("a < b"));
    }
}
