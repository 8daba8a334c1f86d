//! What a build made, as bytes: the executables that tests are, those that they may start, and whatever else of it they
//! could load or read.

use super::basis::file_digest;
use crate::run::session::Session;
use crate::runner::Built;
use crate::text::sha256;
use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::Message;
use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

/// More files than this in the output folder of a build script are not looked at.
const MOST: usize = 5_000;

/// The digest of every test executable, by binary ID. `None` when one cannot be read.
pub fn executables(built: &Built) -> Option<BTreeMap<String, String>> {
    let digest = |binary: &crate::runner::TestBinary| {
        let said = format!("{} {}", binary.path, file_digest(&binary.path)?);
        Some((binary.binary_id.clone(), said))
    };
    built.binaries.iter().map(digest).collect()
}

/// A digest of all the rest: programs and dynamic libraries by their bytes, what only a linker reads by size and age, and
/// what build scripts said and wrote.
pub fn besides(session: &Session, built: &Built, messages: &[Message]) -> Option<String> {
    let tests: Vec<&Utf8Path> = built.binaries.iter().map(|binary| binary.path.as_path()).collect();
    let mut lines = Vec::new();
    for message in messages {
        match message {
            Message::CompilerArtifact(artifact) => {
                let files = artifact.filenames.iter().chain(&artifact.executable);
                let executable = |file: &Utf8Path| artifact.executable.as_deref() == Some(file);
                // The mutated crates are compiled anew whenever their text is laid down again, to the same bytes.
                let member = is_member(session, &artifact.package_id.repr);
                // The crate's hash in its metadata covers every token of it; the names of objects in the archive are new
                // each time.
                let has_metadata = artifact.filenames.iter().any(|file| file.extension() == Some("rmeta"));
                let is_told = |file: &Utf8Path| member && has_metadata && file.extension() == Some("rlib");
                for file in files.filter(|file| !tests.contains(&file.as_path()) && !is_told(file)) {
                    lines.push(line(file, member || executable(file))?);
                }
            }
            Message::BuildScriptExecuted(script) => {
                lines.push(format!("{} {:?} {:?}", script.out_dir, script.env, script.linked_paths));
                if is_member(session, &script.package_id.repr) {
                    lines.extend(written(&script.out_dir)?);
                }
            }
            _ => {}
        }
    }
    lines.sort();
    Some(sha256(lines.join("\n")))
}

fn is_member(session: &Session, package: &str) -> bool {
    session.workspace.packages.iter().any(|member| member.id == package)
}

fn line(file: &Utf8Path, by_bytes: bool) -> Option<String> {
    match by_bytes || matches!(file.extension(), Some("so" | "dylib" | "dll")) {
        true => Some(format!("{file} {}", file_digest(file)?)),
        false => stamp(file),
    }
}

/// Size and age.
fn stamp(file: &Utf8Path) -> Option<String> {
    let meta = file.metadata().ok()?;
    let age = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{file} {} {age:?}", meta.len()))
}

/// What a build script has written, file by file.
fn written(dir: &Utf8Path) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut open: Vec<Utf8PathBuf> = vec![dir.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(meta) = path.symlink_metadata() else { continue };
        if meta.is_dir() {
            let entries = path.read_dir_utf8().ok()?;
            open.extend(entries.flatten().map(|entry| entry.path().to_owned()));
        } else if meta.is_file() {
            lines.push(format!("{path} {}", file_digest(&path)?));
        }
        if lines.len() + open.len() > MOST {
            return None;
        }
    }
    Some(lines)
}
