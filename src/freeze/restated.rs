//! New tests that exercise nothing but what the patch itself added: code and tests that one hand wrote at one time can
//! agree on the same mistake, and nothing that existed before speaks in between.
//!
//! Read from names, without types: a test that uses any name that the base declares is taken to exercise it. So a test may
//! go unnamed here that should be named, but seldom the other way round.

use super::pairs::{Pairs, ReadFile};
use super::read::Unit;
use std::collections::BTreeSet;

/// Names that are of the standard library wherever they also stand.
const COMMON: &[&str] = &[
    "new",
    "default",
    "from",
    "into",
    "clone",
    "len",
    "is_empty",
    "iter",
    "get",
    "push",
    "insert",
    "contains",
    "to_string",
    "to_owned",
    "to_vec",
    "as_str",
    "unwrap",
    "expect",
    "collect",
    "map",
    "next",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "Some",
    "None",
    "Ok",
    "Err",
    "Vec",
    "String",
    "Box",
    "Self",
    "Result",
    "Option",
];

/// What files declare.
#[derive(Debug, Default)]
pub struct Declared {
    items: BTreeSet<String>,
    macros: BTreeSet<String>,
}

impl Declared {
    /// Adds a file's functions, types, constants and macros, by the word after the keyword.
    pub fn add(&mut self, text: &str) {
        let mut before = "";
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()) {
            match before {
                "fn" | "struct" | "enum" | "trait" | "const" | "static" | "type" | "union" => {
                    self.items.insert(word.to_owned());
                }
                "macro_rules" => {
                    self.macros.insert(word.to_owned());
                }
                _ => {}
            }
            before = word;
        }
    }
}

/// One sentence about all such tests. `declared` is what the base declares; it is asked only where it matters.
pub fn restated(
    files: &[ReadFile],
    pairs: &Pairs,
    label: &dyn Fn(&ReadFile, &Unit) -> String,
    declared: &dyn Fn() -> Declared,
) -> Option<String> {
    let unit = |at: &(usize, usize)| (&files[at.0], &files[at.0].new.units[at.1]);
    let ships = |file: &ReadFile, unit: &Unit| !unit.is_test && !unit.test_only && !file.test_file;
    let new = pairs.new.iter().map(unit);
    let added: BTreeSet<&str> =
        new.clone().filter(|(file, unit)| ships(file, unit)).map(|(_, unit)| unit.name.as_str()).collect();
    let tests: Vec<(&ReadFile, &Unit, Used<'_>)> = new
        .filter(|(_, unit)| unit.is_test)
        .map(|(file, unit)| (file, unit, Used::of(file, unit)))
        .filter(|(_, _, used)| used.items.iter().any(|name| added.contains(name)))
        .collect();
    if tests.is_empty() {
        return None;
    }
    let declared = declared();
    let is_older = |name: &&str| !added.contains(name) && declared.items.contains(*name) && !COMMON.contains(name);
    let only_new = |used: &Used<'_>| {
        !used.items.iter().any(is_older) && !used.all.iter().any(|name| declared.macros.contains(*name))
    };
    let named: Vec<String> = tests
        .iter()
        .filter(|(.., used)| only_new(used))
        .map(|(file, unit, _)| format!("`{}`", label(file, unit)))
        .collect();
    let (test, exercise) = if named.len() == 1 { ("test", "exercises") } else { ("tests", "exercise") };
    (!named.is_empty()).then(|| {
        let named = crate::report::text::list(&named, 10);
        format!("the new {test} {named} {exercise} only items that the patch itself adds: they may restate it")
    })
}

/// The names that a test uses, those of helpers beside it included.
struct Used<'a> {
    /// Called names, and names of types, variants and constants.
    items: BTreeSet<&'a str>,
    /// Every identifier.
    all: BTreeSet<&'a str>,
}

impl<'a> Used<'a> {
    fn of(file: &'a ReadFile, test: &'a Unit) -> Used<'a> {
        let mut used = Used { items: BTreeSet::new(), all: BTreeSet::new() };
        let (mut open, mut seen) = (vec![test], BTreeSet::new());
        while let Some(unit) = open.pop() {
            let upper = |name: &&str| name.starts_with(char::is_uppercase);
            let names = unit.profile.names.iter().map(String::as_str);
            used.items.extend(unit.profile.calls.keys().map(String::as_str).chain(names.clone().filter(upper)));
            used.all.extend(names);
            let helpers = file.new.units.iter().filter(|helper| {
                !helper.is_test && (file.test_file || helper.test_only) && unit.profile.names.contains(&helper.name)
            });
            open.extend(helpers.filter(|helper| seen.insert(helper.line)));
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::pair;
    use super::super::read::FileUnits;
    use super::*;
    use crate::source::SourceFile;

    const OLD: &str = "pub struct Cart; pub fn total(c: &Cart) -> u32 { 1 }";

    /// What is said of tests in `tests/t.rs` beside a patch that adds `discount` and `Coupon::new` to `OLD`.
    fn said(test: &str) -> Option<String> {
        let units = |text: &str| FileUnits::of(&SourceFile::parse("a.rs", text).unwrap());
        let new = format!(
            "{OLD} pub struct Coupon; impl Coupon {{ pub fn new() -> Self {{ Coupon }} }} pub fn discount() -> u32 {{ 2 }}"
        );
        let production = ReadFile { old: units(OLD), new: units(&new), ..ReadFile::default() };
        let test = ReadFile { new: units(test), test_file: true, ..ReadFile::default() };
        let files = [production, test];
        let declared = || {
            let mut declared = Declared::default();
            declared.add(OLD);
            declared.add("macro_rules! cart { () => {} } fn len() {}");
            declared
        };
        restated(&files, &pair(&files), &|_, unit| unit.name.clone(), &declared)
    }

    #[test]
    fn a_test_of_added_items_alone_is_named() {
        let sentence = said("#[test] fn t() { assert_eq!(shop::discount(), 2); }").unwrap();
        assert!(sentence.starts_with("the new test `t` exercises only items that the patch itself adds"), "{sentence}");
        assert!(said("#[test] fn t() { let c = Coupon::new(); assert_eq!(c.len(), Some(2)); }").is_some());
        assert!(said("fn help() { discount(); } #[test] fn t() { help(); }").is_some());
    }

    #[test]
    fn a_test_that_uses_what_was_there_is_not() {
        for test in [
            "#[test] fn t() { assert_eq!(total(&c()), 2); }",
            "#[test] fn t() { assert_eq!(discount(), total(&c())); }",
            "#[test] fn t() { assert_eq!(discount(), Cart.price()); }",
            "#[test] fn t() { assert_eq!(discount(), cart!().price()); }",
            "fn help() { total(&c()); } #[test] fn t() { help(); discount(); }",
            "#[test] fn t() { assert!(true); }",
        ] {
            assert_eq!(said(test), None, "{test}");
        }
    }
}
