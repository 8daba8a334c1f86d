//! Mutant IDs: file (at the base, so that renames keep them), item, operator, original and replacement tokens, and the
//! ordinal among equals in the item. No line numbers: edits elsewhere change nothing.

use crate::catalog::{Located, Proposal};
use crate::source::SourceFile;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Hex digits of an ID; more only where two IDs would be equal.
const DIGITS: usize = 12;

/// Gives out IDs.
#[derive(Default)]
pub struct Names {
    file: String,
    seen: HashMap<[u8; 32], u32>,
    taken: HashSet<String>,
}

impl Names {
    /// The next mutants are of this file.
    pub fn start_file(&mut self, path: &str) {
        self.file = path.to_owned();
        self.seen.clear();
    }

    /// The ID of a mutant. All mutants of a file must be named, in order, for ordinals to mean the same everywhere.
    pub fn name(&mut self, source: &SourceFile, located: &Located) -> String {
        let Located { proposal, item, .. } = located;
        let text = &source.text;
        let (site, span) = (&proposal.site, &proposal.span);
        let (before, after) = if site.start <= span.start && span.end <= site.end {
            (&text[site.start..span.start], &text[span.end..site.end])
        } else {
            ("", "")
        };
        let replacement = format!("{before}{}{after}", proposal.replacement);
        self.id(item, proposal.operator.name, &text[proposal.site.clone()], &replacement)
    }

    /// The ID of a change in an item.
    pub fn id(&mut self, item: &str, operator: &str, original: &str, replacement: &str) -> String {
        let mut hash = Sha256::new();
        for part in [&self.file, item, operator] {
            hash.update(part);
            hash.update([0]);
        }
        tokens(&mut hash, original);
        tokens(&mut hash, replacement);
        let key: [u8; 32] = hash.clone().finalize().into();
        let ordinal = self.seen.entry(key).and_modify(|n| *n += 1).or_insert(0);
        hash.update(ordinal.to_le_bytes());
        let hex = crate::text::hex(&hash.finalize());
        let mut digits = DIGITS;
        while digits < hex.len() && !self.taken.insert(format!("m-{}", &hex[..digits])) {
            digits += 4;
        }
        format!("m-{}", &hex[..digits])
    }
}

/// Feeds the tokens of some code, whatever its white space and comments.
fn tokens(hash: &mut Sha256, code: &str) {
    match code.parse::<proc_macro2::TokenStream>() {
        Ok(stream) => hash.update(stream.to_string()),
        Err(_) => hash.update(code.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
    hash.update([0]);
}

/// The switch value of a mutant: never 0, and different for different text at different places, so that a stale weave
/// of an earlier run cannot answer.
pub fn switch(id: &str, path: &str, proposal: &Proposal) -> u64 {
    switch_of(&format!("{id}\0{path}\0{}\0{:?}", proposal.replacement, proposal.span))
}

/// A switch value from the text of what it switches; never 0.
pub fn switch_of(text: &str) -> u64 {
    let digest = Sha256::digest(text);
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(bytes).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{WalkOptions, registry, walk};

    fn ids(text: &str) -> Vec<String> {
        let source = SourceFile::parse("src/lib.rs", text).unwrap();
        let operators: Vec<_> = registry().iter().collect();
        let mut names = Names::default();
        names.start_file("src/lib.rs");
        let found = walk(&source, &operators, &WalkOptions::default());
        found.proposals.iter().map(|located| names.name(&source, located)).collect()
    }

    #[test]
    fn edits_elsewhere_and_formatting_keep_an_id() {
        let before = ids("fn f(a: u8) { g(a > 1); }");
        let after = ids("// new\nfn other() {}\n\nfn f(a: u8) {\n    g(a  >  1);\n}\n");
        assert_eq!(before, after);
        assert!(before[0].starts_with("m-") && before[0].len() == 2 + DIGITS);
    }

    #[test]
    fn equals_in_one_item_are_numbered() {
        let ids = ids("fn f() { g(1); g(1); }");
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        assert_eq!(ids.len(), 4);
    }
}
