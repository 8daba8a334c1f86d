//! How does this program compare with others that judge the same diff by the same tests?
//!
//! `cargo bench --bench field -- REPO BASE HEAD …` makes a scratch clone of each repository and runs there, one tool
//! after the other, this program and those of cargo-mutants and cargo-gamma that are on the PATH. Which tests are the
//! patch's is asked of this program; the others get them by name, each in the way that it knows.
//!
//! Cold: nothing is built. Warm: each tool has run before; then a comment line at the top of every changed file moves all
//! the code in them, as in `--bench patch`. Seconds are of the whole command, divided by the mutants of which the tool
//! could say something: those that it could not compile are not counted.

mod arguments;
#[path = "../patch/least.rs"]
#[allow(dead_code)] // the other bench uses more of it
mod least;
#[path = "../patch/measure.rs"]
#[allow(dead_code)]
mod measure;
#[path = "../patch/scratch.rs"]
mod scratch;
mod table;
mod tools;
#[path = "../growth/workspace.rs"]
#[allow(dead_code)]
mod workspace;

use arguments::{Arguments, Subject};
use measure::median;
use scratch::Scratch;
use std::error::Error;
use std::process::ExitCode;
use table::Row;
use tools::{Tests, Tool};

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("error: {why}\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    if arguments.subjects.is_empty() {
        println!("nothing measured: {}", arguments::USAGE);
        return ExitCode::SUCCESS;
    }
    match compare(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn compare(arguments: &Arguments) -> Fallible<()> {
    let asked = |tool: &Tool| arguments.tools.is_empty() || arguments.tools.iter().any(|name| name == tool.name());
    let tools: Vec<(Tool, String)> =
        Tool::ALL.into_iter().filter(asked).filter_map(|tool| Some((tool, tool.version()?))).collect();
    for tool in Tool::ALL.iter().filter(|tool| asked(tool) && !tools.iter().any(|(there, _)| there == *tool)) {
        eprintln!("{} is not installed: not measured", tool.name());
    }
    let tools_alone: Vec<Tool> = tools.iter().map(|(tool, _)| *tool).collect();
    let mut rows = Vec::new();
    for subject in &arguments.subjects {
        // One that cannot be measured does not take the others' figures with it.
        match measured(subject, &tools_alone, arguments) {
            Ok(more) => {
                more.iter().for_each(|row| println!("{}", row.line()));
                rows.extend(more);
            }
            Err(why) => eprintln!("{subject:?}: {why}"),
        }
    }
    let versions: Vec<String> = tools.into_iter().map(|(_, version)| version).collect();
    let text = table::markdown(&rows, &versions);
    println!("\n{text}");
    match &arguments.write {
        Some(path) => Ok(std::fs::write(path, text)?),
        None => Ok(()),
    }
}

/// All tools on one diff, by turns.
fn measured(subject: &Subject, tools: &[Tool], arguments: &Arguments) -> Fallible<Vec<Row>> {
    let program = arguments.program.as_deref();
    let (name, scratch) = match subject {
        Subject::Pair { repository, base, head } => {
            let name = repository.file_name().unwrap_or_default();
            (format!("{name} `{head}`"), Scratch::clone(repository, base, head, program)?)
        }
        Subject::MadeUp(files) => {
            let made_up = workspace::Workspace::of_files(*files)?;
            (format!("made up, {files} files"), Scratch::clone(made_up.root(), "HEAD~1", "HEAD", program)?)
        }
    };
    let first = scratch.hunkmut(&[])?;
    let tests = Tests { ids: least::delta(&first.report), targets: least::targets(&scratch, &first.report)? };
    let (mut cold, mut warm) = (vec![Vec::new(); tools.len()], vec![Vec::new(); tools.len()]);
    for run in 0..arguments.runs {
        for (index, tool) in tools.iter().enumerate() {
            if arguments.cold || run == 0 {
                // One run is needed anyway before the next is a warm one.
                if *tool != Tool::Hunkmut || arguments.cold {
                    scratch.forget_builds()?;
                }
                cold[index].push(tool.run(&scratch, &tests, false)?);
            }
            if *tool == Tool::CargoMutants {
                scratch.plain_build(&tests.targets)?;
            }
            scratch.edit(&first.report)?;
            warm[index].push(tool.run(&scratch, &tests, true)?);
        }
    }
    let mut rows = Vec::new();
    for (state, outcomes) in [("cold", cold), ("warm", warm)] {
        if state == "cold" && !arguments.cold {
            continue;
        }
        for (tool, outcomes) in tools.iter().zip(outcomes) {
            let seconds = median(outcomes.iter().map(|outcome| outcome.cost.seconds).collect());
            let cpu = median(outcomes.iter().map(|outcome| outcome.cost.cpu).collect());
            let Some(last) = outcomes.into_iter().next_back() else { continue };
            let tests = tests.ids.len();
            rows.push(Row { subject: name.clone(), state, tool: *tool, tests, seconds, cpu, outcome: last });
        }
    }
    Ok(rows)
}
