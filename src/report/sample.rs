//! A report built by hand that has every verdict and every kind of source a person may have: tabs, CRLF, wide
//! characters, text over several lines, a file that is gone.

use super::model::*;
use crate::test_id::TestId;

const PRICING: &str = "\
//! Prices.

pub fn bulk_price(qty: u32, unit: u32, bulk_min: u32) -> u32 {
    let mut total = qty * unit;
    if qty >= bulk_min && qty > 0 {
        total -= total / 10;
    }
    log(total);
    total
}

pub fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Bulk => \"bulk\",
        Kind::Single => {
            \"single\"
        }
    }
}
";

const TABS: &str = "fn f(a: i32) -> i32 {\r\n\tif a < 3 {\r\n\t\treturn a + 1; // ```\r\n\t}\r\n\ta\r\n}\r\n";

const WIDE: &str = "fn 名前(客: &str) -> bool {\n    客.starts_with(\"株式会社\") && 客.len() < 12\n}\n";

/// The sample's sources.
pub fn sources(file: &str) -> Option<String> {
    match file {
        "src/pricing.rs" => Some(PRICING.to_owned()),
        "src/tabs.rs" => Some(TABS.to_owned()),
        "src/wide.rs" => Some(WIDE.to_owned()),
        _ => None,
    }
}

/// A test of the sample.
pub fn test(name: &str) -> TestId {
    TestId::new("shop::prices", name)
}

/// A mutant of one of the sample's sources: the `nth` (from 0) `original` in it.
pub fn mutant(file: &str, operator: &str, original: &str, nth: usize, replacement: &str, verdict: Verdict) -> Mutant {
    let text = sources(file).unwrap_or_else(|| format!("\n\n{original}\n"));
    let (start, _) = text.match_indices(original).nth(nth).expect("the sample's sources hold the text");
    let end = start + original.len();
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    let column = |at: usize| text[..at].chars().rev().take_while(|&c| c != '\n').count() as u32 + 1;
    Mutant {
        id: format!("m-{:08x}", start * 7919 + replacement.len()),
        operator: operator.into(),
        file: file.into(),
        function: "f".into(),
        line: line(start),
        column: column(start),
        end_line: line(end),
        end_column: column(end),
        start_byte: start,
        end_byte: end,
        original: original.into(),
        replacement: replacement.into(),
        engine: Engine::Woven,
        verdict,
        killed_by: vec![],
        executed_by: match verdict {
            Verdict::Unexecuted | Verdict::Invalid | Verdict::Unverified => vec![],
            _ => vec![test("bulk_is_cheaper")],
        },
        historical: Historical { verdict: HistoricalVerdict::NotRun, killed_by: vec![] },
        reason: None,
        duration_ms: 2.5,
        item: String::new(),
        history: vec![],
    }
}

fn mutants() -> Vec<Mutant> {
    use Verdict::*;
    let pricing = |operator, original, nth, replacement, verdict| {
        mutant("src/pricing.rs", operator, original, nth, replacement, verdict)
    };
    let mut all = vec![
        pricing("arithmetic", "qty * unit", 0, "qty + unit", Killed),
        pricing("relational", "qty >= bulk_min", 0, "qty > bulk_min", Survived),
        pricing("logical", "qty >= bulk_min && qty > 0", 0, "qty >= bulk_min || qty > 0", Flaky),
        pricing("relational", "qty > 0", 0, "qty >= 0", Survived),
        pricing("assignment", "total -= total / 10", 0, "total += total / 10", Excused),
        pricing("arithmetic", "total / 10", 0, "total * 10", Timeout),
        pricing("call_deletion", "log(total);", 0, "", Survived),
        pricing(
            "return_value",
            "match kind {\n        Kind::Bulk => \"bulk\",\n        Kind::Single => {\n            \"single\"\n        }\n    }",
            0,
            "Default::default()",
            Unexecuted,
        ),
        pricing("string_literal", "\"bulk\"", 0, "true", Invalid),
        mutant("src/tabs.rs", "relational", "a < 3", 0, "a <= 3", Survived),
        mutant("src/tabs.rs", "off_by_one", "1", 0, "2", Unexecuted),
        mutant("src/tabs.rs", "off_by_one", "1", 0, "0", Unexecuted),
        mutant("src/wide.rs", "off_by_one", "12", 0, "13", Survived),
        mutant("src/gone.rs", "logical", "a && b", 0, "a || b", Survived),
        pricing("statement_deletion", "    total\n}", 0, "    0\n}", Unverified),
    ];
    let killer = |name: &str, how| Killer { id: test(name), how };
    all[0].killed_by = vec![killer("bulk_is_cheaper", How::Assertion)];
    all[5].killed_by = vec![killer("bulk_is_cheaper", How::Timeout)];
    all[5].reason = Some("time".into());
    all[2].reason = Some("failed once, passed when confirmed".into());
    all[1].executed_by.extend(["one", "two", "three", "four"].map(test));
    all[6].historical =
        Historical { verdict: HistoricalVerdict::Killed, killed_by: vec![killer("old", How::Assertion)] };
    all[12].reason = Some("not traced".into());
    all
}

/// The report.
pub fn report() -> Report {
    let mutants = mutants();
    let counts = Counts::of(mutants.iter().map(|m| m.verdict));
    let range = |file: &str, start, end, kind| Range { file: file.into(), start, end, kind, package: None };
    let unmutated = |line, reason: &str| Unmutated { file: "src/pricing.rs".into(), line, reason: reason.into() };
    let delta = |name: &str, change, line| DeltaTest {
        id: test(name),
        change,
        file: Some("tests/prices.rs".into()),
        line: Some(line),
    };
    let baseline =
        |name: &str| BaselineTest { id: test(name), outcome: BaselineOutcome::Pass, runs: 3, duration_ms: 1.9 };
    Report {
        schema: SCHEMA.into(),
        tool: Tool {
            name: "cargo-hunkmut".into(),
            version: "0.1.0".into(),
            rustc: "rustc 1.95.0 (59807616e 2026-04-14)".into(),
            nextest: Some("0.9.100".into()),
        },
        catalog: Catalog {
            name: "mutants-v1".into(),
            sha256: "c0ffee".repeat(8),
            operators: vec!["relational".into()],
        },
        repo: Repo {
            base: "1111111111111111111111111111111111111111".into(),
            merge_base: "2222222222222222222222222222222222222222".into(),
            head: Some("3333333333333333333333333333333333333333".into()),
            dirty: false,
            workspace: String::new(),
        },
        policy: Policy {
            source: PolicySource::Default,
            path: None,
            sha256: "e3b0".repeat(16),
            changed_by_patch: false,
        },
        scope: Scope {
            ranges: vec![
                range("src/pricing.rs", 3, 19, RangeKind::Production),
                range("src/tabs.rs", 1, 6, RangeKind::Production),
                range("src/wide.rs", 1, 3, RangeKind::Production),
                range("src/gone.rs", 3, 3, RangeKind::Production),
                range("tests/prices.rs", 1, 40, RangeKind::Test),
            ],
            unmutated: vec![unmutated(3, "declaration"), unmutated(7, "declaration"), unmutated(12, "comment")],
        },
        tests: Tests {
            delta: vec![
                delta("bulk_is_cheaper", TestChange::Added, 5),
                delta("labels|are_<nice>", TestChange::Modified, 12),
            ],
            baseline: vec![baseline("bulk_is_cheaper"), baseline("labels|are_<nice>")],
            toothless: vec![test("labels|are_<nice>")],
        },
        counts,
        kill_ratio: counts.kill_ratio(),
        mutants,
        reverted: Reverted { verdict: RevertedVerdict::Killed, killed_by: vec![], reason: None },
        gates: vec![Gate {
            name: "ratio".into(),
            decision: GateDecision::Hold,
            rule: "5 or more valid mutants, kill ratio below the floor: hold, see the survivors".into(),
            reasons: vec![
                "kill ratio 18.1 % (2 of 11 valid mutants), floor 20 %".into(),
                "1 test of the patch kills no mutant: `shop::prices labels|are_<nice>`".into(),
            ],
        }],
        decision: Decision::Hold,
        exit_code: 3,
        cap: Cap::default(),
        tree: Tree { before: "00".repeat(32), after: "00".repeat(32), clean: true },
        complete: false,
        timings_ms: Timings { build: 5200.0, total: 9140.0, ..Timings::default() },
        notes: vec!["`assets/logo.png` is binary: skipped".into()],
        facts: Facts::default(),
        ledger: LedgerUse::default(),
        withdrawn: vec![],
        shard: None,
    }
}

const BIG_FILES: usize = 20;

/// The sources of [`big`]: a hundred functions a file.
pub fn big_sources(file: &str) -> Option<String> {
    let number: usize = file.strip_prefix("src/big_")?.strip_suffix(".rs")?.parse().ok()?;
    let item = |i: usize| {
        format!(
            "/// Item {i}.\npub fn item_{i}(a: u64, b: u64) -> u64 {{\n    if a < b {{\n        return a.saturating_mul(b);\n    }}\n    a - b\n}}\n\n"
        )
    };
    Some((number * 100..number * 100 + 100).map(item).collect())
}

/// A report of any size: `mutants` in twenty files, each executed by every third of `tests`.
pub fn big(mutants: usize, tests: usize) -> Report {
    let mut report = report();
    let ids: Vec<TestId> = (0..tests).map(|i| test(&format!("group_{}::case_{i}_is_as_it_should_be", i % 7))).collect();
    report.tests.delta = ids
        .iter()
        .enumerate()
        .map(|(i, id)| DeltaTest {
            id: id.clone(),
            change: TestChange::Added,
            file: Some("tests/big.rs".into()),
            line: Some(i as u32 * 5 + 1),
        })
        .collect();
    report.tests.toothless.clear();
    report.tests.baseline.clear();
    let sources: Vec<String> =
        (0..BIG_FILES).map(|i| big_sources(&format!("src/big_{i}.rs")).expect("a file of the big report")).collect();
    report.scope.ranges = (0..BIG_FILES)
        .map(|i| Range {
            file: format!("src/big_{i}.rs"),
            start: 1,
            end: 800,
            kind: RangeKind::Production,
            package: Some("shop".into()),
        })
        .collect();
    report.mutants = (0..mutants)
        .map(|i| {
            let (file, item) = (i % BIG_FILES, i / BIG_FILES % 100);
            let start = sources[file].match_indices("a < b").nth(item).expect("an item of the big report").0;
            let verdict = [Verdict::Killed, Verdict::Killed, Verdict::Survived, Verdict::Unexecuted][i % 4];
            let executed: Vec<TestId> = match verdict {
                Verdict::Unexecuted => vec![],
                _ => ids.iter().skip(i % 3).step_by(3).cloned().collect(),
            };
            let line = item as u32 * 8 + 3;
            Mutant {
                id: format!("m-{i:016x}"),
                operator: ["relational", "logical", "arithmetic"][i % 3].into(),
                file: format!("src/big_{file}.rs"),
                function: format!("big_{file}::item_{}", file * 100 + item),
                line,
                column: 8,
                end_line: line,
                end_column: 13,
                start_byte: start,
                end_byte: start + 5,
                original: "a < b".into(),
                replacement: "a <= b".into(),
                engine: Engine::Woven,
                verdict,
                killed_by: match verdict {
                    Verdict::Killed => {
                        executed.first().map(|id| Killer { id: id.clone(), how: How::Assertion }).into_iter().collect()
                    }
                    _ => vec![],
                },
                executed_by: executed,
                historical: Historical { verdict: HistoricalVerdict::NotRun, killed_by: vec![] },
                reason: None,
                duration_ms: 3.25,
                item: String::new(),
                history: vec![],
            }
        })
        .collect();
    report.counts = Counts::of(report.mutants.iter().map(|m| m.verdict));
    report.kill_ratio = report.counts.kill_ratio();
    report.scope.unmutated.clear();
    report
}
