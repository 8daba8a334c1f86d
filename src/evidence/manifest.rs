//! `manifest.sha256`: the digest of every file of a folder, in one canonical form, so that no byte of it is free.

use crate::error::{Context, Result};
use crate::report::atomic;
use crate::text::sha256;
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};

/// The manifest's own name.
pub const NAME: &str = "manifest.sha256";

/// Writes the manifest of the files in a folder.
///
/// # Errors
/// When a file cannot be read or the manifest not be written.
pub fn write(dir: &Utf8Path) -> Result<()> {
    let mut files = BTreeMap::new();
    for name in names(dir)? {
        let path = dir.join(&name);
        files.insert(name, sha256(atomic::bytes(&path)?));
    }
    atomic::write(&dir.join(NAME), text(&files).as_bytes())
}

/// What in a folder is not as its manifest says.
///
/// # Errors
/// When the folder or its manifest cannot be read.
pub fn check(dir: &Utf8Path) -> Result<Vec<String>> {
    let path = dir.join(NAME);
    let said = atomic::bytes(&path)?;
    let Some(files) = std::str::from_utf8(&said).ok().and_then(parse) else {
        return Ok(vec![format!("`{NAME}` is not in the form in which it was written")]);
    };
    let mut problems = Vec::new();
    let there: BTreeSet<String> = names(dir)?.into_iter().collect();
    for name in files.keys().filter(|name| !there.contains(*name)) {
        problems.push(format!("`{name}` is missing"));
    }
    for name in &there {
        let Some(wanted) = files.get(name) else {
            problems.push(format!("`{name}` is not in the manifest"));
            continue;
        };
        let path = dir.join(name);
        if sha256(atomic::bytes(&path)?) != *wanted {
            problems.push(format!("`{name}` was changed: its digest is another"));
        }
    }
    Ok(problems)
}

fn text(files: &BTreeMap<String, String>) -> String {
    files.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect()
}

/// The digests by name; `None` when the text is not exactly what [`text`] makes of them.
fn parse(said: &str) -> Option<BTreeMap<String, String>> {
    let pair = |line: &str| line.split_once("  ").map(|(digest, name)| (name.to_owned(), digest.to_owned()));
    let files: BTreeMap<String, String> = said.lines().map(pair).collect::<Option<_>>()?;
    (text(&files) == said).then_some(files)
}

/// Everything in the folder but the manifest; a folder in it counts as a file that nobody listed.
fn names(dir: &Utf8Path) -> Result<Vec<String>> {
    let doing = || format!("list `{dir}`");
    let mut names = Vec::new();
    for entry in dir.read_dir_utf8().doing(doing)? {
        let name = entry.doing(doing)?.file_name().to_owned();
        if name != NAME {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
