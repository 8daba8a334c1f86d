//! The compiler called directly, as cargo called it for a woven unit, on other text.

use super::Builder;
use super::cargo::Diagnostic;
use crate::error::{Context, Error, Result};
use crate::process::{Cmd, Output};
use crate::wrapper::UnitCommand;
use camino::Utf8Path;

/// Calls the compiler as it was called for the woven unit, on another root, for its checks only.
///
/// # Errors
/// When files cannot be written or the compiler cannot be started.
pub(super) fn ask(
    builder: &Builder<'_>,
    command: &UnitCommand,
    root: &Utf8Path,
    dir: &Utf8Path,
) -> Result<Vec<Diagnostic>> {
    let out = dir.join("out");
    let incremental = dir.join("incremental");
    std::fs::create_dir_all(&out).doing(|| format!("create `{out}`"))?;
    let Some(cmd) = replayed(builder, command, root) else { return Ok(Vec::new()) };
    let cmd = cmd.args(["--emit=metadata", "--error-format=json", "--out-dir", out.as_str()]);
    let cmd = cmd.arg("-C").arg(format!("incremental={incremental}"));
    let done = run(builder, command, &cmd)?;
    if done.status.success() {
        return Ok(Vec::new());
    }
    let text = done.err_text();
    let errors: Vec<Diagnostic> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<cargo_metadata::diagnostic::Diagnostic>(line).ok())
        .filter_map(|message| Diagnostic::read(&message))
        .collect();
    if errors.is_empty() {
        return Err(Error::new(format!("check mutants with `{}`", command.program.join(" ")), text));
    }
    Ok(errors)
}

/// The recorded call on another root, without what says where its results go. `None` when nothing was recorded.
pub(super) fn replayed(builder: &Builder<'_>, command: &UnitCommand, root: &Utf8Path) -> Option<Cmd> {
    let mut args = Vec::new();
    let mut words = command.args.iter().peekable();
    while let Some(word) = words.next() {
        let dropped = match word.as_str() {
            "-C" | "--codegen" => {
                words.peek().is_some_and(|next| next.starts_with("incremental=") || next.starts_with("linker"))
            }
            "--out-dir" | "--error-format" | "--json" | "-o" => true,
            _ => false,
        };
        if dropped {
            words.next();
        } else if word.starts_with("--emit") || word.starts_with("--json=") || word.starts_with("--error-format=") {
            // The caller's business.
        } else if *word == command.root {
            args.push(root.to_string());
        } else {
            args.push(word.clone());
        }
    }
    let (program, first) = command.program.split_first()?;
    let mut cmd = Cmd::new(program).args(first).args(&args).arg("--cap-lints=allow").cwd(&command.cwd);
    // Woven dependencies need the runtime crate.
    if let Some(dir) = builder.runtime.rlib.parent() {
        cmd = cmd.arg("-L").arg(format!("dependency={dir}"));
    }
    for (key, _) in std::env::vars_os() {
        cmd = cmd.env_remove(key);
    }
    for (key, value) in &command.env {
        cmd = cmd.env(key, value);
    }
    Some(cmd)
}

/// Runs a replayed call.
///
/// # Errors
/// When it cannot be started or the run ends first. The command is not named: its environment is the user's own.
pub(super) fn run(builder: &Builder<'_>, command: &UnitCommand, cmd: &Cmd) -> Result<Output> {
    crate::exec::output(cmd, builder.ending, None).map_err(|_| {
        let why = if builder.ending.reached() { "the run ended first" } else { "it could not be run" };
        Error::new(format!("call `{}` for `{}` as cargo did", command.program.join(" "), command.root), why)
    })
}
