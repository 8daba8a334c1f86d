//! A new test that fails one time in five.

use super::Figure;
use super::repository::Repository;

const RUNS: usize = 50;

const LIB: &str = "pub fn twice(n: u32) -> u32 {
    n * 2
}

pub fn small(n: u32) -> bool {
    n < 10 || n == 12
}
";

const TESTS: &str = "use std::time::{SystemTime, UNIX_EPOCH};

#[test]
fn twice_is_exact() {
    assert_eq!(bench::twice(4), 8);
}

#[test]
fn small_numbers() {
    assert!(bench::small(9) && !bench::small(10) && bench::small(12));
}

#[test]
fn moody() {
    bench::twice(3);
    bench::small(3);
    let micros = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos() / 1000;
    assert_ne!(micros % 5, 0);
}
";

pub fn measure() -> Vec<Figure> {
    let repository = Repository::new(LIB, TESTS);
    let (mut credited, mut passed, mut named) = (0, 0, 0);
    for _ in 0..RUNS {
        let (out, report) = repository.judge(&[]);
        let killers = report.mutants.iter().flat_map(|mutant| &mutant.killed_by);
        credited += killers.filter(|killer| killer.id.name == "moody").count();
        passed += usize::from(out.status.code() == Some(0));
        named += usize::from(out.status.code() == Some(4));
    }
    vec![
        Figure::none(format!("kills credited to it in {RUNS} runs"), credited),
        Figure::none("of these runs passed", passed),
        Figure {
            what: "of these runs ended with exit 4".into(),
            found: named.to_string(),
            target: "50",
            met: named == RUNS,
        },
    ]
}
