//! Notes.

use std::collections::BTreeMap;

pub fn count(words: &[&str]) -> BTreeMap<String, u32> {
    let mut counted = BTreeMap::new();
    for word in words { *counted.entry(word.to_string()).or_insert(0) += 1; }
    counted
}
