//! A comparison with both maps side by side, as a page.

use super::model::Comparison;
use crate::killmap::model::KillMap;
use crate::report::model::Verdict;
use crate::report::text;

/// The most rows of a table.
const ROWS: usize = 200;

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
    let (Some(base), Some(head)) = (base, head) else { return out + &notes(comparison) };
    out += "\n| verdict | base | head |\n|---|---:|---:|\n";
    for ((name, before), (_, after)) in counts(base).into_iter().zip(counts(head)) {
        out += &format!("| {name} | {before} | {after} |\n");
    }
    let ids = base.mutants.keys().chain(head.mutants.keys().filter(|id| !base.mutants.contains_key(*id)));
    let differing: Vec<&String> = ids.filter(|id| base.verdict(id) != head.verdict(id)).collect();
    if !differing.is_empty() {
        out += "\n| mutant | place | change | base | head | killed at the base by |\n|---|---|---|---|---|---|\n";
    }
    for id in differing.iter().take(ROWS) {
        let Some(mutant) = head.mutants.get(*id).or_else(|| base.mutants.get(*id)) else { continue };
        let word = |verdict: Option<Verdict>| verdict.map_or("-".to_owned(), |verdict| verdict.to_string());
        let killers = base.mutants.get(*id).map(|mutant| mutant.killed_by.join(", ")).unwrap_or_default();
        out += &format!(
            "| {id} | {}:{} `{}` | `{}` → `{}` | {} | {} | {} |\n",
            cell(&mutant.file),
            mutant.line,
            cell(&mutant.function),
            code(&mutant.original),
            code(&mutant.replacement),
            word(base.verdict(id)),
            word(head.verdict(id)),
            cell(&killers),
        );
    }
    if differing.len() > ROWS {
        out += &format!("\n… and {} more in the maps.\n", differing.len() - ROWS);
    }
    out + &notes(comparison)
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

/// Text that ends no cell and opens no markup.
fn cell(words: &str) -> String {
    text::line(words).replace('|', "\\|").replace('<', "&lt;")
}

fn code(words: &str) -> String {
    text::fit(&text::line(words), 60).replace('|', "\\|").replace('`', "'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::judge::{Input, judge};
    use crate::killmap::model::MapMutant;

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
        assert!(page.contains("| killed | survived | p::t x |"), "{page}");
    }
}
