use super::*;
use LineChange::{Blank, Changed, Comment, SameTokens};

/// The verdicts on the whole new text as one hunk against the whole old text.
fn whole(old: &str, new: &str) -> Vec<LineChange> {
    let hunk = Hunk { old_start: 1, old_lines: count(old), new_start: 1, new_lines: count(new) };
    changed_lines(Some(old), new, &[hunk]).iter().map(|(_, change)| change).collect()
}

fn count(text: &str) -> u32 {
    u32::try_from(text.lines().count()).unwrap()
}

#[test]
fn a_reindented_block_is_no_change_but_its_new_head_is() {
    let old = "fn f() {\n    a(1);\n    b(2);\n}\n";
    let new = "fn f() {\n    if x {\n        a(1);\n        b(2);\n    }\n}\n";
    let verdicts = whole(old, new);
    assert_eq!(verdicts[..4], [SameTokens, Changed, SameTokens, SameTokens]);
    // Which of two closing braces is the new one is anybody's guess.
    assert_eq!(verdicts[4..].iter().filter(|v| **v == Changed).count(), 1);
}

#[test]
fn a_comment_at_a_lines_end_is_no_change() {
    assert_eq!(whole("let a = 1;\n", "let a = 1; // one\n"), [SameTokens]);
    assert_eq!(whole("let a = 1; // one\n", "let a = 1; // two\n"), [SameTokens]);
    assert_eq!(whole("let a = 1; // one\n", "let a = 2; // one\n"), [Changed]);
}

#[test]
fn a_rewrapped_call_is_no_change() {
    assert_eq!(whole("f(alpha, beta);\n", "f(\n    alpha,\n    beta,\n);\n"), [SameTokens; 4]);
    let one_argument_changed = whole("f(alpha, beta);\n", "f(\n    alpha,\n    gamma,\n);\n");
    assert_eq!(one_argument_changed, [SameTokens, SameTokens, Changed, SameTokens]);
}

#[test]
fn comments_and_blank_lines_are_named_as_such() {
    assert_eq!(
        whole("", "/// Doc.\n\n// x\n/* y\n   z */\nlet a = 1;\n"),
        [Comment, Blank, Comment, Comment, Comment, Changed]
    );
}

#[test]
fn a_token_lost_from_a_line_changes_it() {
    assert_eq!(whole("    a + b - 1\n", "    a + b\n"), [Changed]);
    assert_eq!(whole("return a + b - 1;\n", "return a + b;\n"), [Changed]);
    assert_eq!(whole("foo(); bar();\n", "bar();\n"), [Changed]);
}

#[test]
fn old_lines_lost_as_a_whole_change_nothing() {
    assert_eq!(whole("a();\nb();\nc();\n", "    a();\n    c();\n"), [SameTokens, SameTokens]);
}

#[test]
fn a_changed_line_in_a_long_literal_changes_the_literal() {
    let (old, new) = ("let s = \"a\nb\nc\";\n", "let s = \"a\nB\nc\";\n");
    let hunk = Hunk { old_start: 2, old_lines: 1, new_start: 2, new_lines: 1 };
    assert_eq!(changed_lines(Some(old), new, &[hunk]).get(2), Some(Changed));
    let added = Hunk { old_start: 1, old_lines: 0, new_start: 2, new_lines: 1 };
    assert!(changed_lines(Some("let s = \"a\nc\";\n"), "let s = \"a\nB\nc\";\n", &[added]).is_changed(2));
}

#[test]
fn swapped_statements_are_a_change() {
    let verdicts = whole("a(y);\nb(x);\n", "b(x);\na(y);\n");
    assert_eq!(verdicts.iter().filter(|v| **v == Changed).count(), 1, "{verdicts:?}");
}

#[test]
fn only_lines_of_the_hunks_are_spoken_of() {
    let (old, new) = ("a();\nb();\nc();\n", "a();\nB();\nc();\n");
    let hunk = Hunk { old_start: 2, old_lines: 1, new_start: 2, new_lines: 1 };
    let found = changed_lines(Some(old), new, &[hunk]);
    assert_eq!(found.iter().collect::<Vec<_>>(), [(2, Changed)]);
    assert!(found.touches(1, 3) && !found.touches(3, 9) && found.lexed());
}

#[test]
fn every_line_of_a_new_file_with_code_is_changed() {
    let hunk = Hunk { old_start: 0, old_lines: 0, new_start: 1, new_lines: 2 };
    let found = changed_lines(None, "// x\nfn f() {}\n", &[hunk]);
    assert_eq!(found.iter().collect::<Vec<_>>(), [(1, Comment), (2, Changed)]);
}

#[test]
fn what_does_not_lex_is_changed_as_a_whole() {
    let hunk = Hunk { old_start: 1, old_lines: 1, new_start: 1, new_lines: 2 };
    let found = changed_lines(Some("fn f() {}\n"), "fn f( {\n\n", &[hunk]);
    assert_eq!(found.changed().collect::<Vec<_>>(), [1, 2]);
    assert!(!found.lexed());
}

#[test]
fn line_ends_are_no_tokens() {
    assert_eq!(whole("let a = 1;\nlet b = 2;\n", "let a = 1;\r\nlet b = 2;\r\n"), [SameTokens, SameTokens]);
}

#[test]
fn a_rewritten_large_file_is_compared_in_reasonable_time() {
    let text =
        |seed: usize| (0..20_000).map(|i| format!("let v{} = f{}({});\n", i, i * seed, seed)).collect::<String>();
    let verdicts = whole(&text(3), &text(7));
    assert!(verdicts.iter().filter(|v| **v == Changed).count() > 19_000);
}

/// `cargo test --lib measure_rewrites -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_rewrites() {
    for lines in [20_000, 100_000] {
        let text =
            |seed: usize| (0..lines).map(|i| format!("let v{} = f{}({});\n", i * seed, i, seed)).collect::<String>();
        let start = std::time::Instant::now();
        whole(&text(3), &text(7));
        println!("{lines} other lines in {:?}", start.elapsed());
    }
    for tokens in [1000, 2500, 4900] {
        let text = |name: &str| (0..tokens).map(|i| format!("{name}{i} ")).collect::<String>();
        let start = std::time::Instant::now();
        whole(&text("a"), &text("b"));
        println!("{tokens} other tokens in one line in {:?}", start.elapsed());
    }
}
