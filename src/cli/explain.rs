//! `cargo hunkmut explain`: an operator in the registry's own words.

use super::args::ExplainArgs;
use crate::catalog::{self, Operator};
use crate::error::Result;
use crate::exit::Exit;
use crate::plan::unknown;
use crate::report::stdout;

/// Describes one operator, or lists all.
///
/// # Errors
/// When there is no such operator; the nearest one is suggested.
pub fn run(args: &ExplainArgs) -> Result<Exit> {
    let text = match &args.operator {
        None => catalog::registry().iter().map(|op| format!("{:<18} {}\n", op.name, op.summary)).collect(),
        Some(name) => describe(catalog::operator(name).ok_or_else(|| unknown(name))?),
    };
    stdout::print(&text, false)?;
    Ok(Exit::Pass)
}

fn describe(op: &Operator) -> String {
    let rows: String = op.table.iter().map(|(from, to)| format!("    {from}  →  {}\n", shown(to))).collect();
    let used = if op.default { "used by default" } else { "not used by default" };
    format!(
        "{} (family {}, {used})\n\n{}\n\n{rows}\nexample\n    - {}\n    + {}\n\nwhy: {}\n",
        op.name, op.family, op.summary, op.example.0, op.example.1, op.why
    )
}

fn shown(text: &str) -> &str {
    if text.is_empty() { "(nothing)" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_can_be_described() {
        for op in catalog::registry() {
            assert!(describe(op).contains(op.summary));
        }
    }
}
