//! Ctrl-C, SIGTERM and SIGKILL at any moment.

use super::Figure;
use super::repository::Repository;
use cargo_hunkmut::report::model::Verdict;
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant, SystemTime};

const MOMENTS: u32 = 60;

const LIB: &str = "pub fn area(a: u32, b: u32) -> u32 {
    let mut sum = 0;
    for _ in 0..a {
        sum += b;
    }
    sum
}

pub const fn side(n: u32) -> u32 {
    if n > 4 { n - 4 } else { 1 }
}

pub const SIDE: u32 = side(9) + 1;
";

const TESTS: &str = "#[test]
fn areas() {
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(bench::area(3, 4), 12);
    assert_eq!(bench::area(0, 4), 0);
}

#[test]
fn sides() {
    assert_eq!((bench::side(9), bench::side(4), bench::SIDE), (5, 1, 6));
}
";

pub fn measure() -> Vec<Figure> {
    let repository = Repository::new(LIB, TESTS);
    let before = repository.state();
    let started = Instant::now();
    let (_, whole) = repository.judge(&[]);
    let length = started.elapsed();
    let (mut changed, mut lost, mut stuck) = (0, 0, 0);
    for moment in 0..MOMENTS {
        let signal = [Signal::INT, Signal::TERM, Signal::KILL][moment as usize % 3];
        // spread over the whole length, in an order that jumps about
        let at = length * ((moment * 37) % MOMENTS) / MOMENTS;
        let begun = SystemTime::now();
        let mut child =
            repository.command(&[]).stderr(std::process::Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(at);
        let still_there = child.try_wait().expect("a child").is_none();
        if still_there {
            let _ = kill_process(Pid::from_child(&child), signal);
        }
        let asked = Instant::now();
        let status = child.wait().expect("a child");
        stuck += usize::from(asked.elapsed() > Duration::from_secs(10));
        if signal != Signal::KILL && status.code().is_some_and(|code| code != 2) {
            lost += usize::from(!is_kept(&repository, begun, status.code()));
        }
        changed += usize::from(repository.state() != before);
    }
    let (_, after) = repository.judge(&[]);
    let verdicts = |report: &cargo_hunkmut::report::model::Report| -> Vec<Verdict> {
        report.mutants.iter().map(|mutant| mutant.verdict).collect()
    };
    vec![
        Figure::none(format!("changes in the user's tree after {MOMENTS} signals"), changed),
        Figure::none("runs ended by INT or TERM without a whole, fitting report", lost),
        Figure::none("runs that took more than 10 s to end", stuck),
        Figure::none("verdicts of the next run that differ", usize::from(verdicts(&after) != verdicts(&whole))),
        Figure::none("processes left behind", repository.strays()),
    ]
}

/// A run that had begun to listen ends by itself, and then its report is there and says how far it came.
fn is_kept(repository: &Repository, begun: SystemTime, code: Option<i32>) -> bool {
    let file = repository.root().join("target/hunkmut/report/report.json");
    let is_new = std::fs::metadata(file).and_then(|meta| meta.modified()).is_ok_and(|at| at >= begun);
    let Some(report) = repository.report() else { return false };
    is_new && code == Some(report.exit_code.into()) && (report.complete || report.exit_code == 5)
}
