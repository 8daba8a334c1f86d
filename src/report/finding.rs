//! What a tool that shows findings at places in files has to say about a report: one finding for each line on which
//! changes went unnoticed, and one for each gate that does not pass.
//!
//! SARIF, GitHub, GitLab and cargo's messages differ in their spelling only; what they say is written here.

use super::diagnostic::{self, Warning};
use super::model::{GateDecision, Mutant, RangeKind, Report, Verdict};
use super::text;

/// Replaced text longer than this many cells is cut.
const LONGEST: usize = 80;

/// Tests named in one finding.
const TESTS: usize = 3;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// No test of the patch executes the line.
    Note,
    /// A test of the patch executes the line and does not notice the change, or a gate wants a person to look.
    Warning,
    /// A gate blocks.
    Error,
}

/// A gate that does not pass, at the first production line of the patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateFinding {
    /// The gate's name.
    pub gate: String,
    /// The row of its table that decided, and its first reasons.
    pub message: String,
    /// How much it weighs.
    pub weight: Weight,
    /// The file that it is shown in; `None` when the patch changes no file that can be named.
    pub file: Option<String>,
    /// The line there.
    pub line: u32,
}

/// The gates that do not pass, in the report's order.
pub fn gates(report: &Report) -> Vec<GateFinding> {
    let first = |kind| report.scope.ranges.iter().find(|range| kind == range.kind);
    let place = first(RangeKind::Production).or_else(|| report.scope.ranges.first());
    let wanting = report.gates.iter().filter_map(|gate| {
        let weight = match gate.decision {
            GateDecision::Pass | GateDecision::Vacuous => return None,
            GateDecision::Hold | GateDecision::Incomplete => Weight::Warning,
            GateDecision::Block | GateDecision::Reject => Weight::Error,
        };
        let reasons = gate.reasons.iter().take(TESTS).map(|reason| format!("; {}", text::line(reason)));
        Some(GateFinding {
            gate: gate.name.clone(),
            message: format!("{}{}", text::line(&gate.rule), reasons.collect::<String>()),
            weight,
            file: place.map(|range| range.file.clone()),
            line: place.map_or(1, |range| range.start),
        })
    });
    wanting.collect()
}

/// One mutant in one sentence: what was changed, and who looked away.
pub fn sentence(m: &Mutant) -> String {
    let seen = match (m.verdict, m.executed_by.is_empty()) {
        (Verdict::Unexecuted, _) => "no test of the patch executes it".to_owned(),
        (_, true) => m.reason.as_deref().map(text::line).unwrap_or_else(|| "no test noticed".to_owned()),
        (_, false) => {
            let tests: Vec<String> =
                m.executed_by.iter().map(|t| format!("`{}`", text::line(&t.to_string()))).collect();
            let reason = m.reason.as_deref().map(|reason| format!("; {}", text::line(reason))).unwrap_or_default();
            format!("executed by {}{reason}", text::list(&tests, TESTS))
        }
    };
    format!("{}: {seen}", change(m))
}

/// `` `a < b` changed to `a <= b` ``.
pub fn change(m: &Mutant) -> String {
    let original = text::changed(&m.replacement, &m.original, LONGEST);
    match m.replacement.trim().is_empty() {
        true => format!("`{original}` deleted"),
        false => format!("`{original}` changed to `{}`", text::changed(&m.original, &m.replacement, LONGEST)),
    }
}

/// What a line's mutants have in common, and each of them.
pub fn message(warning: &Warning<'_>) -> String {
    let mutants = warning.mutants();
    let title = match mutants.len() {
        1 => "no test of the patch noticed this change".to_owned(),
        n => format!("no test of the patch noticed these {n} changes"),
    };
    let each: Vec<String> = mutants.iter().map(|m| sentence(m)).collect();
    format!("{title}: {}", each.join("; "))
}

/// How much a line's survivors weigh.
pub fn weight(warning: &Warning<'_>) -> Weight {
    match warning.mutants()[0].verdict {
        Verdict::Unexecuted => Weight::Note,
        _ => Weight::Warning,
    }
}

/// The lines with survivors: see [`diagnostic::warnings`].
pub fn lines(report: &Report) -> Vec<Warning<'_>> {
    diagnostic::warnings(report)
}

/// A path as a relative URI reference.
pub fn uri(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&b);
    path.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_gate_that_does_not_pass_is_found_at_the_first_production_line() {
        let report = sample::report();
        let [gate] = &gates(&report)[..] else { panic!("one gate") };
        assert_eq!((gate.file.as_deref(), gate.line, gate.weight), (Some("src/pricing.rs"), 3, Weight::Warning));
        assert!(gate.message.contains("floor 20 %"), "{}", gate.message);
    }

    #[test]
    fn a_gate_that_passes_is_no_finding() {
        let mut report = sample::report();
        report.gates[0].decision = GateDecision::Pass;
        assert_eq!(gates(&report), []);
    }

    #[test]
    fn a_sentence_says_what_was_changed_and_who_looked_away() {
        let report = sample::report();
        let said: Vec<String> = report.mutants.iter().map(sentence).collect();
        assert!(said[1].starts_with("`qty >= bulk_min` changed to `qty > bulk_min`: executed by `shop::prices bulk"));
        assert!(said[1].ends_with("and 2 more"), "{}", said[1]);
        assert!(said[6].starts_with("`log(total);` deleted"), "{}", said[6]);
        assert!(said[7].ends_with("no test of the patch executes it"), "{}", said[7]);
    }

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("src/a b/ü#.rs"), "src/a%20b/%C3%BC%23.rs");
    }
}
