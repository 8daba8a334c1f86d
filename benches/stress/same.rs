//! The same verdicts every time and whoever runs the tests.

use super::Figure;
use super::repository::Repository;
use cargo_hunkmut::report::model::{Report, Timings};

const LIB: &str = "pub fn price(count: u32, each: u32) -> u32 {
    let mut sum = 0;
    let mut left = count;
    while left > 0 {
        sum += each;
        left -= 1;
    }
    if count >= 10 { sum - sum / 10 } else { sum }
}

pub const LIMIT: u32 = 100 - 1;

pub fn fits(count: u32) -> Result<u32, String> {
    match count {
        0 => Err(\"nothing\".to_owned()),
        n if n > LIMIT => Err(\"too much\".to_owned()),
        n => Ok(n),
    }
}

pub fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(\"\")
}
";

const TESTS: &str = "use bench::*;

#[test]
fn ten_are_cheaper() {
    assert_eq!(price(10, 5), 45);
}

#[test]
fn few_are_not() {
    assert_eq!(price(3, 5), 15);
}

#[test]
fn too_much_does_not_fit() {
    assert!(fits(100).is_err() && fits(99).is_ok() && fits(0).is_err());
}

#[test]
fn words() {
    first_word(\"one two\");
}

#[test]
#[should_panic(expected = \"overflow\")]
fn prices_have_a_limit() {
    price(2, u32::MAX);
}
";

pub fn measure() -> Vec<Figure> {
    let repository = Repository::new(LIB, TESTS);
    let reports = [&["--test-driver", "direct"][..]; 3].map(|args| without_times(repository.judge(args).1));
    let nextest = without_times(repository.judge(&["--test-driver", "nextest"]).1);
    let differing = reports[1..].iter().filter(|report| **report != reports[0]).count();
    let pairs = reports[0].mutants.iter().zip(&nextest.mutants);
    let other = pairs.filter(|(a, b)| (&a.id, a.verdict) != (&b.id, b.verdict)).count();
    let uncounted = reports[0].mutants.len().abs_diff(nextest.mutants.len());
    vec![
        Figure::none(format!("of two repetitions differ ({} mutants)", reports[0].mutants.len()), differing),
        Figure::none("verdicts differ when nextest runs every test", other + uncounted),
    ]
}

fn without_times(mut report: Report) -> Report {
    report.timings_ms = Timings::default();
    report.mutants.iter_mut().for_each(|mutant| mutant.duration_ms = 0.0);
    report.tests.baseline.iter_mut().for_each(|test| test.duration_ms = 0.0);
    report
}
