//! The page of all operators, printed from the registry; `docs/operators.md` is its output.

use super::{NAME, Operator, digest, registry};
use std::fmt::Write;

/// What other tools call a change, and what it is here.
struct Elsewhere {
    tool: &'static str,
    theirs: &'static str,
    ours: &'static str,
}

const fn row(tool: &'static str, theirs: &'static str, ours: &'static str) -> Elsewhere {
    Elsewhere { tool, theirs, ours }
}

/// Operators of other tools beside ours, or why not.
const ELSEWHERE: &[Elsewhere] = &[
    row(
        "cargo-mutants",
        "replace the body of a function by a value of its type",
        "`return_value`, at each place that returns; effects before it stay, so that it is one fault, not two",
    ),
    row(
        "cargo-mutants",
        "replace the body of a function without a value by ()",
        "`statement_deleted`, one statement at a time",
    ),
    row(
        "cargo-mutants",
        "`==` ↔ `!=`, `<` → `==` `>` `<=`, and so on",
        "`relational` (the boundary) and `pred_negated` (the opposite); the others are killed by the same tests",
    ),
    row("cargo-mutants", "`&&` ↔ `||`, and to `==`, `!=`", "`logical`"),
    row(
        "cargo-mutants",
        "`+ - * / %` and their assignments to each of two others",
        "`arithmetic`, `assign_op`: one counterpart each",
    ),
    row("cargo-mutants", "`& | ^ << >>` and their assignments", "`bitwise`, `assign_op`"),
    row("cargo-mutants", "delete `!` and `-`", "`unary`"),
    row("cargo-mutants", "delete a match arm", "`match_arm`, where a later arm takes the values"),
    row(
        "cargo-mutants",
        "replace a match guard by true and false",
        "`match_guard` (true); `pred_negated` inside the guard",
    ),
    row(
        "cargo-mutants",
        "delete a field of a struct literal with `..base`",
        "none: it changes only what differs from the base, which `off_by_one`, `bool_literal` and `option_none` change too",
    ),
    row(
        "cargo-gamma",
        "literals: integers, booleans, strings",
        "`off_by_one`, `bool_literal`, `string_prefix`, `string_literal`, `char_literal`",
    ),
    row("cargo-gamma", "ranges", "`range_kind`, `off_by_one`"),
    row(
        "cargo-gamma",
        "`Option`/`Result` constructors",
        "`option_none`; `Ok`/`Err` only as returned values, since the other side's type is not known",
    ),
    row("cargo-gamma", "`break` ↔ `continue`, early return", "`loop_control`, `early_return`"),
    row("cargo-gamma", "iterator and method pairs", "`method_pair`"),
    row("PIT", "CONDITIONALS_BOUNDARY", "`relational`"),
    row(
        "PIT",
        "NEGATE_CONDITIONALS, REMOVE_CONDITIONALS",
        "`pred_negated`; removing is negating for the branch that a test takes",
    ),
    row("PIT", "INCREMENTS, INVERT_NEGS", "`assign_op`, `unary`"),
    row("PIT", "MATH", "`arithmetic`, `bitwise`"),
    row(
        "PIT",
        "VOID_METHOD_CALLS, NON_VOID_METHOD_CALLS, CONSTRUCTOR_CALLS",
        "`statement_deleted`; other calls are needed for their type",
    ),
    row("PIT", "EMPTY_RETURNS, FALSE_RETURNS, TRUE_RETURNS, NULL_RETURNS, PRIMITIVE_RETURNS", "`return_value`"),
    row("PIT", "INLINE_CONSTS", "`off_by_one`, `bool_literal`"),
    row("PIT", "REMOVE_SWITCH, SWITCH", "`match_arm`, `pattern_literal`"),
    row(
        "PIT",
        "ARGUMENT_PROPAGATION, NAKED_RECEIVER, BIG_INTEGER, MEMBER_VARIABLE",
        "none: without a type checker most would not compile",
    ),
    row("Stryker", "Arithmetic, Assignment, Logical, Unary, Update", "`arithmetic`, `assign_op`, `logical`, `unary`"),
    row("Stryker", "Equality, Conditional, Boolean", "`relational`, `pred_negated`, `bool_literal`"),
    row("Stryker", "Block statement", "`statement_deleted`, `early_return`"),
    row("Stryker", "String, Regex", "`string_prefix`, `string_literal`; a regular expression is a string here"),
    row("Stryker", "Array, Object", "`return_value` (`Vec::new()`), `field_swap`, `key_swap`"),
    row("Stryker", "Method expressions, optional chaining", "`method_pair`, `try_unwrap`"),
];

/// The whole page as Markdown.
pub fn reference() -> String {
    let mut page = format!(
        "# Operators of `{NAME}`\n\nThis page is printed from the registry (digest `{}`). `cargo hunkmut explain OPERATOR` prints one entry.\n\n\
         A policy selects operators by name, family or glob (`[operators] enable`, `disable`).\n\n\
         | operator | family | default | what it does |\n|---|---|---|---|\n",
        &digest()[..16]
    );
    for op in registry() {
        let on = if op.default { "on" } else { "off" };
        let _ = writeln!(page, "| [`{}`](#{}) | {} | {on} | {} |", op.name, op.name, op.family, op.summary);
    }
    registry().iter().for_each(|op| entry(&mut page, op));
    page += "\n## Names elsewhere\n\n| tool | there | here |\n|---|---|---|\n";
    for Elsewhere { tool, theirs, ours } in ELSEWHERE {
        let _ = writeln!(page, "| {tool} | {} | {ours} |", theirs.replace('|', "\\|"));
    }
    page
}

fn entry(page: &mut String, op: &Operator) {
    let _ = write!(page, "\n## {}\n\n{}\n\n", op.name, op.summary);
    let why = if op.default { "On by default" } else { "Off by default" };
    let _ = write!(page, "{why}: {}.\n\n| from | to |\n|---|---|\n", op.why);
    for (from, to) in op.table {
        let _ = writeln!(page, "| {} | {} |", cell(from), cell(to));
    }
    let _ = write!(page, "\n```diff\n{}\n```\n", change(op.example));
}

fn change((before, after): (&str, &str)) -> String {
    let lines =
        |sign: char, text: &str| text.lines().map(|line| format!("{sign} {line}")).collect::<Vec<_>>().join("\n");
    format!("{}\n{}", lines('-', before), lines('+', after))
}

fn cell(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { format!("`{}`", text.replace('|', "\\|")) }
}
