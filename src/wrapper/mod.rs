//! The program as rustc: cargo calls it as `RUSTC_WORKSPACE_WRAPPER` for every unit of the workspace.
//!
//! A unit is known by the file of its crate root, never by its name. The root of a woven crate is swapped for the
//! shadow's; its paths are mapped back, so that `file!()`, panics and diagnostics name the user's files; lints never
//! decide whether a mutant compiles; and the runtime crate is handed in. For everything else (`-vV`, `--print`, standard
//! input, unknown crates) it is rustc.
//!
//! cargo must rebuild a unit whenever its weave changes and must not otherwise. rustc's dep-info lists environment
//! variables that a crate read (`# env-dep:NAME=VALUE`) and cargo compares them with its own environment before it calls
//! a unit fresh. The wrapper adds one line of that kind for each unit: the digest of the weave, or that it has none.

mod arguments;
mod manifest;

pub use manifest::{Form, Manifest, Unit, UnitCommand, variable_of};

use arguments::Invocation;
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::{Command, ExitCode};

/// The variable that names the manifest file and thereby makes the program a wrapper.
pub const MANIFEST_VARIABLE: &str = "HUNKMUT_WRAPPER";

/// Runs as rustc. `args` are the real compiler and its arguments.
pub fn main(args: Vec<OsString>) -> ExitCode {
    match run(args) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("error: cargo-hunkmut as rustc wrapper: {why}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Vec<OsString>) -> Result<ExitCode, String> {
    let (rustc, args) = args.split_first().ok_or("no compiler named")?;
    let path = std::env::var_os(MANIFEST_VARIABLE).ok_or("no manifest named")?;
    let manifest = Manifest::read(&path)?;
    let mut command = match manifest.chained.split_first() {
        Some((program, rest)) => {
            let mut command = Command::new(program);
            command.args(rest).arg(rustc);
            command
        }
        None => Command::new(rustc),
    };
    let Some(invocation) = Invocation::of(args) else {
        command.args(args);
        return pass(command);
    };
    let root = invocation.root_path();
    match manifest.units.get(&root) {
        Some(unit) => {
            record(&manifest, &root, rustc, &invocation)?;
            command.args(invocation.with_root(&unit.shadow_root));
            command.arg("--extern").arg(format!("hunkmut_rt={}", manifest.runtime));
            // The last mapping that fits wins: relative paths inside the workspace, absolute ones outside.
            command.arg("--remap-path-prefix").arg(format!("{}/={}", manifest.shadow, manifest.tree));
            command.arg("--remap-path-prefix").arg(format!("{}/=", manifest.shadow_workspace));
        }
        None => {
            command.args(args);
        }
    }
    command.args(["--cap-lints", "allow"]);
    command.arg("-L").arg(format!("dependency={}", manifest.runtime_dir()));
    let status = command.status().map_err(|why| format!("could not start {command:?}: {why}"))?;
    if status.success() {
        let digest = manifest.units.get(&root).map(|unit| unit.digest.as_str());
        add_env_dep(&invocation, &variable_of(&root), digest)?;
    }
    Ok(ExitCode::from(status.code().map_or(101, |code| code as u8)))
}

/// Writes down how a woven unit is compiled.
fn record(manifest: &Manifest, root: &Utf8Path, rustc: &OsStr, invocation: &Invocation) -> Result<(), String> {
    let Some(rustc) = rustc.to_str() else { return Ok(()) };
    let Ok(cwd) = std::env::current_dir() else { return Ok(()) };
    let Ok(cwd) = Utf8PathBuf::from_path_buf(cwd) else { return Ok(()) };
    let command = UnitCommand {
        root: root.to_owned(),
        form: match (invocation.generates_code(), invocation.is_test()) {
            (true, false) => Form::Plain,
            (true, true) => Form::Test,
            (false, _) => Form::Checked,
        },
        program: manifest.chained.iter().cloned().chain([rustc.to_owned()]).collect(),
        args: invocation.with_root(root).iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        cwd,
        env: std::env::vars_os()
            .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
            .filter(|(name, _)| manifest.records(name))
            .collect(),
    };
    let text = serde_json::to_string(&command).map_err(|why| why.to_string())?;
    for path in command.files(&manifest.commands) {
        std::fs::create_dir_all(&manifest.commands)
            .and_then(|()| std::fs::write(&path, &text))
            .map_err(|why| format!("could not write `{path}`: {why}"))?;
    }
    Ok(())
}

/// Appends the unit's variable to the dep-info that rustc wrote, if it wrote any.
fn add_env_dep(invocation: &Invocation, name: &str, value: Option<&str>) -> Result<(), String> {
    let Some(path) = invocation.dep_info() else { return Ok(()) };
    let line = match value {
        Some(value) => format!("\n# env-dep:{name}={value}\n"),
        None => format!("\n# env-dep:{name}\n"),
    };
    let mut file = match std::fs::OpenOptions::new().append(true).open(&path) {
        Ok(file) => file,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(why) => return Err(format!("could not open dep-info {path:?}: {why}")),
    };
    file.write_all(line.as_bytes()).map_err(|why| format!("could not write dep-info {path:?}: {why}"))
}

#[cfg(unix)]
fn pass(mut command: Command) -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt;
    let why = command.exec();
    Err(format!("could not start {command:?}: {why}"))
}

#[cfg(not(unix))]
fn pass(mut command: Command) -> Result<ExitCode, String> {
    let status = command.status().map_err(|why| format!("could not start {command:?}: {why}"))?;
    Ok(ExitCode::from(status.code().map_or(101, |code| code as u8)))
}
