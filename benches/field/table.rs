//! What was measured, as a Markdown table with the ratios that matter.

use super::tools::{Outcome, Tool};
use std::fmt::Write;

/// One tool on one diff in one state.
#[derive(Debug)]
pub struct Row {
    /// What was judged.
    pub subject: String,
    /// `cold` or `warm`.
    pub state: &'static str,
    /// Who judged.
    pub tool: Tool,
    /// How many tests the patch has.
    pub tests: usize,
    /// Wall clock of the whole command.
    pub seconds: f64,
    /// CPU time of it and all its children.
    pub cpu: f64,
    /// The verdicts of the last run.
    pub outcome: Outcome,
}

impl Row {
    /// Seconds for one mutant of which the tool could say something; `None` when there is none.
    pub fn per_verdict(&self) -> Option<f64> {
        let judged = self.outcome.judged();
        (judged > 0).then(|| self.seconds / judged as f64)
    }

    /// As a line of the table.
    pub fn line(&self) -> String {
        let verdicts: Vec<String> =
            self.outcome.verdicts.iter().map(|(word, count)| format!("{count} {word}")).collect();
        let per_verdict = self.per_verdict().map_or(String::new(), |seconds| format!("{seconds:.3}"));
        format!(
            "| {} | {} | {} | {} | {} | {} | {:.2} | {:.2} | {per_verdict} |",
            self.subject,
            self.tests,
            self.state,
            self.tool.name(),
            self.outcome.judged(),
            verdicts.join(", "),
            self.seconds,
            self.cpu,
        )
    }
}

/// The whole table, and below it how many times as long the others take.
pub fn markdown(rows: &[Row], versions: &[String]) -> String {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut text = format!("{processors} cores; {}\n\n", versions.join(", "));
    text += "| diff | tests | | tool | judged | verdicts | seconds | CPU s | seconds a verdict |\n";
    text += "|---|---|---|---|---|---|---|---|---|\n";
    for row in rows {
        text += &row.line();
        text.push('\n');
    }
    for state in ["cold", "warm"] {
        for tool in [Tool::CargoMutants, Tool::CargoGamma] {
            let verdicts = ratios(rows, state, tool, Row::per_verdict);
            let totals = ratios(rows, state, tool, |row| Some(row.seconds));
            if let (Some(verdict), Some(total)) = (mean(&verdicts), mean(&totals)) {
                // Writing to a string cannot fail.
                let _ = write!(
                    text,
                    "\n{}, {state}: {verdict:.1} × as long a verdict as cargo-hunkmut, {total:.1} × in total \
                     (geometric means of {} diffs)\n",
                    tool.name(),
                    verdicts.len(),
                );
            }
        }
    }
    text
}

/// What another tool takes, divided by what this program takes, for each diff that both have judged.
fn ratios(rows: &[Row], state: &str, tool: Tool, of: impl Fn(&Row) -> Option<f64>) -> Vec<f64> {
    let others = rows.iter().filter(|row| row.state == state && row.tool == tool);
    let ours = |subject: &str| {
        rows.iter().find(|row| row.state == state && row.tool == Tool::Hunkmut && row.subject == subject).and_then(&of)
    };
    others.filter_map(|row| Some(of(row)? / ours(&row.subject)?)).collect()
}

/// The geometric mean; `None` of nothing.
fn mean(ratios: &[f64]) -> Option<f64> {
    (!ratios.is_empty()).then(|| (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp())
}
