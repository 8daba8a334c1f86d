//! What a compiler wrote as assembly, cut up by symbols, without names that only number things.

use std::collections::{BTreeMap, BTreeSet};

/// The assembly of one crate.
#[derive(Debug, PartialEq, Eq)]
pub struct Assembly {
    text: String,
}

/// Labels inside of a function.
const INNER: &[&str] =
    &[".LBB", ".Ltmp", ".Lfunc", ".LJTI", ".Lcst", ".Lttbase", "LBB", "Ltmp", "Lfunc", "LJTI", "Lloh"];

impl Assembly {
    /// Takes the numbers out of the names of unnamed constants: they count what was there before optimisation.
    pub fn new(text: &str) -> Assembly {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        let mut clean = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("anon.") {
            let name = &rest[at..];
            let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(name.len());
            let next = known.len();
            clean.push_str(&rest[..at]);
            clean.push_str(&format!("anon.{}", known.entry(&name[..end]).or_insert(next)));
            rest = &name[end..];
        }
        clean.push_str(rest);
        Assembly { text: clean }
    }

    /// The lines of each symbol, local ones apart.
    fn symbols(&self) -> BTreeMap<&str, &str> {
        let mut symbols = BTreeMap::new();
        let (mut name, mut from, mut at) = ("", 0, 0);
        for line in self.text.split_inclusive('\n') {
            let label = line.trim_end().strip_suffix(':').filter(|_| !line.starts_with(char::is_whitespace));
            if let Some(label) = label.filter(|label| !INNER.iter().any(|inner| label.starts_with(inner))) {
                symbols.insert(name, &self.text[from..at]);
                (name, from) = (label, at);
            }
            at += line.len();
        }
        symbols.insert(name, &self.text[from..]);
        symbols
    }

    /// The symbols whose code names a string.
    pub fn naming(&self, string: &str) -> BTreeSet<&str> {
        let symbols = self.symbols();
        let holders: Vec<&str> =
            symbols.iter().filter(|(_, lines)| lines.contains(string)).map(|(name, _)| *name).collect();
        let names = |lines: &str| holders.iter().any(|holder| names(lines, holder));
        let naming = symbols.iter().filter(|(name, lines)| !holders.contains(name) && names(lines));
        naming.map(|(name, _)| *name).collect()
    }

    /// Whether one of these symbols has the same code in both, but for the numbers of labels.
    pub fn shares(&self, other: &Assembly, symbols: &BTreeSet<&str>) -> bool {
        let (ours, theirs) = (self.symbols(), other.symbols());
        symbols.iter().any(|name| match (ours.get(name), theirs.get(name)) {
            (Some(a), Some(b)) => unnumbered(a) == unnumbered(b),
            (None, Some(_)) | (Some(_), None) | (None, None) => false,
        })
    }
}

/// Whether a name stands in a text as a whole.
fn names(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part))
}

/// Without digits in local labels and in the names of unnamed constants, which depend on other functions.
fn unnumbered(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | ',' | ':')) {
        if word.contains(".L") || word.starts_with('L') || word.contains("anon.") {
            clean.extend(word.chars().filter(|c| !c.is_ascii_digit()));
        } else {
            clean.push_str(word);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\t.text\nf:\n\tleaq .Lanon.12ab.3(%rip), %rax\n.LBB0_1:\n\tjmp .LBB0_1\ng:\n\tret\n.Lanon.12ab.3:\n\t.ascii \"mark 1\"\n";

    #[test]
    fn a_string_leads_to_the_functions_that_use_it() {
        let assembly = Assembly::new(TEXT);
        assert_eq!(assembly.naming("mark 1"), BTreeSet::from(["f"]));
        assert_eq!(assembly.naming("mark 2"), BTreeSet::new());
    }

    #[test]
    fn numbers_of_unnamed_constants_are_no_difference() {
        assert_eq!(Assembly::new(TEXT), Assembly::new(&TEXT.replace("12ab.3", "12ab.5")));
        assert_ne!(Assembly::new(TEXT), Assembly::new(&TEXT.replace("ret", "nop")));
    }

    #[test]
    fn functions_are_compared_one_by_one() {
        let (a, b) = (Assembly::new(TEXT), Assembly::new(&TEXT.replace("ret", "nop").replace("LBB0", "LBB7")));
        assert!(a.shares(&b, &BTreeSet::from(["f"])));
        assert!(!a.shares(&b, &BTreeSet::from(["g"])));
        assert!(!a.shares(&b, &BTreeSet::from(["h"])));
    }
}
