//! Macros whose arguments are plain expressions: what is in them is code like any other.

use super::local_macros::LocalMacros;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Pat, Token};

/// What the walker may look at inside a macro invocation.
pub enum Arguments {
    /// Expressions that are evaluated; `predicate` marks a first one that decides (`assert!`).
    Values { exprs: Vec<Expr>, predicate: bool },
    /// Evaluated for a reader only: named, not mutated.
    Arid(&'static str),
    /// Nothing is known of it.
    Unknown,
}

/// Classifies a macro invocation by the last segment of its path. `off` are rules for arid code that do not hold, by name.
pub fn arguments(mac: &Macro, local: &LocalMacros, off: &[String]) -> Arguments {
    let Some(name) = mac.path.segments.last().map(|last| last.ident.to_string()) else { return Arguments::Unknown };
    let is_off = |rule: &str| off.iter().any(|name| name == rule);
    match name.as_str() {
        "dbg" if is_off("logging") => match expressions.parse2(mac.tokens.clone()) {
            Ok(exprs) => Arguments::Values { exprs, predicate: false },
            Err(_) => Arguments::Unknown,
        },
        "println" | "print" | "eprintln" | "eprint" | "trace" | "debug" | "info" | "warn" | "error" | "log"
            if is_off("logging") =>
        {
            listed(mac, 1, false)
        }
        "panic" | "todo" | "unimplemented" | "unreachable" if is_off("panic-message") => listed(mac, 1, false),
        "debug_assert" if is_off("debug-assert") => first_only(mac, 1, true),
        "debug_assert_eq" | "debug_assert_ne" if is_off("debug-assert") => first_only(mac, 2, false),
        "println" | "print" | "eprintln" | "eprint" | "dbg" | "trace" | "debug" | "info" | "warn" | "error" | "log"
        | "event" | "span" | "debug_span" | "info_span" | "warn_span" | "error_span" | "trace_span" => {
            Arguments::Arid("arid:logging")
        }
        "panic" | "todo" | "unimplemented" | "unreachable" => Arguments::Arid("arid:panic-message"),
        "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => Arguments::Arid("arid:debug-assert"),
        "vec" => match vec_arguments.parse2(mac.tokens.clone()) {
            Ok(exprs) => Arguments::Values { exprs, predicate: false },
            Err(_) => Arguments::Unknown,
        },
        "format" | "format_args" => listed(mac, 1, false),
        "write" | "writeln" => listed(mac, 2, false),
        "assert" | "ensure" => first_only(mac, 1, true),
        "assert_eq" | "assert_ne" => first_only(mac, 2, false),
        "matches" => match scrutinee.parse2(mac.tokens.clone()) {
            Ok((expr, guard)) => {
                Arguments::Values { exprs: std::iter::once(expr).chain(guard).collect(), predicate: false }
            }
            Err(_) => Arguments::Unknown,
        },
        "bail" | "anyhow" => listed(mac, 1, false),
        name if local.takes_expressions(name) => match expressions.parse2(mac.tokens.clone()) {
            Ok(exprs) => Arguments::Values { exprs, predicate: false },
            Err(_) => Arguments::Unknown,
        },
        _ => Arguments::Unknown,
    }
}

/// All arguments but the format string, which stands before index `from`.
fn listed(mac: &Macro, from: usize, predicate: bool) -> Arguments {
    match Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
        Ok(list) => {
            let exprs = list
                .into_iter()
                .enumerate()
                .filter(|(i, expr)| *i >= from || !matches!(expr, Expr::Lit(_)))
                .filter(|(i, _)| *i + 1 != from)
                .map(|(_, expr)| match expr {
                    // `name = value`
                    Expr::Assign(assign) => *assign.right,
                    other => other,
                })
                .collect();
            Arguments::Values { exprs, predicate }
        }
        Err(_) => Arguments::Unknown,
    }
}

/// The first `count` arguments; what follows is a message.
fn first_only(mac: &Macro, count: usize, predicate: bool) -> Arguments {
    match Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
        Ok(list) => Arguments::Values { exprs: list.into_iter().take(count).collect(), predicate },
        Err(_) => Arguments::Unknown,
    }
}

fn vec_arguments(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    if input.is_empty() {
        return Ok(Vec::new());
    }
    let first: Expr = input.parse()?;
    let mut exprs = vec![first];
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        exprs.push(input.parse()?);
        return Ok(exprs);
    }
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            exprs.push(input.parse()?);
        }
    }
    Ok(exprs)
}

/// Expressions between commas or semicolons.
fn expressions(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let mut exprs = Vec::new();
    while !input.is_empty() {
        exprs.push(input.parse()?);
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
        } else if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
        } else if !input.is_empty() {
            return Err(input.error("expected `,` or `;`"));
        }
    }
    Ok(exprs)
}

fn scrutinee(input: ParseStream<'_>) -> syn::Result<(Expr, Option<Expr>)> {
    let expr = Expr::parse(input)?;
    input.parse::<Token![,]>()?;
    Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
    }
    Ok((expr, guard))
}
