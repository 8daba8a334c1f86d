//! A small git repository with one crate, and runs of the program in it.

use cargo_hunkmut::report::model::Report;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// `main` is the base, `patch` (checked out) the head.
pub struct Repository {
    temp: tempfile::TempDir,
}

/// All that a run must leave as it is: the bytes of every file, and what git says.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    files: BTreeMap<PathBuf, Vec<u8>>,
    git: Vec<u8>,
}

impl Repository {
    /// A crate `bench` without code, then the library and the tests of the patch.
    pub fn new(lib: &str, tests: &str) -> Repository {
        let repository = Repository { temp: tempfile::tempdir().expect("a temporary folder") };
        repository.write("Cargo.toml", "[package]\nname = \"bench\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        repository.write(".gitignore", "target/\n");
        repository.write("src/lib.rs", "");
        repository.write("keep/file.txt", "kept\n");
        let lock = ["generate-lockfile", "--quiet", "--offline"];
        let made = Command::new("cargo").args(lock).current_dir(repository.root()).status().expect("cargo");
        assert!(made.success(), "cargo cannot write the lock file");
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit();
        repository.git(&["checkout", "-q", "-b", "patch"]);
        repository.write("src/lib.rs", lib);
        repository.write("tests/bench.rs", tests);
        repository.commit();
        repository
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "step"]);
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        self.temp.path()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn git(&self, args: &[&str]) -> Vec<u8> {
        let out = Command::new("git").args(args).current_dir(self.root()).output().expect("git");
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    }

    /// The program, judging the patch.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-hunkmut"));
        command.args(["hunkmut", "--base", "main", "-q", "--no-cache"]).args(args).current_dir(self.root());
        for (key, _) in std::env::vars_os() {
            let name = key.to_string_lossy();
            let of_others = ["CARGO_PKG", "CARGO_MANIFEST", "CARGO_TARGET", "CARGO_BUILD", "HUNKMUT"];
            if of_others.iter().any(|start| name.starts_with(start)) {
                command.env_remove(&key);
            }
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Runs it and reads its report.
    pub fn judge(&self, args: &[&str]) -> (Output, Report) {
        let out = self.command(args).output().expect("the program starts");
        match self.report() {
            Some(report) => (out, report),
            None => panic!("no report: {}", String::from_utf8_lossy(&out.stderr)),
        }
    }

    /// The report of the last run, if it is whole.
    pub fn report(&self) -> Option<Report> {
        let text = std::fs::read(self.root().join("target/hunkmut/report/report.json")).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Processes of its tests that are still there.
    pub fn strays(&self) -> usize {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let root = self.root().as_os_str().as_encoded_bytes();
        let is_ours = |environ: Vec<u8>| environ.windows(root.len()).any(|part| part == root);
        processes.filter(|entry| std::fs::read(entry.path().join("environ")).is_ok_and(is_ours)).count()
    }

    /// What must not change.
    pub fn state(&self) -> State {
        let mut files = BTreeMap::new();
        collect(self.root(), &mut files);
        let git = [
            &["status", "--porcelain=v2", "--branch"][..],
            &["for-each-ref"],
            &["stash", "list"],
            &["worktree", "list", "--porcelain"],
        ];
        State { files, git: git.iter().flat_map(|args| self.git(args)).collect() }
    }
}

fn collect(dir: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with(".git") && !path.ends_with("target") {
                collect(&path, files);
            }
        } else {
            files.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
        }
    }
}
