//! Notes: how often each word stands in a text.

use std::collections::BTreeMap;

/// Counts words.
pub fn count(words: &[&str]) -> BTreeMap<String, u32> {
    let mut counted = BTreeMap::new();
    for word in words {
        *counted.entry(word.to_string()).or_insert(0) += 1;
    }
    counted // in alphabetical order
}
