//! `cargo hunkmut freeze`: the static checks alone.

use super::args::{FreezeArgs, MessageFormat, no_compiler_messages};
use crate::compare::model::{Comparison, Decision};
use crate::error::Result;
use crate::exit::Exit;
use crate::freeze;
use crate::report::model::GateDecision;
use crate::report::stdout;
use crate::run::session::Session;

/// Prints what the patch did to the tests, and writes `compare.json`. Builds nothing.
///
/// # Errors
/// Usage, git and manifest errors.
pub fn run(args: &FreezeArgs) -> Result<Exit> {
    if args.output.message_format == MessageFormat::CargoJson {
        return Err(no_compiler_messages());
    }
    let session = Session::open(&args.patch, &args.cargo)?;
    let findings = freeze::check(&session)?;
    let gate = crate::gate::freeze::judge(&findings);
    let unread = findings.unread.iter().map(|what| format!("not read: {what}"));
    let notes = unread.chain(findings.advice.iter().cloned()).collect();
    let mut comparison = Comparison::of_reasons(findings.reasons, notes);
    if gate.decision == GateDecision::Hold {
        comparison.decision = comparison.decision.max(Decision::Hold);
    }
    comparison
        .notes
        .extend(session.thawed.iter().map(|name| format!("`{name}` is frozen no longer: its day has passed")));
    crate::git::mark_as_cache(&session.hunkmut_dir)?;
    let dir = args.report_dir.clone().unwrap_or_else(|| session.hunkmut_dir.join("report"));
    comparison.write(&dir)?;
    let text = match args.output.message_format {
        MessageFormat::CargoJson => return Err(no_compiler_messages()),
        MessageFormat::Json => comparison.json()?,
        MessageFormat::Short => comparison.short(),
        MessageFormat::Human if comparison.reasons.is_empty() => {
            comparison.notes.iter().map(|note| format!("note: {note}\n")).collect::<String>()
                + &format!("{}\n", gate.rule)
        }
        MessageFormat::Human => comparison.human(args.output.verbose),
    };
    stdout::print(&text, false)?;
    Ok(exit(comparison.decision))
}

/// The exit that belongs to the decision of a comparison.
pub fn exit(decision: Decision) -> Exit {
    match decision {
        Decision::AllowReview => Exit::Pass,
        Decision::Reject => Exit::Block,
        Decision::Hold => Exit::Hold,
        Decision::Incomplete => Exit::Incomplete,
    }
}
