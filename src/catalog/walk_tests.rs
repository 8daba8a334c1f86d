//! Sources and the mutants that they give, one line each.

use super::*;

/// Every mutant of a source as (operator, whole mutated text).
pub fn mutants_of(source: &str) -> Vec<(&'static str, String)> {
    let file = SourceFile::parse("src/lib.rs", source).expect("the source parses");
    let operators: Vec<&'static Operator> = ALL.iter().collect();
    walk(&file, &operators, &WalkOptions::default())
        .proposals
        .into_iter()
        .map(|Located { proposal: p, .. }| {
            let text = format!("{}{}{}", &source[..p.span.start], p.replacement, &source[p.span.end..]);
            syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {text}: {e}", p.operator.name));
            (p.operator.name, text)
        })
        .collect()
}

/// The mutants of one operator inside `fn f() { … }`, as the changed expression text.
pub fn mutants_in(prefix: &str, body: &str, suffix: &str, operator: &str) -> Vec<String> {
    mutants_of(&format!("{prefix}{body}{suffix}"))
        .into_iter()
        .filter(|(name, _)| *name == operator)
        .map(|(_, text)| text[prefix.len()..text.len() - suffix.len()].to_owned())
        .collect()
}

fn of(body: &str, operator: &str) -> Vec<String> {
    mutants_in("fn f() {", body, "}", operator)
}

#[test]
fn comparisons_get_one_boundary_and_one_negation() {
    assert_eq!(of("g(a < b)", "relational"), ["g(a <= b)"]);
    assert_eq!(of("g(a < b)", "pred_negated"), ["g(a >= b)"]);
    assert_eq!(of("g(a == b)", "relational"), Vec::<String>::new());
    assert_eq!(of("if a < b { }", "pred_negated"), ["if a >= b { }"]);
}

#[test]
fn leaves_of_conditions_are_negated_and_lets_are_not() {
    assert_eq!(of("if a() && !b() {}", "pred_negated"), ["if !(a()) && !b() {}"]);
    assert_eq!(of("if let Some(x) = y && x.ok() {}", "pred_negated"), ["if let Some(x) = y && !(x.ok()) {}"]);
    assert_eq!(of("if let Some(x) = y && x.ok() {}", "logical"), Vec::<String>::new());
}

#[test]
fn another_precedence_brings_parentheses() {
    assert_eq!(
        of("g(c - a * b)", "arithmetic"),
        ["g(c + a * b)", "g(c - (a / b))"].map(|s| s.replace("(a / b)", "a / b"))
    );
    assert_eq!(of("g(a && b && c)", "logical"), ["g((a || b) && c)", "g(((a && b) || c))"]);
    assert_eq!(of("g(a as usize > b)", "pred_negated"), ["g((a as usize) <= b)"]);
}

#[test]
fn a_comparison_over_two_lines_changes_only_the_operator() {
    assert_eq!(of("g(a\n == b)", "pred_negated"), ["g(a\n != b)"]);
}

#[test]
fn literals_keep_sign_and_suffix() {
    assert_eq!(of("g(-1, 7_u8, 0x0f)", "off_by_one"), ["g(-2, 7_u8, 0x0f)", "g(-1, 8_u8, 0x0f)", "g(-1, 7_u8, 16)"]);
    assert_eq!(of("g(v[1..n])", "off_by_one"), ["g(v[2..n])", "g(v[1..(n + 1)])"]);
}

#[test]
fn patterns_types_and_logging_are_left_alone() {
    let body = "let x: [u8; 4] = y; match z { 3 => g(), _ => h() } println!(\"{}\", 3 + 4);";
    assert_eq!(of(body, "off_by_one"), Vec::<String>::new());
    assert_eq!(of(body, "arithmetic"), Vec::<String>::new());
}

#[test]
fn arguments_of_known_macros_are_code() {
    assert_eq!(of("g(vec![a + 1; n]);", "arithmetic"), ["g(vec![a - 1; n]);"]);
    assert_eq!(of("format!(\"{}{w}\", a + b, w = c);", "arithmetic"), ["format!(\"{}{w}\", a - b, w = c);"]);
    assert_eq!(of("matches!(a + b, 1 | 2)", "arithmetic"), ["matches!(a - b, 1 | 2)"]);
}

#[test]
fn returned_values_follow_branches() {
    let found = mutants_in(
        "fn f(x: u8) -> u8 {",
        "if a { g() } else { match x { 1 => h(), _ => return k() } }",
        "}",
        "return_value",
    );
    assert_eq!(
        found,
        [
            "if a { 0 } else { match x { 1 => h(), _ => return k() } }",
            "if a { g() } else { match x { 1 => 0, _ => return k() } }",
            "if a { g() } else { match x { 1 => h(), _ => return 0 } }",
        ]
    );
}

#[test]
fn swapped_arguments_need_a_signature_with_equal_types() {
    let source = "fn p(a: &str, b: &str) {} fn q(a: u8, b: u16) {} fn f() { p(x, y); q(x, y); r(x, y); }";
    let swaps: Vec<_> = mutants_of(source).into_iter().filter(|(op, _)| *op == "arg_swap").collect();
    assert_eq!(swaps.len(), 1);
    assert!(swaps[0].1.contains("p(y, x)"));
}

#[test]
fn unsafe_code_and_debug_impls_are_skipped_by_name() {
    let source = "fn f() { unsafe { g(1) } } impl Debug for A { fn fmt(&self) { g(1) } } unsafe fn h() { g(1) }";
    let file = SourceFile::parse("src/lib.rs", source).unwrap();
    let operators: Vec<_> = ALL.iter().collect();
    let found = walk(&file, &operators, &WalkOptions::default());
    assert!(found.proposals.is_empty());
    let reasons: Vec<_> = found.skips.iter().map(|skip| skip.reason).collect();
    assert_eq!(reasons, ["unsafe", "arid:debug-impl", "unsafe"]);
}

#[test]
fn a_value_is_switched_in_place_unless_something_it_borrows_would_end_too_early() {
    let switched = |value: &str| {
        let source = format!("fn f() {{ g(&Some({value}), 1); }}");
        let file = SourceFile::parse("src/lib.rs", &source).unwrap();
        let found = walk(&file, &[ALL.iter().find(|op| op.name == "option_none").unwrap()], &WalkOptions::default());
        found.proposals[0].proposal.form == Form::Value
    };
    for value in ["a.clone()", "h(a, b())", "S { a: h(), b: &c.d }", "h()?", "|| h()", "self.a.get(b())"] {
        assert!(switched(value), "{value}");
    }
    // A guard, for example, lives to the end of the statement.
    for value in ["a.lock().clone()", "&h()", "h(&b())", "S { a, ..h() }", "h()()", "a() == b()"] {
        assert!(!switched(value), "{value}");
    }
}

#[test]
fn arid_macros_are_code_like_any_other_where_their_rule_is_switched_off() {
    let source = "fn f() { println!(\"{}\", a < b); panic!(\"{}\", c < d); debug_assert!(e < f); dbg!(g < h); }";
    let file = SourceFile::parse("src/lib.rs", source).unwrap();
    let relational: Vec<_> = ALL.iter().filter(|op| op.name == "relational").collect();
    let mutated = |off: &[&str]| {
        let off: Vec<String> = off.iter().map(|rule| (*rule).to_owned()).collect();
        let found = walk(&file, &relational, &WalkOptions { arid_off: &off, ..WalkOptions::default() });
        let places: std::collections::BTreeSet<usize> =
            found.proposals.iter().map(|found| found.proposal.span.start).collect();
        places.into_iter().map(|at| file.text[at..=at].to_owned()).collect::<String>()
    };
    assert_eq!(mutated(&[]), "");
    assert_eq!(mutated(&["logging"]), "ag");
    assert_eq!(mutated(&["panic-message"]), "c");
    assert_eq!(mutated(&["debug-assert"]), "e");
}
