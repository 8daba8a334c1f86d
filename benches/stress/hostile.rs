//! Mutants that delete, fill memory and disk, fork, and kill.

use super::Figure;
use super::repository::Repository;
use cargo_hunkmut::report::model::Verdict;

const LIB: &str = "use std::path::Path;

pub fn tidy(dir: &Path, allowed: bool) -> bool {
    if allowed {
        let _ = std::fs::remove_dir_all(dir);
    }
    allowed
}

pub fn memory(small: bool) -> usize {
    let bytes: Vec<u8> = vec![1; if small { 8 } else { 1 << 40 }];
    bytes.len()
}

pub fn disk(small: bool) -> u64 {
    let path = std::env::temp_dir().join(\"file\");
    let bytes = vec![7; 1 << 20];
    let mut file = std::fs::File::create(&path).unwrap();
    let pieces = if small { 1 } else { 1 << 20 };
    let mut written = 0;
    for _ in 0..pieces {
        written += std::io::Write::write(&mut file, &bytes).unwrap() as u64;
    }
    std::fs::remove_file(&path).unwrap();
    written
}

pub fn family(none: bool) -> u32 {
    let count = if none { 0 } else { 50 };
    for _ in 0..count {
        std::process::Command::new(\"setsid\").args([\"sleep\", \"600\"]).spawn().unwrap();
    }
    count
}

pub fn quit(parent: bool) -> u32 {
    if parent {
        let id = std::os::unix::process::parent_id().to_string();
        let _ = std::process::Command::new(\"kill\").args([\"-9\", &id]).status();
    }
    7
}
";

const TESTS: &str = "use std::path::Path;

#[test]
fn only_what_is_allowed_is_removed() {
    let kept = Path::new(env!(\"CARGO_MANIFEST_DIR\"));
    assert!(!bench::tidy(&kept.join(\"keep\"), false));
    assert!(!bench::tidy(kept, false));
    assert!(kept.join(\"keep/file.txt\").exists());
}

#[test]
fn a_little_memory() {
    assert_eq!(bench::memory(true), 8);
}

#[test]
fn a_little_disk() {
    assert_eq!(bench::disk(true), 1 << 20);
}

#[test]
fn no_family() {
    assert_eq!(bench::family(true), 0);
}

#[test]
fn nobody_is_killed() {
    assert_eq!(bench::quit(false), 7);
}
";

pub fn measure() -> Vec<Figure> {
    let repository = Repository::new(LIB, TESTS);
    let before = repository.state();
    let (_, report) = repository.judge(&[]);
    let odd = |verdict: Verdict| matches!(verdict, Verdict::Flaky | Verdict::Unverified);
    vec![
        Figure::none("changes in the user's tree", usize::from(repository.state() != before)),
        Figure::none(
            format!("of {} mutants without a verdict", report.counts.total),
            report.mutants.iter().filter(|mutant| odd(mutant.verdict)).count(),
        ),
        Figure::none("files left in the tests' temporary folders", left(&repository)),
        Figure::none("processes left behind", repository.strays()),
    ]
}

fn left(repository: &Repository) -> usize {
    let workers = std::fs::read_dir(repository.root().join("target/hunkmut/t")).into_iter().flatten().flatten();
    let tmp = workers.filter(|entry| entry.file_name().to_string_lossy().starts_with('t') && entry.path().is_dir());
    tmp.map(|entry| std::fs::read_dir(entry.path()).into_iter().flatten().count()).sum()
}
