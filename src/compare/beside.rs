//! The maps of a run, found again beside its report: a pull request shows both together.

use super::model::Comparison;
use super::{markdown, write};
use crate::gate::kill_map;
use crate::killmap::model::KillMap;
use crate::report::atomic;
use crate::report::model::Report;
use camino::Utf8Path;

/// The most bytes that the maps take in the body of a pull request, so that survivors and tests have room too.
const ROOM: usize = 12_000;

/// Both maps side by side as a section of the report's Markdown. Empty when the report's gates did not ask for maps, or
/// when those in the folder are of other revisions.
pub fn section(dir: &Utf8Path, report: &Report) -> String {
    if !report.gates.iter().any(|gate| gate.name == kill_map::NAME) {
        return String::new();
    }
    let Some((base, head)) = maps(dir, report) else { return String::new() };
    let short = |rev: &str| rev.chars().take(12).collect::<String>();
    format!(
        "### What all tests notice, before and after the patch\n\nKill maps of base `{}` and head `{}`, in `{}`.\n\n{}\n",
        short(&base.rev),
        if report.repo.dirty { "the work tree".to_owned() } else { short(&head.rev) },
        write::FILE,
        markdown::maps(&base, &head, ROOM)
    )
}

fn maps(dir: &Utf8Path, report: &Report) -> Option<(KillMap, KillMap)> {
    let comparison: Comparison = serde_json::from_str(&atomic::read(&dir.join(write::FILE)).ok()?).ok()?;
    let read = |file: &Option<String>| KillMap::read(&dir.join(file.as_deref()?)).ok();
    let (base, head) = (read(&comparison.killmaps.base)?, read(&comparison.killmaps.head)?);
    let same_head = match &report.repo.head {
        Some(commit) => head.rev == *commit,
        None => head.rev.ends_with("-dirty"),
    };
    (base.rev == report.repo.merge_base && same_head).then_some((base, head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::model::MapFiles;
    use crate::killmap::model::{MapMutant, SCHEMA};
    use crate::report::model::{Gate, GateDecision, Verdict};
    use crate::report::sample;

    #[test]
    fn maps_of_this_very_patch_are_shown_and_no_others() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(scratch.path()).unwrap();
        let mut report = sample::report();
        report.repo.head = Some("b".repeat(40));
        let write = |file: &str, rev: &str, verdict| {
            let mut map = KillMap { schema: SCHEMA.into(), rev: rev.to_owned(), complete: true, ..KillMap::default() };
            map.add("m-1", MapMutant::default(), verdict);
            map.write(&dir.join(file)).unwrap();
        };
        write("base.json", &report.repo.merge_base, Verdict::Killed);
        write("head.json", &"b".repeat(40), Verdict::Survived);
        let mut comparison = Comparison::of_reasons(Vec::new(), Vec::new());
        comparison.killmaps = MapFiles { base: Some("base.json".into()), head: Some("head.json".into()) };
        comparison.write(dir).unwrap();
        assert_eq!(section(dir, &report), "", "no gate asked for them");
        let (decision, rule) = (GateDecision::Reject, "resurrected".to_owned());
        report.gates.push(Gate { name: kill_map::NAME.to_owned(), decision, rule, reasons: Vec::new() });
        let text = section(dir, &report);
        assert!(text.contains("| killed | 1 | 0 |\n") && text.contains("| killed | survived |"), "{text}");
        write("head.json", &"c".repeat(40), Verdict::Survived);
        assert_eq!(section(dir, &report), "", "maps of another head");
        assert_eq!(section(&dir.join("elsewhere"), &report), "");
    }
}
