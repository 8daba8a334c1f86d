//! Tests that look only at what something prints: a log line, or `Debug` text, which no contract fixes and anybody may
//! reword.

use super::read::Unit;
use std::collections::BTreeSet;

/// What captured log lines are asked by.
const LOG_WORDS: [&str; 4] = ["logs_contain", "logs_assert", "captured_logs", "testing_logger"];

/// Whether a test asserts something, and all of it about `Debug` text or log lines.
pub fn is_text_only(test: &Unit) -> bool {
    let shown = debug_variables(&test.body);
    let textual = |words: &[String], name: &str| {
        name.contains("debug_snapshot")
            || name == "assert_debug_eq"
            || shows_debug(words)
            || looks_for_line(words)
            || words.iter().any(|word| shown.contains(word.as_str()) || LOG_WORDS.contains(&word.as_str()))
    };
    let assertions = &test.profile.assertions;
    !assertions.is_empty() && assertions.iter().all(|a| textual(&a.words, &a.name))
}

/// `log.contains("text")` and `logs.lines()`; a `log` of values that a test has collected itself is something else.
fn looks_for_line(words: &[String]) -> bool {
    words.windows(5).any(|w| {
        let of_log = ["log", "logs"].contains(&w[0].as_str()) && w[1] == "." && w[3] == "(";
        of_log && (w[2] == "lines" || w[2] == "contains" && w[4].starts_with('"'))
    })
}

/// `format!("{x:?}")`, and its like.
fn shows_debug(words: &[String]) -> bool {
    words.windows(4).any(|w| w[0] == "format" && w[1] == "!" && is_debug_format(&w[3]))
}

fn is_debug_format(literal: &str) -> bool {
    literal.contains(":?}") || literal.contains(":#?}")
}

/// Variables of a body that hold `Debug` text. A body is its words with spaces between.
fn debug_variables(body: &str) -> BTreeSet<&str> {
    let bound = body.split("let ").skip(1).filter_map(|rest| {
        let (name, value) = rest.split_once(" = ")?;
        let name = name.trim_start_matches("mut ");
        let format = value.strip_prefix("format ! ( ")?;
        let statement = format.split(" ; ").next().unwrap_or_default();
        is_debug_format(statement).then_some(name)
    });
    bound.collect()
}

#[cfg(test)]
mod tests {
    use super::super::read::FileUnits;
    use super::*;
    use crate::source::SourceFile;

    fn text_only(body: &str) -> bool {
        let file = SourceFile::parse("t.rs", format!("#[test] fn t() {{ {body} }}")).unwrap();
        is_text_only(&FileUnits::of(&file).units[0])
    }

    #[test]
    fn assertions_over_debug_text_or_a_log_are_text() {
        for body in [
            "assert_eq!(format!(\"{:?}\", f(1)), \"Some(2)\");",
            "let seen = format!(\"{x:#?}\"); assert!(seen.contains(\"2\"));",
            "let mut seen = format!(\"a b {:?}\", x); assert_eq!(seen, \"a\");",
            "f(1); assert!(logs_contain(\"done\"));",
            "assert!(logs.contains(\"done\"));",
            "assert!(log.lines().any(|l| l.contains(\"done\")));",
            "insta::assert_debug_snapshot!(f(1));",
        ] {
            assert!(text_only(body), "{body}");
        }
    }

    #[test]
    fn one_assertion_about_a_value_is_enough() {
        for body in [
            "assert_eq!(f(1), Some(2), \"{:?}\", x);",
            "assert_eq!(format!(\"{:?}\", f(1)), \"2\"); assert_eq!(f(1), 2);",
            "let seen = format!(\"{}\", x); assert_eq!(seen, \"2\");",
            "assert!(x.log(2.0) > 1.0);",
            "assert_eq!(log, [1, 2]); assert!(log.contains(&Event::Done));",
            "f(1);",
        ] {
            assert!(!text_only(body), "{body}");
        }
    }
}
