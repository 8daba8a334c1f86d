//! `--timings`: where a run spent its time, for whoever wants it faster.

use super::clock::Clock;
use crate::report::model::Report;
use std::fmt::Write;

/// How many mutants and tests are named.
const NAMED: usize = 5;

/// Phases, the steps inside them, the slowest mutants and the slowest tests.
pub fn render(clock: &Clock, report: &Report) -> String {
    let t = &report.timings_ms;
    let mut text = String::from("Where the time went\n");
    let mut line = |name: &str, ms: f64| {
        // A text in memory takes everything.
        let _ = writeln!(text, "{ms:>12.1} ms  {name}");
    };
    let phases = [t.scope, t.plan, t.build, t.baseline, t.mutants, t.report];
    for (name, ms) in ["scope", "plan", "build", "baseline", "mutants", "report"].into_iter().zip(phases) {
        line(name, ms);
    }
    line("total", t.total);
    for (name, time) in clock.steps() {
        line(&format!("· {name}"), time.as_secs_f64() * 1e3);
    }
    let mut mutants: Vec<_> = report.mutants.iter().collect();
    mutants.sort_by(|a, b| b.duration_ms.total_cmp(&a.duration_ms));
    for mutant in mutants.into_iter().take(NAMED).filter(|mutant| mutant.duration_ms > 0.0) {
        line(&format!("{} {}:{} {}", mutant.id, mutant.file, mutant.line, mutant.operator), mutant.duration_ms);
    }
    let mut tests: Vec<_> = report.tests.baseline.iter().collect();
    tests.sort_by(|a, b| b.duration_ms.total_cmp(&a.duration_ms));
    for test in tests.into_iter().take(NAMED) {
        line(&format!("{}", test.id), test.duration_ms);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn phases_steps_mutants_and_tests_are_told() {
        let clock = Clock::default();
        clock.step("list tests", || ());
        let report = sample::report();
        let text = render(&clock, &report);
        for wanted in ["5200.0 ms  build", "· list tests", report.mutants[0].id.as_str()] {
            assert!(text.contains(wanted), "{wanted} is missing in\n{text}");
        }
    }
}
