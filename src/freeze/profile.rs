//! How much a test asserts, as far as its tokens tell.
//!
//! Tokens, not syntax: assertions also stand in `proptest!`, in `macro_rules!` and in macros nobody knows. What counts
//! as an assertion is what is named like one; how strict it is follows from its name and its comparison.

use super::tokens::{arguments, canonical, is_punct, words};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// How strict an assertion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// It cannot fail.
    Trivial,
    /// It leaves room: `assert!(a < b)`, `assert!(x.is_ok())`, `assert_ne!`, `panic!` on a branch.
    Relation,
    /// One value or shape only: `assert_eq!`, `assert!(a == b)`, `matches!`, a snapshot.
    Exact,
}

/// One assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    /// The macro or function.
    pub name: String,
    /// Its tokens without the message.
    pub text: String,
    /// How strict it is.
    pub strength: Strength,
    /// For how many it counts when it stands in for others: the elements of a list that it compares.
    pub weight: usize,
    /// Conditions, loops and closures around it.
    pub depth: usize,
    /// Its tokens as words.
    pub words: Vec<String>,
}

/// What a body does to be sure of something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// In order.
    pub assertions: Vec<Assertion>,
    /// `.unwrap()`, `.expect(..)` and their like, and `?`.
    pub unwraps: usize,
    /// `let _ = ..`, `_ = ..`, `.ok();`.
    pub discards: usize,
    /// `return`.
    pub returns: usize,
    /// Whether there is nothing in it.
    pub empty: bool,
    /// Names that are called, and how often.
    pub calls: BTreeMap<String, usize>,
    /// Every identifier, each once, and the text of every string.
    pub names: Vec<String>,
    /// The text of every string literal.
    pub strings: Vec<String>,
}

impl Profile {
    /// The profile of a body, or of any tokens.
    pub fn of(stream: TokenStream) -> Profile {
        let mut profile = Profile { empty: stream.is_empty(), ..Profile::default() };
        profile.scan(stream, 0);
        profile.names.sort();
        profile.names.dedup();
        profile
    }

    fn scan(&mut self, stream: TokenStream, depth: usize) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        // Where the statement began, and whether it branches.
        let mut start = 0;
        let mut at = 0;
        while at < trees.len() {
            match &trees[at] {
                TokenTree::Punct(punct) => {
                    match punct.as_char() {
                        ';' => {
                            self.statement(&trees[start..at]);
                            start = at + 1;
                        }
                        '?' => self.unwraps += 1,
                        _ => {}
                    }
                    at += 1;
                }
                TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal.clone()) {
                        self.strings.push(text.value());
                    }
                    at += 1;
                }
                TokenTree::Ident(ident) => {
                    self.names.push(ident.to_string());
                    at += self.named(&trees, at, depth);
                }
                TokenTree::Group(group) => {
                    let branching = branches(&trees[start..at], group.delimiter());
                    self.scan(group.stream(), depth + usize::from(branching));
                    if group.delimiter() == Delimiter::Brace && ends_statement(&trees, at) {
                        start = at + 1;
                    }
                    at += 1;
                }
            }
        }
        self.statement(&trees[start.min(trees.len())..]);
    }

    /// Looks at an identifier with what follows; returns how many trees are dealt with.
    fn named(&mut self, trees: &[TokenTree], at: usize, depth: usize) -> usize {
        let name = trees[at].to_string();
        let member = at >= 1 && is_punct(trees.get(at - 1), '.');
        if name == "return" {
            self.returns += 1;
            return 1;
        }
        if let (true, Some(TokenTree::Group(group))) = (is_punct(trees.get(at + 1), '!'), trees.get(at + 2)) {
            if is_assertion_macro(&name) {
                self.assertion(&name, group.stream(), depth);
            }
            // What is called inside counts all the same; conditions inside a macro are nobody's business.
            self.scan(group.stream(), depth);
            return 3;
        }
        if let Some(TokenTree::Group(group)) = trees.get(at + 1)
            && group.delimiter() == Delimiter::Parenthesis
        {
            *self.calls.entry(name.clone()).or_default() += 1;
            match (member, name.as_str()) {
                (true, "unwrap" | "expect" | "unwrap_err" | "expect_err" | "unwrap_none") => self.unwraps += 1,
                (true, "assert") => {
                    self.chain(trees, at + 2, depth);
                }
                (false, _) if is_assertion_function(&name) && !declared(trees, at) => {
                    let text = format!("{name} ( {} )", canonical(group.stream()));
                    let words = words(group.stream());
                    let strength = if name.ends_with("_eq") { Strength::Exact } else { Strength::Relation };
                    self.assertions.push(Assertion { name, text, strength, weight: 1, depth, words });
                }
                _ => {}
            }
        }
        1
    }

    /// `.assert().success().stdout("x")`: every link says something.
    fn chain(&mut self, trees: &[TokenTree], mut at: usize, depth: usize) {
        while let (true, Some(TokenTree::Ident(name)), Some(TokenTree::Group(group))) =
            (is_punct(trees.get(at), '.'), trees.get(at + 1), trees.get(at + 2))
        {
            let text = format!(". {name} ( {} )", canonical(group.stream()));
            let strength = if group.stream().is_empty() { Strength::Relation } else { Strength::Exact };
            let words = words(group.stream());
            self.assertions.push(Assertion { name: format!(".{name}"), text, strength, weight: 1, depth, words });
            at += 3;
        }
    }

    fn assertion(&mut self, name: &str, stream: TokenStream, depth: usize) {
        let args = arguments(stream);
        let joined = |from: &[Vec<TokenTree>]| -> TokenStream {
            let mut all = Vec::new();
            for (index, arg) in from.iter().enumerate() {
                if index > 0 {
                    all.push(TokenTree::Punct(proc_macro2::Punct::new(',', proc_macro2::Spacing::Alone)));
                }
                all.extend(arg.iter().cloned());
            }
            all.into_iter().collect()
        };
        let base = name.trim_start_matches("debug_").trim_start_matches("prop_");
        let mut add = |kept: TokenStream, strength, weight| {
            let text = format!("{base} ! ( {} )", canonical(kept.clone()));
            let words = words(kept);
            self.assertions.push(Assertion { name: base.to_owned(), text, strength, weight, depth, words });
        };
        match base {
            "panic" | "unreachable" => add(TokenStream::new(), Strength::Relation, 1),
            "assert" | "ensure" | "verify" => {
                let Some(condition) = args.first() else { return };
                for part in conjuncts(condition) {
                    let strength = of_condition(&part);
                    add(part.into_iter().collect(), strength, 1);
                }
            }
            "assert_eq" | "assert_str_eq" | "assert_ne" if args.len() >= 2 => {
                let kept = joined(&args[..2]);
                let same = canonical(args[0].iter().cloned().collect()) == canonical(args[1].iter().cloned().collect());
                let calls = args[0].iter().any(|tree| matches!(tree, TokenTree::Group(_)));
                let strength = match (base, same && !calls) {
                    (_, true) => Strength::Trivial,
                    ("assert_ne", false) => Strength::Relation,
                    (_, false) => Strength::Exact,
                };
                let weight = elements(&args[0]).max(elements(&args[1]));
                add(kept, strength, weight);
            }
            _ => {
                let exact = ["eq", "snapshot", "match", "same"].iter().any(|word| base.contains(word));
                let strength = if exact { Strength::Exact } else { Strength::Relation };
                add(joined(&args), strength, 1);
            }
        }
    }

    /// Looks at a statement as a whole.
    fn statement(&mut self, trees: &[TokenTree]) {
        let text: Vec<String> = trees.iter().take(3).map(ToString::to_string).collect();
        let text: Vec<&str> = text.iter().map(String::as_str).collect();
        let ignored = matches!(text[..], ["let", "_", "=", ..] | ["_", "=", ..]);
        let ok = matches!(trees, [.., TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(_)]
            if dot.as_char() == '.' && name == "ok" && text.first() != Some(&"let"));
        self.discards += usize::from(ignored || ok);
    }
}

/// Whether a group after these tokens of its statement runs only now and then.
fn branches(before: &[TokenTree], delimiter: Delimiter) -> bool {
    let word = |names: &[&str]| {
        before.iter().any(|tree| matches!(tree, TokenTree::Ident(ident) if names.iter().any(|name| ident == name)))
    };
    match delimiter {
        Delimiter::Brace => word(&["if", "match", "while", "for", "else", "loop"]) || is_punct(before.last(), '|'),
        Delimiter::Parenthesis => {
            matches!(before.last(), Some(TokenTree::Ident(name)) if name == "catch_unwind" || name == "spawn")
        }
        Delimiter::Bracket | Delimiter::None => false,
    }
}

/// Whether a block at `at` ends its statement.
fn ends_statement(trees: &[TokenTree], at: usize) -> bool {
    match trees.get(at + 1) {
        None => true,
        Some(TokenTree::Ident(next)) => next != "else" && next != "as",
        Some(TokenTree::Punct(next)) => !matches!(next.as_char(), '.' | '?' | ';' | ',' | '=' | '|' | '&'),
        Some(TokenTree::Literal(_) | TokenTree::Group(_)) => true,
    }
}

fn declared(trees: &[TokenTree], at: usize) -> bool {
    at >= 1 && matches!(&trees[at - 1], TokenTree::Ident(word) if word == "fn")
}

fn is_assertion_macro(name: &str) -> bool {
    let base = name.trim_start_matches("debug_").trim_start_matches("prop_");
    base.starts_with("assert") || matches!(base, "panic" | "unreachable" | "ensure" | "verify" | "expect")
}

fn is_assertion_function(name: &str) -> bool {
    ["assert", "check", "verify", "expect", "ensure"].iter().any(|word| name.starts_with(word))
}

/// A condition's parts between `&&` at its top.
fn conjuncts(condition: &[TokenTree]) -> Vec<Vec<TokenTree>> {
    if condition.windows(2).any(|pair| is_punct(pair.first(), '|') && is_punct(pair.get(1), '|')) {
        return vec![condition.to_vec()];
    }
    let mut parts: Vec<Vec<TokenTree>> = vec![Vec::new()];
    let mut at = 0;
    while at < condition.len() {
        let and = is_punct(condition.get(at), '&') && is_punct(condition.get(at + 1), '&');
        match parts.last_mut() {
            Some(last) if and && !last.is_empty() => {
                parts.push(Vec::new());
                at += 2;
            }
            Some(last) => {
                last.push(condition[at].clone());
                at += 1;
            }
            None => break,
        }
    }
    parts
}

fn of_condition(condition: &[TokenTree]) -> Strength {
    let text = canonical(condition.iter().cloned().collect());
    let words: Vec<&str> = text.split(' ').collect();
    if text == "true" || words.windows(2).any(|pair| pair == ["||", "true"]) || text.starts_with("true ||") {
        return Strength::Trivial;
    }
    if cannot_be_otherwise(condition) {
        return Strength::Trivial;
    }
    let top = |op: &str| {
        condition.windows(2).any(|pair| match pair {
            [TokenTree::Punct(a), TokenTree::Punct(b)] => format!("{}{}", a.as_char(), b.as_char()) == op,
            _ => false,
        })
    };
    if top("||") {
        Strength::Relation
    } else if top("==") || words.starts_with(&["matches", "!"]) {
        Strength::Exact
    } else {
        Strength::Relation
    }
}

/// `x == x`, `2 > 1`, `v.len() >= 0`, `r.is_ok() || r.is_err()`, `matches!(r, _)`.
fn cannot_be_otherwise(condition: &[TokenTree]) -> bool {
    let text = canonical(condition.iter().cloned().collect());
    let constant = |tree: &TokenTree| matches!(tree, TokenTree::Literal(_) | TokenTree::Punct(_));
    let calls = condition.iter().any(|tree| matches!(tree, TokenTree::Group(_)));
    let same = text.split_once(" == ").is_some_and(|(left, right)| left == right && !calls);
    let opposites = [("is_ok", "is_err"), ("is_some", "is_none")];
    let either = text.split_once(" || ").is_some_and(|(left, right)| {
        opposites.iter().any(|(yes, no)| {
            let of = |side: &str, word: &str| side.strip_suffix(&format!(" . {word} ( )")).map(str::to_owned);
            let both = |a: Option<String>, b: Option<String>| a.is_some() && a == b;
            both(of(left, yes), of(right, no)) || both(of(left, no), of(right, yes))
        })
    });
    let anything = text.starts_with("matches ! (") && text.ends_with(", _ )");
    !condition.is_empty() && condition.iter().all(constant)
        || same
        || either
        || anything
        || text.ends_with(". len ( ) >= 0")
}

/// The number of elements of a list or tuple literal; 1 for everything else.
fn elements(arg: &[TokenTree]) -> usize {
    let literal = match arg {
        [TokenTree::Group(group)] => Some(group),
        [TokenTree::Punct(and), TokenTree::Group(group)] if and.as_char() == '&' => Some(group),
        [TokenTree::Ident(vec), TokenTree::Punct(_), TokenTree::Group(group)] if vec == "vec" => Some(group),
        _ => None,
    };
    literal.map_or(1, |group| arguments(group.stream()).len()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(code: &str) -> Profile {
        Profile::of(code.parse().unwrap())
    }

    fn strengths(code: &str) -> Vec<Strength> {
        profile(code).assertions.iter().map(|assertion| assertion.strength).collect()
    }

    #[test]
    fn an_assertion_is_as_strict_as_its_comparison() {
        use Strength::*;
        assert_eq!(
            strengths("assert_eq!(f(1), 2); assert_ne!(f(1), 2); assert!(f(1) == 2);"),
            [Exact, Relation, Exact]
        );
        assert_eq!(strengths("assert!(f(1) > 2 && g(), \"why {}\", 1);"), [Relation, Relation]);
        assert_eq!(strengths("assert!(true); assert_eq!(1, 1); assert!(f() || true);"), [Trivial, Trivial, Trivial]);
        assert_eq!(
            strengths("assert!(matches!(x, Ok(3))); assert!(x.is_ok()); panic!(\"no\")"),
            [Exact, Relation, Relation]
        );
        assert_eq!(strengths("cmd().assert().success().stdout(\"x\");"), [Relation, Exact]);
        assert_eq!(strengths("assert_parses(\"x\"); prop_assert_eq!(a, b);"), [Relation, Exact]);
    }

    #[test]
    fn a_message_is_no_part_of_an_assertion() {
        let text = |code: &str| profile(code).assertions[0].text.clone();
        assert_eq!(text("assert_eq!(a, b, \"x {}\", 1)"), text("assert_eq!(\n a,\n b,\n)"));
        assert_eq!(text("assert!(a, \"x\")"), text("assert!(a)"));
    }

    #[test]
    fn what_runs_only_now_and_then_is_deeper() {
        let depths = |code: &str| profile(code).assertions.iter().map(|a| a.depth).collect::<Vec<_>>();
        assert_eq!(depths("assert!(a); if x { assert!(b); } assert!(c);"), [0, 1, 0]);
        assert_eq!(depths("{ assert!(a); } catch_unwind(|| assert!(b));"), [0, 1]);
        assert_eq!(depths("for x in y { match x { A => assert!(b), } }"), [2]);
    }

    #[test]
    fn unwraps_discards_returns_and_calls_are_counted() {
        let p = profile("let _ = f(); g().unwrap(); h()?; if x { return; } k().ok(); _ = m();");
        assert_eq!((p.unwraps, p.discards, p.returns, p.empty), (2, 3, 1, false));
        assert_eq!(p.calls["f"], 1);
        assert!(profile("").empty && profile("// only a comment\n").empty);
    }

    #[test]
    fn a_list_stands_in_for_its_elements() {
        assert_eq!(profile("assert_eq!(all(), [1, 2, 3])").assertions[0].weight, 3);
        assert_eq!(profile("assert_eq!(all(), vec![1, 2])").assertions[0].weight, 2);
    }
}
