//! What a report says of single mutants beside their verdicts, for a reviewer: never a decision.
//!
//! Survivors under `#[mutants::skip]` are marked and listed, and count as any other; kills by tests that look at nothing
//! but `Debug` text or log lines are named.

use super::session::Session;
use crate::freeze;
use crate::report::model::{How, Mutant, Report, Verdict};
use crate::report::text;
use crate::source::skips::skipped;
use crate::test_id::TestId;
use std::collections::BTreeSet;

/// What a survivor under the attribute bears as its reason.
const CANDIDATE: &str = "excusal-candidate: #[mutants::skip]";

/// Mutants named in one note.
const NAMED: usize = 20;

/// Adds both to a report.
pub fn add(session: &Session, report: &mut Report) {
    let files = session.scope.files.iter().filter_map(|file| Some((file.path.as_str(), file.source.as_ref()?)));
    let skips: Vec<_> =
        files.flat_map(|(path, source)| skipped(source).into_iter().map(move |range| (path, range))).collect();
    let is_skipped = |m: &Mutant| skips.iter().any(|(path, range)| m.file == *path && range.contains(&m.start_byte));
    report.notes.extend(mark_skipped(&mut report.mutants, &is_skipped));
    if report.mutants.iter().any(|m| m.verdict == Verdict::Killed) {
        let tests = freeze::text_only(session);
        report.notes.extend(kills_by_text(&report.mutants, &tests));
    }
}

/// Marks the survivors in skipped code, and names them.
fn mark_skipped(mutants: &mut [Mutant], is_skipped: &dyn Fn(&Mutant) -> bool) -> Option<String> {
    let mut named = Vec::new();
    for m in mutants.iter_mut().filter(|m| is_skipped(m)) {
        match m.verdict {
            Verdict::Survived | Verdict::Unexecuted => {}
            Verdict::Killed
            | Verdict::Timeout
            | Verdict::Excused
            | Verdict::Invalid
            | Verdict::Flaky
            | Verdict::Unverified => continue,
        }
        named.push(format!("{} {}:{}:{}", m.id, m.file, m.line, m.column));
        m.reason = Some(match m.reason.take() {
            None => CANDIDATE.to_owned(),
            // A verdict that was taken over from an earlier run bears it already.
            Some(reason) if reason.contains(CANDIDATE) => reason,
            Some(reason) => format!("{reason}; {CANDIDATE}"),
        });
    }
    (!named.is_empty()).then(|| {
        format!(
            "{} under `#[mutants::skip]`, which makes them candidates for an excusal and excuses nothing: {}",
            text::count(named.len(), "survivor"),
            text::list(&named, NAMED)
        )
    })
}

/// Names the kills that have nothing but such tests behind them.
fn kills_by_text(mutants: &[Mutant], tests: &BTreeSet<TestId>) -> Option<String> {
    let by_text = |m: &&Mutant| {
        m.verdict == Verdict::Killed
            && m.killed_by.iter().all(|killer| killer.how == How::Assertion && tests.contains(&killer.id))
    };
    let resting: Vec<&Mutant> = mutants.iter().filter(by_text).collect();
    let killers: BTreeSet<String> =
        resting.iter().flat_map(|m| &m.killed_by).map(|killer| format!("`{}`", killer.id)).collect();
    (!resting.is_empty()).then(|| {
        format!(
            "{} by tests whose assertions look only at `Debug` text or log lines: {}",
            match resting.len() {
                1 => "1 mutant is killed only".to_owned(),
                n => format!("{n} mutants are killed only"),
            },
            text::list(&killers.into_iter().collect::<Vec<_>>(), NAMED)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::model::Killer;
    use crate::report::sample;

    fn mutants(verdicts: &[Verdict]) -> Vec<Mutant> {
        let of = |verdict: &Verdict| sample::mutant("src/pricing.rs", "relational", "qty", 0, "0", *verdict);
        verdicts.iter().map(of).collect()
    }

    #[test]
    fn survivors_in_skipped_code_are_marked_and_listed_once_and_stay_survivors() {
        let all = [Verdict::Survived, Verdict::Unexecuted, Verdict::Killed, Verdict::Unverified, Verdict::Excused];
        let mut found = mutants(&all);
        found[0].reason = Some("not traced".to_owned());
        found[1].reason = None;
        let before: Vec<_> = found[2..].iter().map(|m| m.reason.clone()).collect();
        for _ in 0..2 {
            let note = mark_skipped(&mut found, &|_| true).unwrap();
            assert!(note.starts_with("2 survivors under `#[mutants::skip]`"), "{note}");
            assert_eq!(found[0].reason.as_deref(), Some("not traced; excusal-candidate: #[mutants::skip]"));
            assert_eq!(found[1].reason.as_deref(), Some(CANDIDATE));
        }
        assert_eq!(found[2..].iter().map(|m| m.reason.clone()).collect::<Vec<_>>(), before);
        assert_eq!(found.iter().map(|m| m.verdict).collect::<Vec<_>>(), all);
        assert_eq!(mark_skipped(&mut found, &|_| false), None);
    }

    #[test]
    fn a_kill_rests_on_text_only_when_all_its_killers_do() {
        let killer = |name: &str, how| Killer { id: sample::test(name), how };
        let mut found = mutants(&[Verdict::Killed, Verdict::Killed, Verdict::Killed]);
        found[0].killed_by = vec![killer("shows", How::Assertion)];
        found[1].killed_by = vec![killer("shows", How::Assertion), killer("counts", How::Assertion)];
        found[2].killed_by = vec![killer("shows", How::Abort)];
        let note = kills_by_text(&found, &BTreeSet::from([sample::test("shows")])).unwrap();
        assert!(
            note.starts_with("1 mutant is killed only by tests") && note.ends_with("`shop::prices shows`"),
            "{note}"
        );
        assert_eq!(kills_by_text(&found, &BTreeSet::new()), None);
    }
}
