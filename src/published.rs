//! Files of the repository that are made from the program: schemas, the man pages, reference pages of the book.
//!
//! They are committed so that people can read them without building anything, and a test of each fails when it lags.
//! `HUNKMUT_UPDATE=1 cargo test --lib` writes them all anew.

/// Fails unless the file at `path`, from the repository's root, is `text`.
#[track_caller]
pub fn published(path: &str, text: &str) {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("HUNKMUT_UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a path below the root")).unwrap();
        std::fs::write(&file, text).unwrap();
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(there == text, "{path} lags behind the program: HUNKMUT_UPDATE=1 cargo test --lib");
}

/// The rows of the gate's table, as the book has them.
#[test]
fn the_books_table_of_the_gate_ratio_is_the_programs() {
    use crate::gate::row::Row;
    let book = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/gate-ratio.md")).unwrap();
    let decides = |line: &&str| {
        line.len() > 20 && ["block", "hold", "pass", "vacuous"].iter().any(|d| line.ends_with(&format!("| {d} |")))
    };
    let rows: Vec<&str> = book.lines().filter(decides).collect();
    assert_eq!(rows.len(), 12, "{rows:#?}");
    for row in rows {
        let known = Row::ALL.iter().any(|known| row == format!("| {known} | {} |", known.decision()));
        assert!(known, "{row}");
    }
}

/// The rules of comparisons, as the book has them: all of them, each once.
#[test]
fn the_books_rules_of_freeze_and_kill_map_are_the_programs() {
    use crate::compare::model::{Decision, Rule};
    let book = concat!(include_str!("../docs/src/gate-freeze.md"), include_str!("../docs/src/gate-kill-map.md"));
    for rule in Rule::ALL {
        let decision = match rule.decision() {
            Decision::Reject => "reject",
            Decision::Hold => "hold",
            Decision::AllowReview | Decision::Incomplete => panic!("no rule comes to that: {rule}"),
        };
        let is_row =
            |line: &&str| line.starts_with(&format!("| `{rule}` |")) && line.ends_with(&format!("| {decision} |"));
        assert_eq!(book.lines().filter(is_row).count(), 1, "{rule}");
    }
}
