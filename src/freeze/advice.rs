//! What a reviewer should look at, and what never decides: new tests that cannot fail.

use super::pairs::{Pairs, ReadFile};
use super::profile::Strength;
use super::read::Unit;

/// One sentence each.
pub fn advice(files: &[ReadFile], pairs: &Pairs, label: &dyn Fn(&ReadFile, &Unit) -> String) -> Vec<String> {
    let mut said = Vec::new();
    for at in &pairs.new {
        let (file, test) = (&files[at.0], &files[at.0].new.units[at.1]);
        if test.is_test
            && let Some(why) = toothless(file, test)
        {
            said.push(format!("the new test `{}` {why}", label(file, test)));
        }
    }
    said
}

/// Why a test cannot fail by what it says itself; `None` when it can, or when what it calls may say more.
fn toothless(file: &ReadFile, test: &Unit) -> Option<&'static str> {
    let profile = &test.profile;
    let helps = |name: &String| {
        let mut units = file.new.units.iter();
        units.any(|unit| !unit.is_test && unit.name == *name && !unit.profile.assertions.is_empty())
    };
    if test.should_panic.is_some() || profile.unwraps > 0 || answers(test) || profile.names.iter().any(helps) {
        return None;
    }
    if profile.assertions.is_empty() {
        return Some("asserts nothing");
    }
    let trivial = profile.assertions.iter().all(|assertion| assertion.strength == Strength::Trivial);
    trivial.then_some("asserts only what cannot be otherwise")
}

/// Whether what a test returns decides, as of a property of quickcheck; a plain `Ok(())` at the end decides nothing.
fn answers(test: &Unit) -> bool {
    let signature = test.body.split(" { ").next().unwrap_or_default();
    signature.contains(" -> ") && !test.body.ends_with("Ok ( ( ) ) }")
}

#[cfg(test)]
mod tests {
    use super::super::pairs::pair;
    use super::super::read::FileUnits;
    use super::*;
    use crate::source::SourceFile;

    fn said(new: &str) -> Vec<String> {
        let units = FileUnits::of(&SourceFile::parse("t.rs", new).unwrap());
        let files = [ReadFile { new: units, ..ReadFile::default() }];
        advice(&files, &pair(&files), &|_, unit| unit.name.clone())
    }

    #[test]
    fn new_tests_that_cannot_fail_are_named() {
        for empty in ["#[test] fn t() { f(1); }", "#[test] fn t() -> Result<(), E> { f(1); Ok(()) }"] {
            assert!(said(empty).len() == 1 && said(empty)[0].contains("asserts nothing"), "{empty}");
        }
        for trivial in [
            "assert!(true)",
            "assert_eq!(x, x)",
            "assert!(x == x)",
            "assert!(1 + 1 == 2)",
            "assert!(v.len() >= 0)",
            "assert!(r.is_ok() || r.is_err())",
            "assert!(matches!(r, _))",
        ] {
            let said = said(&format!("#[test] fn t() {{ let x = f(1); {trivial}; }}"));
            assert!(said.len() == 1 && said[0].contains("cannot be otherwise"), "{trivial}: {said:?}");
        }
        for good in [
            "#[test] fn t() { assert_eq!(f(1), 2); }",
            "#[test] fn t() { assert!(r.is_ok() || r.is_none()); }",
            "#[test] fn t() { assert_eq!(next(), next()); }",
            "#[test] fn t() { assert!(next() == next()); }",
            "#[test] fn t() { assert!(matches!(f(1), Some(_))); }",
            "#[test] fn t() { f(1).unwrap(); }",
            "#[test] #[should_panic] fn t() { f(1); }",
            "#[test] fn t() -> Result<(), E> { f(1) }",
            "quickcheck! { fn t(n: u8) -> bool { f(n) > n } }",
            "#[quickcheck] fn t(n: u8) -> TestResult { f(n) }",
            "fn twice(a: u8) { assert_eq!(f(a), 2); } #[test] fn t() { twice(1); }",
        ] {
            assert!(said(good).is_empty(), "{good}");
        }
    }
}
