//! `--shard k/n`: one run divided among machines.
//!
//! Every machine plans the whole, so that all agree on which mutant belongs to whom without asking each other, and judges
//! its own share. A share decides nothing: its report is not complete, says which one it is, and has a gate that says so.
//! [`merge()`] makes the whole of all of them.

mod merge;

pub use merge::merge;

use crate::exit::Exit;
use crate::gate;
use crate::report::model::{Decision, Gate, GateDecision, Report, Shard, Verdict};
use crate::report::text::count;
use crate::text::sha256;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// The name of the gate that keeps a share from passing.
pub const GATE: &str = "shard";

/// The one share that does what is done once: the patch taken back, and the kill maps.
pub const FIRST: u32 = 1;

/// `k/n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which, from 1.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parsed {
            Some((index, count)) if 1 <= index && index <= count => Ok(Share { index, count }),
            Some(_) => Err("the first share is 1, the last one as many as there are".to_owned()),
            None => Err("expected k/n, like 2/4".to_owned()),
        }
    }
}

/// What mutants cost, in milliseconds, by ID.
pub type Costs = BTreeMap<String, f64>;

/// What the mutants of an earlier report cost.
pub fn costs(report: &Report) -> Costs {
    let ran = report.mutants.iter().filter(|mutant| mutant.verdict != Verdict::Unverified);
    ran.map(|mutant| (mutant.id.clone(), mutant.duration_ms)).collect()
}

/// The share's part of some mutants, by ID.
///
/// Without costs a mutant's share follows from its ID alone, whatever else there is. With costs the dearest mutants are
/// dealt first, each to the share with the least to do; all machines need the same ones.
pub fn part(share: Share, mutants: &[&str], costs: Option<&Costs>, gates: Vec<String>) -> Shard {
    let shares = match costs {
        None => mutants.iter().map(|id| (*id, by_id(id, share.count))).collect(),
        Some(costs) => dealt(mutants, costs, share.count),
    };
    let lines: Vec<String> = shares.iter().map(|(id, of)| format!("{id} {of}/{}", share.count)).collect();
    let mine = mutants.iter().filter(|id| shares.get(*id) == Some(&share.index));
    Shard {
        index: share.index,
        count: share.count,
        split: sha256(lines.join("\n")),
        mutants: mine.map(|id| (*id).to_owned()).collect(),
        gates,
    }
}

fn by_id(id: &str, count: u32) -> u32 {
    let digest = sha256(id);
    let number = u64::from_str_radix(&digest[..16], 16).expect("a digest begins with sixteen hexadecimal digits");
    (number % u64::from(count)) as u32 + 1
}

/// The dearest first, each to whoever has least. What was never run costs as much as the mean of the others.
fn dealt<'m>(mutants: &[&'m str], costs: &Costs, count: u32) -> BTreeMap<&'m str, u32> {
    let known: Vec<f64> = mutants.iter().filter_map(|id| costs.get(*id)).copied().collect();
    let mean = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
    // Even a mutant that cost nothing is something to do.
    let cost = |id: &str| costs.get(id).copied().unwrap_or(mean).max(0.01);
    let mut order: Vec<&str> = mutants.to_vec();
    order.sort_by(|one, other| cost(other).total_cmp(&cost(one)).then(one.cmp(other)));
    let mut loads: Vec<f64> = vec![0.0; count as usize];
    let mut shares = BTreeMap::new();
    for id in order {
        let least = (0..loads.len()).min_by(|one, other| loads[*one].total_cmp(&loads[*other]));
        let least = least.expect("there is at least one share");
        loads[least] += cost(id);
        shares.insert(id, least as u32 + 1);
    }
    shares
}

/// Makes a report that of a share: not complete, and no pass.
pub fn mark(report: &mut Report, shard: &Shard) {
    let mine: BTreeSet<&str> = shard.mutants.iter().map(String::as_str).collect();
    for mutant in report.mutants.iter_mut().filter(|mutant| !mine.contains(mutant.id.as_str())) {
        if mutant.verdict == Verdict::Unverified && mutant.reason.is_none() {
            mutant.reason = Some("it belongs to another shard".to_owned());
        }
    }
    let (index, of) = (shard.index, shard.count);
    let all = count(report.mutants.len(), "mutant");
    report.gates.push(Gate {
        name: GATE.to_owned(),
        decision: GateDecision::Incomplete,
        rule: "one share of a run decides nothing: `cargo hunkmut merge` makes the whole of all shares".to_owned(),
        reasons: vec![format!("shard {index} of {of}: {} of {all}", mine.len())],
    });
    report.complete = false;
    report.decision = gate::overall(&report.gates, report.decision == Decision::BaselineRed);
    report.exit_code = Exit::of(report.decision).code();
    report.shard = Some(shard.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(index: u32, count: u32) -> Share {
        Share { index, count }
    }

    const IDS: [&str; 7] = ["m-1", "m-2", "m-3", "m-4", "m-5", "m-6", "m-7"];

    fn parts(ids: &[&str], count: u32, costs: Option<&Costs>) -> Vec<Vec<String>> {
        (1..=count).map(|index| part(share(index, count), ids, costs, vec![]).mutants).collect()
    }

    #[test]
    fn a_share_is_written_as_k_of_n() {
        assert_eq!("2/4".parse(), Ok(share(2, 4)));
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_mutant_has_one_share_which_follows_from_its_id_alone() {
        let parts_of_all = parts(&IDS, 3, None);
        let mut all: Vec<String> = parts_of_all.concat();
        all.sort();
        assert_eq!(all, IDS);
        let without = parts(&IDS[1..], 3, None);
        for (some, all) in without.iter().zip(&parts_of_all) {
            assert!(some.iter().all(|id| all.contains(id)), "the others stay where they are");
        }
    }

    #[test]
    fn measured_costs_balance_the_shares() {
        let costs: Costs =
            [("m-1", 60.0), ("m-2", 30.0), ("m-3", 20.0), ("m-4", 10.0)].map(|(id, ms)| (id.to_owned(), ms)).into();
        assert_eq!(parts(&IDS[..4], 2, Some(&costs)), [vec!["m-1"], vec!["m-2", "m-3", "m-4"]]);
        let unknown = parts(&IDS, 3, Some(&Costs::new()));
        assert!(unknown.iter().all(|part| part.len() >= 2), "what nobody has measured is dealt evenly: {unknown:?}");
    }

    #[test]
    fn the_split_is_the_same_for_all_shares_and_no_other() {
        let split = |index, count, ids: &[&str]| part(share(index, count), ids, None, vec![]).split;
        assert_eq!(split(1, 3, &IDS), split(2, 3, &IDS));
        assert_ne!(split(1, 3, &IDS), split(1, 4, &IDS));
        assert_ne!(split(1, 3, &IDS), split(1, 3, &IDS[1..]));
    }

    #[test]
    fn a_share_never_passes_and_a_block_stays_one() {
        let mut report = crate::report::sample::report();
        let pass = |decision| Gate { name: "ratio".into(), decision, rule: String::new(), reasons: vec![] };
        report.gates = vec![pass(GateDecision::Pass)];
        report.complete = true;
        let shard = part(share(1, 1), &[], None, vec!["ratio".into()]);
        let mut blocked = report.clone();
        mark(&mut report, &shard);
        assert_eq!((report.decision, report.exit_code, report.complete), (Decision::Incomplete, 5, false));
        blocked.gates = vec![pass(GateDecision::Block)];
        mark(&mut blocked, &shard);
        assert_eq!(blocked.decision, Decision::Block);
    }
}
