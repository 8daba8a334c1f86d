//! What a reviewer should look at, and what never decides: new tests that cannot fail, and code that behaves otherwise
//! when it is tested.

use super::pairs::{Pairs, ReadFile};
use super::profile::Strength;
use super::read::Unit;
use super::tokens::words;
use proc_macro2::TokenStream;

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
    if test.should_panic.is_some() || profile.unwraps > 0 || profile.names.iter().any(helps) {
        return None;
    }
    if profile.assertions.is_empty() {
        return Some("asserts nothing");
    }
    let trivial = profile.assertions.iter().all(|assertion| assertion.strength == Strength::Trivial);
    trivial.then_some("asserts only what cannot be otherwise")
}

/// Whether code asks if it is being tested, as one sentence about the file.
pub fn forks(path: &str, old: Option<&str>, new: &str) -> Option<String> {
    let count = |text: &str| {
        let Ok(stream) = text.parse::<TokenStream>() else { return 0 };
        let words = words(stream);
        let asks = |window: &[String]| {
            let text: Vec<&str> = window.iter().map(String::as_str).collect();
            matches!(text[..], ["cfg", "!", "(", "test", ")", ..] | ["cfg", "!", "(", "not", "(", "test"])
        };
        let variables = words
            .iter()
            .filter(|word| ["\"HUNKMUT", "\"NEXTEST", "\"__HUNKMUT"].iter().any(|start| word.starts_with(start)));
        words.windows(6).filter(|window| asks(window)).count() + variables.count()
    };
    let more = count(new) > old.map_or(0, count);
    more.then(|| format!("`{path}` asks whether it is being tested: what the tests see is not what ships"))
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
        assert!(said("#[test] fn t() { f(1); }")[0].contains("asserts nothing"));
        assert!(said("#[test] fn t() { f(1); assert!(true); }")[0].contains("cannot be otherwise"));
        for good in [
            "#[test] fn t() { assert_eq!(f(1), 2); }",
            "#[test] fn t() { f(1).unwrap(); }",
            "#[test] #[should_panic] fn t() { f(1); }",
            "fn twice(a: u8) { assert_eq!(f(a), 2); } #[test] fn t() { twice(1); }",
        ] {
            assert!(said(good).is_empty(), "{good}");
        }
    }

    #[test]
    fn code_that_asks_whether_it_is_tested_is_named() {
        assert!(forks("src/a.rs", Some("fn f() {}"), "fn f() { if cfg!(test) { return; } }").is_some());
        assert!(forks("src/a.rs", None, "fn f() { std::env::var(\"NEXTEST\"); }").is_some());
        assert!(forks("src/a.rs", None, "fn f() { if cfg!(unix) {} }").is_none());
        let same = "fn f() { if cfg!(not(test)) {} }";
        assert!(forks("src/a.rs", Some(same), same).is_none());
    }
}
