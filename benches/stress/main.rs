//! What hangs, flakes, hostile mutants and interruptions do to a run, measured on small repositories made up here.
//!
//! `cargo bench --bench stress [-- NAME…]` prints one line a figure with its target, and fails when one is missed.
//! Names: `hangs`, `flakes`, `interruptions`, `hostile`, `same`. The results of a run are in `docs/measurements.md`.

mod flakes;
mod hangs;
mod hostile;
mod interruptions;
mod repository;
mod same;

use std::process::ExitCode;

/// One measured figure.
pub struct Figure {
    /// What was measured.
    pub what: String,
    /// What came out.
    pub found: String,
    /// What had to come out.
    pub target: &'static str,
    /// Whether it did.
    pub met: bool,
}

impl Figure {
    /// A count that has to be zero.
    pub fn none(what: impl Into<String>, count: usize) -> Figure {
        Figure { what: what.into(), found: count.to_string(), target: "0", met: count == 0 }
    }
}

type Stage = fn() -> Vec<Figure>;

const STAGES: [(&str, Stage); 5] = [
    ("hangs", hangs::measure),
    ("flakes", flakes::measure),
    ("interruptions", interruptions::measure),
    ("hostile", hostile::measure),
    ("same", same::measure),
];

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if let Some(unknown) = names.iter().find(|name| STAGES.iter().all(|(stage, _)| stage != name)) {
        eprintln!("error: no such measurement: {unknown}");
        return ExitCode::from(2);
    }
    let mut all_met = true;
    for (name, stage) in STAGES {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        for figure in stage() {
            all_met &= figure.met;
            let verdict = if figure.met { "ok  " } else { "MISS" };
            println!("{verdict} {name:<14} {:<64} {:>12}  target {}", figure.what, figure.found, figure.target);
        }
    }
    ExitCode::from(u8::from(!all_met))
}
