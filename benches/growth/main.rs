//! What grows with what? On workspaces that are made up on the spot.
//!
//! `cargo bench --bench growth -- [--program PATH] [--mutants] [--crates]`
//!
//! `--mutants`: one crate of 1,000 files whose patch gives 3,000 mutants: planning, memory, and the phases of a run
//! beside the plain build.
//! `--crates`: the same small patch in workspaces of 10, 100 and 400 crates. Cost should follow the patch; what cargo
//! itself needs for more crates is measured beside it.

#[path = "../patch/measure.rs"]
#[allow(dead_code)] // the other bench uses more of it
mod measure;
mod workspace;

use camino::{Utf8Path, Utf8PathBuf};
use measure::Cost;
use std::error::Error;
use std::process::{Command, ExitCode};
use workspace::Workspace;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut program, mut mutants, mut crates) = (Utf8PathBuf::from(env!("CARGO_BIN_EXE_cargo-hunkmut")), false, false);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => {}
            "--mutants" => mutants = true,
            "--crates" => crates = true,
            "--program" => program = words.next().unwrap_or_default().into(),
            other => {
                eprintln!("error: `{other}` is not known");
                return ExitCode::from(2);
            }
        }
    }
    if !mutants && !crates {
        println!("nothing measured: cargo bench --bench growth -- [--program PATH] [--mutants] [--crates]");
        return ExitCode::SUCCESS;
    }
    let measured = || -> Fallible<()> {
        if mutants {
            many_mutants(&program)?;
        }
        if crates { many_crates(&program) } else { Ok(()) }
    };
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn many_mutants(program: &Utf8Path) -> Fallible<()> {
    let workspace = Workspace::of_files(1_000)?;
    let root = workspace.root();
    let plain = cost(Command::new("cargo").args(["test", "--no-run", "--test", "it"]).current_dir(root))?;
    let (planning, memory, listed) = hunkmut(program, root, &["list", "--base", "HEAD~1"])?;
    let (total, peak, said) =
        hunkmut(program, root, &["run", "--no-cache", "--base", "HEAD~1", "--timings", "--quiet"])?;
    println!("mutants listed                {}", listed.lines().filter(|line| !line.trim().is_empty()).count());
    println!("planning (`list`)             {:.2} s, CPU {:.2} s, {memory:.0} MiB", planning.seconds, planning.cpu);
    println!("plain build                   {:.2} s, CPU {:.2} s", plain.seconds, plain.cpu);
    println!("whole run                     {:.2} s, CPU {:.2} s", total.seconds, total.cpu);
    println!("peak memory of the program    {peak:.0} MiB");
    println!("{said}");
    Ok(())
}

fn many_crates(program: &Utf8Path) -> Fallible<()> {
    println!("{:>7} {:>10} {:>10} {:>12} {:>12}", "crates", "run s", "CPU s", "cargo s", "cargo CPU s");
    for crates in [10, 100, 400] {
        let workspace = Workspace::of_crates(crates)?;
        let root = workspace.root();
        let build = || {
            let mut command = Command::new("cargo");
            command.args(["test", "--no-run", "-p", "c0", "--lib"]).current_dir(root);
            command
        };
        cost(&mut build())?;
        hunkmut(program, root, &["run", "--no-cache", "--base", "HEAD~1", "--quiet"])?;
        // the second time everything is built on both sides: what is left is what depends on the workspace
        let again = cost(&mut build())?;
        let metadata = cost(Command::new("cargo").args(["metadata", "--format-version", "1"]).current_dir(root))?;
        let (run, _, _) = hunkmut(program, root, &["run", "--no-cache", "--base", "HEAD~1", "--quiet"])?;
        let cargo = (again.seconds + metadata.seconds, again.cpu + metadata.cpu);
        println!("{crates:>7} {:>10.2} {:>10.2} {:>12.2} {:>12.2}", run.seconds, run.cpu, cargo.0, cargo.1);
    }
    Ok(())
}

fn cost(command: &mut Command) -> Fallible<Cost> {
    let (cost, _, output) = measure::run(command)?;
    if output.status.success() {
        return Ok(cost);
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// Runs the program; gives its cost, its peak memory in MiB, and what it printed.
fn hunkmut(program: &Utf8Path, root: &Utf8Path, args: &[&str]) -> Fallible<(Cost, f64, String)> {
    let mut command = Command::new(program);
    // cargo tells benches about the package that they belong to; a user's shell does not.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("CARGO") && name != "CARGO_HOME") {
            command.env_remove(name);
        }
    }
    let (cost, memory, output) = measure::run(command.arg("hunkmut").args(args).current_dir(root))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(format!("{}: {}", output.status, text(&output.stderr)).into());
    }
    let said = if args[0] == "list" { text(&output.stdout) } else { text(&output.stderr) };
    Ok((cost, memory, said))
}
