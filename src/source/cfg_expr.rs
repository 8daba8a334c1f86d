//! `cfg` expressions as they stand in attributes, before anybody knows whether they hold.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The predicate of a `#[cfg(..)]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CfgExpr {
    /// `all(..)`; `all()` holds.
    All(Vec<CfgExpr>),
    /// `any(..)`; `any()` does not hold.
    Any(Vec<CfgExpr>),
    /// `not(..)`.
    Not(Box<CfgExpr>),
    /// `unix`, `test`.
    Name(String),
    /// `feature = "x"`.
    Pair(String, String),
    /// `true` and `false`.
    Const(bool),
    /// Something this program cannot read, or code whose compilation a macro decides.
    Unknown,
}

impl CfgExpr {
    /// Reads a predicate; what is no valid predicate becomes [`CfgExpr::Unknown`].
    pub fn from_meta(meta: &Meta) -> CfgExpr {
        match meta {
            Meta::Path(path) => match path.get_ident().map(ToString::to_string).as_deref() {
                Some("true") => CfgExpr::Const(true),
                Some("false") => CfgExpr::Const(false),
                Some(name) => CfgExpr::Name(name.strip_prefix("r#").unwrap_or(name).to_owned()),
                None => CfgExpr::Unknown,
            },
            Meta::NameValue(pair) => match (pair.path.get_ident(), &pair.value) {
                (Some(key), Expr::Lit(value)) => match &value.lit {
                    Lit::Str(text) => CfgExpr::Pair(key.to_string(), text.value()),
                    _ => CfgExpr::Unknown,
                },
                _ => CfgExpr::Unknown,
            },
            Meta::List(list) => {
                let Ok(inner) = list.parse_args_with(Predicates::parse_terminated) else {
                    return CfgExpr::Unknown;
                };
                let mut inner: Vec<CfgExpr> = inner.into_iter().map(|p| p.0).collect();
                match (list.path.get_ident().map(ToString::to_string).as_deref(), inner.len()) {
                    (Some("all"), _) => CfgExpr::All(inner),
                    (Some("any"), _) => CfgExpr::Any(inner),
                    (Some("not"), 1) => CfgExpr::Not(Box::new(inner.remove(0))),
                    _ => CfgExpr::Unknown,
                }
            }
        }
    }

    /// What `not(self)` means.
    pub fn negated(self) -> CfgExpr {
        CfgExpr::Not(Box::new(self))
    }
}

type Predicates = Punctuated<Predicate, Token![,]>;

/// One predicate in a list: a meta item, or the literals `true` and `false`.
struct Predicate(CfgExpr);

impl syn::parse::Parse for Predicate {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        if input.peek(syn::LitBool) {
            return Ok(Predicate(CfgExpr::Const(input.parse::<syn::LitBool>()?.value)));
        }
        Ok(Predicate(CfgExpr::from_meta(&input.parse::<Meta>()?)))
    }
}

/// An attribute as it applies: `#[cfg_attr(p, a, b)]` yields `a` and `b` under `p`.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The conditions of the `cfg_attr`s around it; empty for a plain attribute.
    pub when: Vec<CfgExpr>,
    /// The attribute.
    pub meta: Meta,
}

impl Applied {
    /// The last segment of the attribute's path, e.g. `test` of `#[tokio::test]`.
    pub fn last_name(&self) -> String {
        self.meta.path().segments.last().map(|s| s.ident.to_string()).unwrap_or_default()
    }

    /// Whether its path is exactly this one name.
    pub fn is(&self, name: &str) -> bool {
        self.meta.path().is_ident(name)
    }
}

/// All attributes with `cfg_attr` opened up.
pub fn applied(attrs: &[Attribute]) -> Vec<Applied> {
    fn open(meta: &Meta, when: &[CfgExpr], out: &mut Vec<Applied>) {
        if !meta.path().is_ident("cfg_attr") {
            out.push(Applied { when: when.to_vec(), meta: meta.clone() });
            return;
        }
        let Meta::List(list) = meta else { return };
        // The predicate may be the literal `true`, which is no meta item; the attributes after it are.
        let parse = |input: syn::parse::ParseStream| {
            let predicate: Predicate = input.parse()?;
            let _: Option<Token![,]> = input.parse()?;
            Ok((predicate.0, Punctuated::<Meta, Token![,]>::parse_terminated(input)?))
        };
        let Ok((predicate, metas)) = list.parse_args_with(parse) else { return };
        let when: Vec<CfgExpr> = when.iter().cloned().chain([predicate]).collect();
        metas.iter().for_each(|meta| open(meta, &when, out));
    }
    let mut out = Vec::new();
    attrs.iter().for_each(|attr| open(&attr.meta, &[], &mut out));
    out
}

/// The conditions under which something with these attributes is compiled; all must hold.
pub fn cfgs_of(attrs: &[Attribute]) -> Vec<CfgExpr> {
    if !attrs.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr")) {
        return Vec::new();
    }
    applied(attrs).into_iter().filter(|a| a.is("cfg")).map(condition).collect()
}

/// The condition that one applied `cfg` sets: under `cfg_attr(p, cfg(q))` it is `not(p)` or `q`.
fn condition(attr: Applied) -> CfgExpr {
    let predicate = match &attr.meta {
        Meta::List(list) => match list.parse_args::<Predicate>() {
            Ok(predicate) => predicate.0,
            Err(_) => CfgExpr::Unknown,
        },
        Meta::Path(_) | Meta::NameValue(_) => CfgExpr::Unknown,
    };
    if attr.when.is_empty() {
        return predicate;
    }
    CfgExpr::Any(vec![CfgExpr::All(attr.when).negated(), predicate])
}

/// The branches of a `cfg_if!`: the tokens in each one's braces, and the conditions under which they are compiled (its
/// own, and that no earlier one holds).
pub fn cfg_if_branches(tokens: TokenStream) -> Vec<(Vec<CfgExpr>, TokenStream)> {
    let mut out = Vec::new();
    let mut earlier: Vec<CfgExpr> = Vec::new();
    let mut condition = None;
    for tree in tokens {
        let TokenTree::Group(group) = tree else { continue };
        match group.delimiter() {
            Delimiter::Bracket => {
                let meta = syn::parse2::<Meta>(group.stream());
                let inner = meta.ok().and_then(|m| m.require_list().ok()?.parse_args::<Predicate>().ok());
                condition = Some(inner.map_or(CfgExpr::Unknown, |predicate| predicate.0));
            }
            Delimiter::Brace => {
                let own = condition.take();
                out.push((earlier.iter().cloned().chain(own.clone()).collect(), group.stream()));
                earlier.extend(own.map(CfgExpr::negated));
            }
            Delimiter::Parenthesis | Delimiter::None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cfgs(item: &str) -> Vec<CfgExpr> {
        cfgs_of(&syn::parse_str::<syn::ItemFn>(item).unwrap().attrs)
    }

    fn name(n: &str) -> CfgExpr {
        CfgExpr::Name(n.into())
    }

    #[test]
    fn predicates_are_read_as_written() {
        let want = CfgExpr::All(vec![
            name("test"),
            CfgExpr::Any(vec![name("unix"), CfgExpr::Pair("feature".into(), "x y".into())]),
            CfgExpr::Not(Box::new(name("miri"))),
        ]);
        assert_eq!(cfgs(r#"#[cfg(all(test, any(unix, feature = "x y"), not(miri),))] fn f() {}"#), [want]);
        assert_eq!(cfgs("#[cfg(true)] #[cfg(false)] fn f() {}"), [CfgExpr::Const(true), CfgExpr::Const(false)]);
        assert_eq!(cfgs("#[cfg(all(true, not(false)))] fn f() {}").len(), 1);
    }

    #[test]
    fn what_is_no_predicate_is_unknown() {
        assert_eq!(cfgs("#[cfg(version(\"1.2\"))] fn f() {}"), [CfgExpr::Unknown]);
        assert_eq!(cfgs("#[cfg] fn f() {}"), [CfgExpr::Unknown]);
        assert_eq!(cfgs("#[cfg(not(a, b))] fn f() {}"), [CfgExpr::Unknown]);
    }

    #[test]
    fn a_conditional_cfg_holds_where_its_condition_does_not() {
        let want = CfgExpr::Any(vec![CfgExpr::All(vec![name("a")]).negated(), name("b")]);
        assert_eq!(cfgs("#[cfg_attr(a, inline, cfg(b))] fn f() {}"), [want]);
    }

    #[test]
    fn a_later_branch_of_cfg_if_wants_the_earlier_ones_off() {
        let branches = cfg_if_branches("if #[cfg(a)] { 1 } else if #[cfg(b)] { 2 } else { 3 }".parse().unwrap());
        let cfgs: Vec<Vec<CfgExpr>> = branches.into_iter().map(|(cfgs, _)| cfgs).collect();
        let (a, b) = (name("a"), name("b"));
        let (not_a, not_b) = (a.clone().negated(), b.clone().negated());
        assert_eq!(cfgs, [vec![a], vec![not_a.clone(), b], vec![not_a, not_b]]);
    }

    #[test]
    fn conditional_attributes_are_opened_with_their_conditions() {
        let f: syn::ItemFn = syn::parse_str("#[cfg_attr(x, tokio::test, cfg_attr(y, ignore))] fn f() {}").unwrap();
        let all = applied(&f.attrs);
        let names: Vec<_> = all.iter().map(|a| (a.last_name(), a.when.len())).collect();
        assert_eq!(names, [("test".to_owned(), 1), ("ignore".to_owned(), 2)]);
    }
}
