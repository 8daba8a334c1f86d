//! A comparison with both maps side by side, as a page.

use super::model::Comparison;
use crate::killmap::model::KillMap;
use crate::report::quote::{self, plain};
use crate::report::text;

/// The most rows of a table.
const ROWS: usize = 200;

/// The most bytes of both maps on a page of their own: with the reasons they fit into a comment.
const PAGE: usize = 40_000;

/// The page. Maps are `None` where they could not be made.
pub fn page(comparison: &Comparison, base: Option<&KillMap>, head: Option<&KillMap>) -> String {
    let mut out = format!("## cargo hunkmut compare: {}\n\n", comparison.decision);
    for reason in &comparison.reasons {
        out += &format!("- {}\n", cell(&reason.to_string()));
        if !reason.tests.is_empty() {
            out += &format!("  - tests: {}\n", cell(&text::list(&reason.tests, 10)));
        }
        if !reason.mutants.is_empty() {
            out += &format!("  - mutants: {}\n", cell(&text::list(&reason.mutants, 10)));
        }
    }
    if comparison.reasons.is_empty() {
        out += "Nothing speaks against the patch.\n";
    }
    if let (Some(base), Some(head)) = (base, head) {
        out += "\n";
        out += &maps(base, head, PAGE);
    }
    out + &notes(comparison)
}

/// Both maps side by side: their counts, and in at most about `room` bytes every mutant that they tell apart, lost kills
/// first.
pub fn maps(base: &KillMap, head: &KillMap, room: usize) -> String {
    let mut out = "| | base | head |\n|---|---:|---:|\n".to_owned();
    for ((name, before), (_, after)) in counts(base).into_iter().zip(counts(head)) {
        out += &format!("| {name} | {before} | {after} |\n");
    }
    let ids = base.mutants.keys().chain(head.mutants.keys().filter(|id| !base.mutants.contains_key(*id)));
    let mut differing: Vec<&String> = ids.filter(|id| base.verdict(id) != head.verdict(id)).collect();
    if differing.is_empty() {
        return out;
    }
    differing.sort_by_key(|id| (!base.is_dead(id) || head.is_dead(id), !head.is_dead(id), *id));
    out += "\n| mutant | place | change | base | head |\n|---|---|---|---|---|\n";
    for (shown, id) in differing.iter().enumerate() {
        let Some(mutant) = head.mutants.get(*id).or_else(|| base.mutants.get(*id)) else { continue };
        let row = format!(
            "| {id} | {}:{} {} | {} → {} | {} | {} |\n",
            cell(&mutant.file),
            mutant.line,
            code(&mutant.function),
            code(&mutant.original),
            code(&mutant.replacement),
            side(base, id),
            side(head, id),
        );
        if shown == ROWS || out.len() + row.len() > room {
            out += &format!("\n… and {} more in the maps.\n", differing.len() - shown);
            break;
        }
        out += &row;
    }
    out
}

/// What one side makes of a mutant: its verdict, and who killed it.
fn side(map: &KillMap, id: &str) -> String {
    let Some(verdict) = map.verdict(id) else { return "-".to_owned() };
    let killers = map.mutants.get(id).map(|mutant| &mutant.killed_by[..]).unwrap_or_default();
    match killers {
        [first, rest @ ..] if map.is_dead(id) => {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            format!("{verdict} by {}{more}", code(first))
        }
        _ => verdict.to_string(),
    }
}

fn counts(map: &KillMap) -> [(&'static str, usize); 8] {
    [
        ("killed", map.killed.len()),
        ("timeout", map.timeout.len()),
        ("survived", map.survived.len()),
        ("unexecuted", map.unexecuted.len()),
        ("invalid", map.invalid.len()),
        ("flaky", map.flaky.len()),
        ("unverified", map.unverified.len()),
        ("tests in use", map.tests.len()),
    ]
}

fn notes(comparison: &Comparison) -> String {
    let lines: String = comparison.notes.iter().map(|note| format!("- {}\n", cell(note))).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// Text of the patch, which ends no cell, opens no markup and calls nobody.
fn cell(words: &str) -> String {
    plain(&text::fit(&text::line(words), 400))
}

fn code(words: &str) -> String {
    quote::code(&text::fit(&text::line(words), 60)).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::judge::{Input, judge};
    use crate::killmap::model::MapMutant;
    use crate::report::model::Verdict;

    #[test]
    fn both_maps_stand_side_by_side() {
        let mutant = MapMutant { file: "src/a.rs".into(), line: 3, original: "a | b".into(), ..MapMutant::default() };
        let map = |verdict| {
            let mut map = KillMap { complete: true, ..KillMap::default() };
            map.add("m-1", MapMutant { killed_by: vec!["p::t x".into()], ..mutant.clone() }, verdict);
            map
        };
        let (base, head) = (map(Verdict::Killed), map(Verdict::Survived));
        let comparison = judge(&Input { base: Ok(&base), head: Ok(&head), findings: None });
        let page = page(&comparison, Some(&base), Some(&head));
        assert!(page.starts_with("## cargo hunkmut compare: reject\n"), "{page}");
        assert!(page.contains("| killed | 1 | 0 |\n") && page.contains("a \\| b"), "{page}");
        assert!(page.contains("| killed by `p::t x` | survived |"), "{page}");
    }

    #[test]
    fn lost_kills_come_first_and_what_does_not_fit_is_counted() {
        let map = |first, rest| {
            let mut map = KillMap { complete: true, ..KillMap::default() };
            (0..99).for_each(|n| map.add(&format!("m-{n:02}"), MapMutant::default(), rest));
            map.add("m-99", MapMutant { function: "@you".into(), ..MapMutant::default() }, first);
            map
        };
        let (base, head) = (map(Verdict::Killed, Verdict::Survived), map(Verdict::Unexecuted, Verdict::Killed));
        let text = maps(&base, &head, 1_000);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| m-")).collect();
        assert!(rows[0].starts_with("| m-99 ") && rows[1].starts_with("| m-00 "), "{text}");
        assert!(text.ends_with(&format!("… and {} more in the maps.\n", 100 - rows.len())), "{text}");
        assert!(text.len() < 1_100 && rows[0].contains("`@you`"), "{text}");
    }
}
