//! Every mutant of the bundled crates, as one list that a person can read and a diff can show.
//!
//! `INSTA_UPDATE=always cargo test --test golden` writes it anew.

use cargo_hunkmut::catalog::{WalkOptions, registry, walk};
use cargo_hunkmut::source::SourceFile;
use std::path::{Path, PathBuf};

/// The production files of the bundled crates: heads of cases, and the demo.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut dirs = vec![root.join("cases"), root.join("demo")];
    let mut files = Vec::new();
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != "tests" {
                dirs.push(path);
            } else if name.ends_with(".rs") && path.components().any(|part| part.as_os_str() == "head") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn all_mutants_of_all_bundled_crates() {
    let operators: Vec<_> = registry().iter().collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut list = String::new();
    for path in sources() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let Ok(source) = SourceFile::parse(&name, text) else { continue };
        for located in walk(&source, &operators, &WalkOptions::default()).proposals {
            let p = &located.proposal;
            let at = source.lines.line_column(p.span.start);
            let off = if p.operator.default { "" } else { " (off)" };
            list += &format!(
                "{name}:{}:{} {}{off}: {} -> {}\n",
                at.line,
                at.column,
                p.operator.name,
                one_line(&source.text[p.span.clone()]),
                one_line(&p.replacement)
            );
        }
    }
    insta::assert_snapshot!("mutants", list);
}
