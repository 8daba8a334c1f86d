//! Naming exactly some tests to nextest.
//!
//! Rule: the filterset reference of nextest, "Name matchers": `=` matches exactly, and `\`, `)`, `,` and whitespace at
//! the ends have to be escaped.

use crate::test_id::TestId;
use std::collections::BTreeMap;

/// Windows allows 32,767 characters for a whole command line.
const LONGEST: usize = 24_000;
/// The parser of filtersets goes into depth with each `|`.
const MOST: usize = 400;

/// Filtersets that together match exactly these tests, each short enough for a command line.
pub fn filtersets(tests: &[TestId]) -> Vec<String> {
    let mut of_binary: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for test in tests {
        of_binary.entry(&test.binary_id).or_default().push(format!("test(={})", escaped(&test.name)));
    }
    let mut sets = vec![Set::default()];
    for (binary, names) in of_binary {
        let head = format!("(binary_id(={}) & (", escaped(binary));
        for chunk in chunks(names, head.len()) {
            let term = format!("{head}{}))", chunk.join(" | "));
            let last = sets.last_mut().expect("there is always one");
            if last.is_full_with(&term, chunk.len()) {
                sets.push(Set::default());
            }
            sets.last_mut().expect("there is always one").add(term, chunk.len());
        }
    }
    sets.into_iter().filter(|set| set.tests > 0).map(|set| set.text).collect()
}

#[derive(Default)]
struct Set {
    text: String,
    tests: usize,
}

impl Set {
    fn is_full_with(&self, term: &str, tests: usize) -> bool {
        self.tests > 0 && (self.text.len() + term.len() > LONGEST || self.tests + tests > MOST)
    }

    fn add(&mut self, term: String, tests: usize) {
        if !self.text.is_empty() {
            self.text.push_str(" | ");
        }
        self.text.push_str(&term);
        self.tests += tests;
    }
}

fn chunks(names: Vec<String>, head: usize) -> Vec<Vec<String>> {
    let mut chunks: Vec<Vec<String>> = vec![Vec::new()];
    let mut length = head;
    for name in names {
        let last = chunks.last_mut().expect("there is always one");
        if !last.is_empty() && (length + name.len() + 3 > LONGEST || last.len() >= MOST) {
            chunks.push(Vec::new());
            length = head;
        }
        length += name.len() + 3;
        chunks.last_mut().expect("there is always one").push(name);
    }
    chunks
}

fn escaped(name: &str) -> String {
    let last = name.chars().count().saturating_sub(1);
    let mut text = String::with_capacity(name.len());
    for (index, c) in name.chars().enumerate() {
        match c {
            '\\' | ')' | ',' => text.extend(['\\', c]),
            _ if c.is_control() || (c.is_whitespace() && (index == 0 || index == last)) => {
                text.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_exactly_and_by_binary() {
        let tests = [TestId::new("a::it", "x"), TestId::new("a", "m::y"), TestId::new("a", "z")];
        let expected = "(binary_id(=a) & (test(=m::y) | test(=z))) | (binary_id(=a::it) & (test(=x)))";
        assert_eq!(filtersets(&tests), [expected]);
    }

    #[test]
    fn what_the_language_reserves_is_escaped() {
        assert_eq!(escaped(r"f(a, b)\c"), r"f(a\, b\)\\c");
        assert_eq!(escaped(" a b "), r"\u{20}a b\u{20}");
    }

    #[test]
    fn many_tests_take_several_commands_and_none_is_lost() {
        let tests: Vec<_> = (0..2_000).map(|n| TestId::new("a", format!("{}{n}", "long::".repeat(20)))).collect();
        let sets = filtersets(&tests);
        assert!(sets.len() > 1 && sets.iter().all(|set| set.len() <= LONGEST + 100));
        assert_eq!(sets.iter().map(|set| set.matches("test(=").count()).sum::<usize>(), 2_000);
    }

    #[test]
    fn no_tests_no_command() {
        assert!(filtersets(&[]).is_empty());
    }
}
