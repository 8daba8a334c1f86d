//! How long do the parts take that start no process, and how does that grow?
//!
//! `cargo bench --bench micro` measures, on crates that are made up on the spot: planning (after which nothing is read any
//! more), weaving every file, and the decision of the gate `ratio`. 1,000 files hold 21,000 mutants. `open` is all that
//! comes before a build, git and `cargo metadata` included.

#[path = "../growth/workspace.rs"]
#[allow(dead_code)] // the other bench uses more of it
mod workspace;

use cargo_hunkmut::catalog::LocalMacros;
use cargo_hunkmut::cli::args::{CargoArgs, PatchArgs};
use cargo_hunkmut::gate::ratio::{self, Floor, RatioInput};
use cargo_hunkmut::plan::{Planned, plan};
use cargo_hunkmut::report::model::Mutant;
use cargo_hunkmut::run::session::Session;
use cargo_hunkmut::weave::{Thread, weave};
use divan::{Bencher, black_box};
use serde_json::json;
use std::collections::BTreeMap;
use workspace::Workspace;

/// Functions in each file, with three mutants each.
const FUNCTIONS: usize = 7;

fn main() {
    divan::main();
}

/// A made-up crate, and the arguments that judge its patch.
fn made_up(files: usize) -> (Workspace, PatchArgs, CargoArgs) {
    let workspace = Workspace::of_functions(files, FUNCTIONS).expect("a temporary folder, git and cargo");
    let patch = PatchArgs { base: Some("HEAD~1".to_owned()), ..PatchArgs::default() };
    let manifest = workspace.root().join("Cargo.toml");
    (workspace, patch, CargoArgs { manifest_path: Some(manifest), ..CargoArgs::default() })
}

#[divan::bench(args = [10, 100, 1_000], sample_count = 5)]
fn open(bencher: Bencher<'_, '_>, files: usize) {
    let (_workspace, patch, cargo) = made_up(files);
    bencher.bench_local(|| Session::open(&patch, &cargo).expect("a patch that can be read"));
}

#[divan::bench(args = [10, 100, 1_000], sample_count = 10)]
fn planning(bencher: Bencher<'_, '_>, files: usize) {
    let (_workspace, patch, cargo) = made_up(files);
    let session = Session::open(&patch, &cargo).expect("a patch that can be read");
    assert_eq!(session.plan.mutants.len(), files * FUNCTIONS * 3);
    let macros = LocalMacros::default();
    bencher.bench_local(|| plan(&session.scope, &session.policy, &session.workspace, &macros).expect("a plan"));
}

#[divan::bench(args = [10, 100, 1_000], sample_count = 10)]
fn weaving(bencher: Bencher<'_, '_>, files: usize) {
    let (_workspace, patch, cargo) = made_up(files);
    let session = Session::open(&patch, &cargo).expect("a patch that can be read");
    let mut by_file: BTreeMap<usize, Vec<(usize, &Planned)>> = BTreeMap::new();
    for (index, mutant) in session.plan.mutants.iter().enumerate() {
        by_file.entry(mutant.file).or_default().push((index, mutant));
    }
    bencher.bench_local(|| {
        for (file, mutants) in &by_file {
            let source = session.scope.files[*file].source.as_ref().expect("a file in scope has been read");
            let thread = |(index, mutant): &(usize, &'_ Planned)| {
                let encoding = *mutant.encodings.first()?;
                // The mutants outlive the loop; the closure's own reference does not.
                let mutant = &session.plan.mutants[*index];
                Some(Thread { index: *index, switch: mutant.switch, proposal: &mutant.proposal, encoding })
            };
            let threads: Vec<Thread<'_>> = mutants.iter().filter_map(thread).collect();
            black_box(weave(&source.text, &threads));
        }
    });
}

#[divan::bench(args = [1_000, 20_000])]
fn decision(bencher: Bencher<'_, '_>, mutants: usize) {
    let mutants: Vec<Mutant> = (0..mutants).map(mutant).collect();
    let input = RatioInput {
        tests: 3,
        toothless: &[],
        mutants: &mutants,
        ranges: &[],
        unmutated: &[],
        deletions_only: false,
        test_side_changed: true,
        ended_early: false,
        policy_changed: &[],
        attributes_changed: false,
        unlisted: false,
        floor: &|_| Floor { group: String::new(), percent: 80 },
    };
    bencher.bench_local(|| ratio::judge(black_box(&input)));
}

/// Nine of ten are killed.
fn mutant(index: usize) -> Mutant {
    let test = json!({ "binary_id": "bench::it", "name": "all" });
    let killer = json!({ "binary_id": "bench::it", "name": "all", "how": "assertion" });
    let alive = index.is_multiple_of(10);
    let mutant = json!({
        "id": format!("m-{index:x}"),
        "operator": "arithmetic",
        "file": format!("src/m{}.rs", index / 20),
        "function": "f",
        "line": 6, "column": 5, "end_line": 6, "end_column": 10, "start_byte": 50, "end_byte": 55,
        "original": "a + b",
        "replacement": "a - b",
        "engine": "woven",
        "verdict": if alive { "survived" } else { "killed" },
        "killed_by": if alive { json!([]) } else { json!([killer]) },
        "executed_by": [test],
        "historical": { "verdict": "not-run", "killed_by": [] },
        "reason": null,
        "duration_ms": 1.0,
        "item": "0".repeat(64),
        "history": [],
    });
    serde_json::from_value(mutant).expect("a mutant as reports have them")
}
