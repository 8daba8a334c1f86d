//! Many mutants that never end.

use super::Figure;
use super::repository::Repository;
use cargo_hunkmut::report::model::Verdict;
use std::fmt::Write;

/// So many functions give more than 200 mutants that hang.
const FUNCTIONS: usize = 110;
const ENOUGH: usize = 200;

const ADVANCE: &str = "fn advance(at: &mut u32, by: u32) {
    *at = at.wrapping_add(by);
}

";

pub fn measure() -> Vec<Figure> {
    let (mut lib, mut tests) = (ADVANCE.to_owned(), String::new());
    for number in 0..FUNCTIONS {
        let _ = write!(
            lib,
            "pub fn steps_{number}(n: u32) -> u32 {{
    let mut at = 0;
    while at != n {{
        advance(&mut at, 1);
    }}
    at
}}

"
        );
        let _ = write!(
            tests,
            "#[test]
fn steps_{number}_are_counted() {{
    assert_eq!(bench::steps_{number}(9), 9);
}}

"
        );
    }
    let repository = Repository::new(&lib, &tests);
    let (_, report) = repository.judge(&[]);
    let hanging: Vec<f64> =
        report.mutants.iter().filter(|m| m.verdict == Verdict::Timeout).map(|m| m.duration_ms).collect();
    let average = hanging.iter().sum::<f64>() / hanging.len().max(1) as f64;
    let longest = hanging.iter().copied().fold(0.0, f64::max);
    vec![
        Figure {
            what: "mutants that hang".into(),
            found: hanging.len().to_string(),
            target: "200 or more",
            met: hanging.len() >= ENOUGH,
        },
        Figure {
            what: format!("average time for one of them (three runs each; the longest {longest:.0} ms)"),
            found: format!("{average:.1} ms"),
            target: "50 ms or less",
            met: average <= 50.0,
        },
        Figure::none("mutants without a verdict", report.counts.unverified as usize),
        Figure::none("processes left behind", repository.strays()),
    ]
}
