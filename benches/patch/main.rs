//! How close does a run come to the least that it could cost?
//!
//! `cargo bench --bench patch -- REPO BASE HEAD [--cold] [--runs N]` makes a scratch clone of any repository, and
//! measures there, by turns, what the user's own cargo needs to build the test targets in use and what a run of this
//! program needs. The least is that build plus the test runs that nobody can avoid: every test of the delta once, and
//! for every mutant its shortest killer, or all the tests that execute it when none kills it.
//!
//! Warm: both have built the head before; then a comment line at the top of every changed file moves all the code in
//! them. Cold: neither has built anything. Times of tests come from running them by hand, not from the report.

mod arguments;
mod least;
mod measure;
#[allow(dead_code)] // another bench uses more of it
mod scratch;

use arguments::Arguments;
use measure::{Cost, median};
use scratch::Scratch;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("nothing measured: {}", arguments::USAGE);
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("error: {why}\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// One comparison under the same conditions.
struct Row {
    plain: Cost,
    run: measure::Run,
}

fn compare(arguments: &Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let scratch =
        Scratch::clone(&arguments.repository, &arguments.base, &arguments.head, arguments.program.as_deref())?;
    // The first run says which test targets are in use.
    let first = scratch.hunkmut(&[])?;
    let targets = least::targets(&scratch, &first.report)?;
    println!("{} mutants, {} tests, targets {}", first.mutants(), first.tests(), targets.join(" "));
    let mut rows = Vec::new();
    for _ in 0..arguments.runs {
        if arguments.cold {
            scratch.forget_builds()?;
            let plain = scratch.plain_build(&targets)?;
            scratch.forget_builds()?;
            rows.push(Row { plain, run: scratch.hunkmut(&[])? });
        } else {
            if rows.is_empty() {
                scratch.plain_build(&targets)?;
            }
            scratch.edit(&first.report)?;
            let plain = scratch.plain_build(&targets)?;
            rows.push(Row { plain, run: scratch.hunkmut(&[])? });
        }
    }
    let bare = least::bare_runs(&scratch, &targets, &first.report)?;
    let exhaustive = scratch.hunkmut(&["--exhaustive", "-j", "1"])?;
    print(&rows, &bare, &exhaustive, arguments.cold);
    Ok(())
}

fn print(rows: &[Row], bare: &least::Bare, exhaustive: &measure::Run, cold: bool) {
    let of = |pick: &dyn Fn(&Row) -> f64| median(rows.iter().map(pick).collect());
    let plain = of(&|row| row.plain.seconds);
    let tests = of(&|row| bare.unavoidable(&row.run.report));
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get()) as f64;
    let least = plain + tests / jobs;
    let state = if cold { "cold" } else { "warm" };
    println!("{state}, {jobs} cores, median of {} run(s)", rows.len());
    println!("{:<34} {:>9} {:>9} {:>11}", "", "seconds", "CPU s", "÷ limit");
    let line = |name: &str, seconds: f64, cpu: Option<f64>| {
        let cpu = cpu.map_or(String::new(), |cpu| format!("{cpu:.2}"));
        println!("{name:<34} {seconds:>9.2} {cpu:>9} {:>11.2}", seconds / least);
    };
    line("plain build", plain, Some(of(&|row| row.plain.cpu)));
    line("unavoidable tests (÷ cores)", tests / jobs, Some(tests));
    line("limit", least, Some(of(&|row| row.plain.cpu) + tests));
    for phase in ["scope", "plan", "build", "baseline", "mutants", "report"] {
        line(&format!("  {phase}"), of(&|row| row.run.phase(phase)), None);
    }
    line("total", of(&|row| row.run.cost.seconds), Some(of(&|row| row.run.cost.cpu)));
    println!("woven build ÷ plain build          {:.2}", of(&|row| row.run.phase("build")) / plain);
    let cpu = of(&|row| row.run.cost.cpu) / (of(&|row| row.plain.cpu) + tests);
    println!("total ÷ limit in CPU time          {cpu:.2}");
    if let Some(ratio) = bare.overhead(&exhaustive.report) {
        println!("one mutant × one test ÷ bare test  {ratio:.2}");
    }
    let memory = rows.iter().map(|row| row.run.memory_mib).fold(0.0, f64::max);
    println!("peak memory of the program         {memory:.0} MiB");
    println!("rebuilt mutants                    {}", rows.last().map_or(0, |row| row.run.rebuilt()));
    println!("\nthe last run:\n{}", rows.last().map_or("", |row| &row.run.timings));
}
