//! `mod tests;`: a declaration that is gated or taken out takes all tests of its file with it, which itself need not
//! change.

use super::files::is_reached;
use super::pairs::ReadFile;
use super::read::{FileUnits, OuterModule, Unit};
use crate::compare::model::{Reason, Rule};
use crate::run::session::Session;
use crate::source::SourceFile;
use camino::Utf8Path;

/// Declarations of the base that the head gates, or does not have although their file is still there.
pub fn check(session: &Session, files: &[ReadFile], label: &dyn Fn(&ReadFile, &Unit) -> String) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for file in files {
        let (Some(old_path), Some(new_path)) = (&file.old_path, &file.new_path) else { continue };
        for before in &file.old.modules {
            let after = file.new.modules.iter().find(|module| module.path == before.path);
            let gate = after.and_then(|after| after.gates.difference(&before.gates).next());
            if after.is_some() && gate.is_none() {
                continue;
            }
            for path in candidates(old_path, before) {
                let Some(units) = tests_of(session, &path) else { continue };
                let reason = match (after, gate) {
                    (Some(after), Some(gate)) => {
                        let detail = format!("all tests of `{path}` are compiled only under `{gate}` now");
                        Reason::new(Rule::TestGated, detail).at(new_path, Some(after.line))
                    }
                    _ if is_reached(session, &path) => continue,
                    _ => {
                        let name = before.path.join("::");
                        let detail = format!("`mod {name};` is gone, and with it all tests of `{path}`");
                        Reason::new(Rule::TestDeleted, detail).at(new_path, None)
                    }
                };
                let there = ReadFile { new_path: Some(path.clone()), ..ReadFile::default() };
                let tests = units.units.iter().filter(|unit| unit.is_test).map(|unit| label(&there, unit)).collect();
                reasons.push(Reason { tests, ..reason });
            }
        }
    }
    reasons
}

/// Where the file of a module may lie.
fn candidates(declared_in: &str, module: &OuterModule) -> Vec<String> {
    let file = Utf8Path::new(declared_in);
    let dir = file.parent().unwrap_or(Utf8Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    let below = if ["mod", "lib", "main"].contains(&stem) { dir.to_owned() } else { dir.join(stem) };
    // A crate root of an integration test looks beside itself.
    let bases = [below, dir.to_owned()];
    let inside = module.path.join("/");
    let mut paths: Vec<String> = bases
        .iter()
        .flat_map(|base| [base.join(format!("{inside}.rs")), base.join(&inside).join("mod.rs")])
        .map(|path| path.into_string())
        .collect();
    paths.dedup();
    paths
}

/// The units of an unchanged file with tests in it.
fn tests_of(session: &Session, path: &str) -> Option<FileUnits> {
    if session.inputs.iter().any(|input| input.diff.path() == path) {
        return None;
    }
    let text = std::fs::read_to_string(session.comparison.tree.join(path)).ok()?;
    let units = FileUnits::of(&SourceFile::parse(path, text).ok()?);
    units.units.iter().any(|unit| unit.is_test).then_some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_looked_for_where_rustc_looks() {
        let module = |path: &[&str]| OuterModule {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            line: 1,
            gates: Default::default(),
        };
        assert!(candidates("src/lib.rs", &module(&["tests"])).contains(&"src/tests.rs".to_owned()));
        assert!(candidates("src/a.rs", &module(&["tests"])).contains(&"src/a/tests.rs".to_owned()));
        assert!(candidates("src/a.rs", &module(&["m", "tests"])).contains(&"src/a/m/tests/mod.rs".to_owned()));
    }
}
