//! What several modules ask of a syntax node: its attributes, its name, whether it is a test.

use super::cfg_expr::{CfgExpr, applied, cfg_if_branches};
use syn::{Attribute, Item};

/// Attributes whose last path segment makes a function a test, whoever defines them (`#[test]`, `#[tokio::test]`,
/// `#[rstest]`, `#[test_case(..)]`, `#[quickcheck]` …).
const TEST_ATTRIBUTES: &[&str] = &[
    "test",
    "rstest",
    "test_case",
    "test_matrix",
    "test_casing",
    "test_resources",
    "dir_test",
    "quickcheck",
    "proptest",
    "property_test",
    "parameterized",
    "parameterize",
    "wasm_bindgen_test",
    "gtest",
    "async_test",
    "bench",
];

/// Macros that hold test functions and exist for nothing else.
const TEST_MACROS: &[&str] = &["proptest", "quickcheck"];

/// Whether these attributes make a function a test.
pub fn is_test(attrs: &[Attribute]) -> bool {
    !attrs.is_empty() && applied(attrs).iter().any(|a| TEST_ATTRIBUTES.contains(&a.last_name().as_str()))
}

/// Whether a macro invocation's inside is test functions.
pub fn is_test_macro(mac: &syn::Macro) -> bool {
    mac.path.segments.last().is_some_and(|s| TEST_MACROS.contains(&s.ident.to_string().as_str()))
}

/// The items that a macro invocation wraps and hands on, with the conditions that `cfg_if!` puts on them. Empty for
/// every other kind of tokens; the conditions of other macros are not known.
pub fn wrapped_items(mac: &syn::Macro) -> Vec<(Vec<CfgExpr>, Vec<Item>)> {
    let items = |tokens| syn::parse2::<syn::File>(tokens).map(|file| file.items).unwrap_or_default();
    match mac.path.segments.last().map(|s| s.ident.to_string()).as_deref() {
        None | Some("macro_rules") => Vec::new(),
        Some("cfg_if") => {
            let branches = cfg_if_branches(mac.tokens.clone()).into_iter();
            branches.map(|(cfgs, tokens)| (cfgs, items(tokens))).collect()
        }
        Some(_) => vec![(Vec::new(), items(mac.tokens.clone()))],
    }
}

/// The attributes of an item; none for tokens that `syn` does not understand.
pub fn attrs_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::ExternCrate(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::ForeignMod(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::TraitAlias(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[], // `Item` is non-exhaustive in `syn`: `Verbatim` and what later versions add.
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_fn(text: &str) -> bool {
        is_test(&syn::parse_str::<syn::ItemFn>(text).unwrap().attrs)
    }

    #[test]
    fn test_attributes_are_known_by_their_last_segment() {
        for attr in
            ["test", "tokio::test", "test_log::test(tokio::test)", "rstest", "test_case(1; \"one\")", "quickcheck"]
        {
            assert!(test_fn(&format!("#[{attr}] fn f() {{}}")), "{attr}");
        }
        assert!(test_fn("#[cfg_attr(feature = \"rt\", tokio::test)] async fn f() {}"));
        for attr in ["inline", "cfg(test)", "fixture", "must_use"] {
            assert!(!test_fn(&format!("#[{attr}] fn f() {{}}")), "{attr}");
        }
    }
}
