//! Which changed lines belong to documentation tests. nextest does not run those, so they are never in the delta; but
//! a patch whose only tests they are should be told.

use std::collections::BTreeSet;

/// The changed lines inside Rust code fences of `///` and `//!` comments, fences included.
pub(super) fn lines(text: &str, changed: &BTreeSet<u32>) -> Vec<u32> {
    let mut found = Vec::new();
    // Whether the open fence holds code that `rustdoc` runs; `None` outside of a fence.
    let mut fence: Option<bool> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let Some(doc) = line.strip_prefix("///").filter(|rest| !rest.starts_with('/')).or(line.strip_prefix("//!"))
        else {
            fence = None;
            continue;
        };
        let mark = doc.trim_start().strip_prefix("```");
        let inside = match (fence, mark) {
            (None, Some(info)) => {
                fence = Some(is_run(info));
                fence
            }
            (Some(run), Some(_)) => {
                fence = None;
                Some(run)
            }
            (open, None) => open,
        };
        if inside == Some(true) && changed.contains(&number) {
            found.push(number);
        }
    }
    found
}

/// Whether `rustdoc` runs a block with this info string.
fn is_run(info: &str) -> bool {
    let words = ["rust", "should_panic", "no_run", "compile_fail", "standalone_crate", "test_harness"];
    info.split([',', ' ', '\t']).filter(|w| !w.is_empty()).all(|w| words.contains(&w) || w.starts_with("edition"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_in_rust_fences_are_found() {
        let text = "/// Text.\n/// ```\n/// assert!(a());\n/// ```\nfn a() {}\n/// ```text\n/// no\n/// ```\n/// ```should_panic\n/// b();\n/// ```\n";
        assert_eq!(lines(text, &(1..=11).collect()), [2, 3, 4, 9, 10, 11]);
        assert_eq!(lines(text, &BTreeSet::from([1, 5, 7])), Vec::<u32>::new());
        // A fence that is never closed ends with its comment.
        assert_eq!(lines("/// ```\nfn a() {}\n/// Text.\nfn b() {}\n", &BTreeSet::from([3])), Vec::<u32>::new());
    }
}
