//! Cost follows the patch, not the workspace: counted, because a clock says something else on a busy machine.

use crate::harness::program::{finish, hunkmut, report};
use crate::harness::{Fixture, Ran};
use std::collections::BTreeMap;
use std::path::Path;

/// What one run has done.
#[derive(Debug, PartialEq)]
struct Work {
    /// How often each crate was compiled or checked.
    compiled: BTreeMap<String, usize>,
    /// Woven files.
    woven: usize,
    mutants: usize,
    tests: usize,
    /// Test processes.
    processes: usize,
}

/// So many crates in a row, each using the one before; the patch is a function and its test in the first.
fn workspace(crates: usize) -> Fixture {
    let fixture = Fixture::unborn();
    fixture.write("Cargo.toml", "[workspace]\nresolver = \"2\"\nmembers = [\"crates/*\"]\n");
    fixture.write(".gitignore", "target/\n");
    for index in 0..crates {
        let package = format!("[package]\nname = \"c{index}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        let before = index.checked_sub(1);
        let uses = before.map(|at| format!("[dependencies]\nc{at} = {{ path = \"../c{at}\" }}\n")).unwrap_or_default();
        fixture.write(&format!("crates/c{index}/Cargo.toml"), &(package + &uses));
        fixture.write(&format!("crates/c{index}/src/lib.rs"), "pub fn n() -> u32 {\n    7\n}\n");
    }
    fixture.lock("");
    fixture.commit("base");
    fixture.git(&["checkout", "-q", "-b", "patch"]);
    let patched = "pub fn n() -> u32 {\n    7\n}\n\npub fn large(n: u32) -> bool {\n    n + 1 > 10\n}\n\n\
        #[cfg(test)]\nmod tests {\n    #[test]\n    fn ten_is_large_and_nine_is_not() {\n        \
        assert!(super::large(10) && !super::large(9));\n    }\n}\n";
    fixture.write("crates/c0/src/lib.rs", patched);
    fixture.commit("patch");
    fixture
}

/// Judges the patch with a compiler that counts.
#[cfg(unix)]
fn work(fixture: &Fixture) -> Work {
    let outside = fixture.root().parent().unwrap().to_owned();
    let (counting, log) = (outside.join("counting"), outside.join("compiled"));
    let script = format!(
        "#!/bin/sh\nfor word; do [ \"$before\" = --crate-name ] && echo \"$word\" >>'{}'; before=$word; done\nexec \"$@\"\n",
        log.display()
    );
    std::fs::write(&counting, script).unwrap();
    std::fs::set_permissions(&counting, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = hunkmut(&fixture.root());
    command.args(["--base", "main", "--evidence"]).arg(fixture.evidence());
    command.env("TMPDIR", fixture.temporary()).env("RUSTC_WRAPPER", &counting);
    let ran: Ran = finish(command);
    ran.ends(0, &[]);
    let report = report(&fixture.root()).unwrap();
    let mut compiled = BTreeMap::new();
    // cargo itself asks the compiler about its target under the name of `___`.
    for name in std::fs::read_to_string(&log).unwrap().lines().filter(|name| *name != "___") {
        *compiled.entry(name.to_owned()).or_default() += 1;
    }
    let runs = std::fs::read_to_string(fixture.evidence().join("runs.jsonl")).unwrap();
    Work {
        compiled,
        woven: ordinary_files(&fixture.root().join("target/hunkmut/shadow")),
        mutants: report.mutants.len(),
        tests: report.tests.baseline.len(),
        processes: runs.lines().count(),
    }
}

fn ordinary_files(dir: &Path) -> usize {
    let entries = std::fs::read_dir(dir).unwrap().map(Result::unwrap);
    entries
        .map(|entry| match entry.file_type().unwrap() {
            kind if kind.is_dir() => ordinary_files(&entry.path()),
            kind => usize::from(kind.is_file()),
        })
        .sum()
}

#[cfg(unix)]
#[test]
fn the_same_patch_is_the_same_work_in_ten_crates_and_in_a_hundred() {
    let (few, many) = (work(&workspace(10)), work(&workspace(100)));
    assert!(few.compiled.contains_key("c0") && few.mutants > 3 && few.processes > 3, "{few:?}");
    assert_eq!(few, many);
}
