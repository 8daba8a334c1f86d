//! A git repository in a temporary folder, cut off from the configuration of whoever runs the tests.

use super::program::{Ran, clean, finish, hunkmut};
use std::path::{Path, PathBuf};

pub struct Fixture {
    temp: tempfile::TempDir,
}

impl Fixture {
    /// A folder that is no repository.
    pub fn folder() -> Fixture {
        let fixture = Fixture { temp: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(fixture.root()).unwrap();
        std::fs::create_dir_all(fixture.temporary()).unwrap();
        fixture
    }

    /// A repository without a commit, on the branch `main`.
    pub fn unborn() -> Fixture {
        let fixture = Fixture::folder();
        fixture.git(&["init", "-q", "-b", "main"]);
        for (key, value) in [("user.name", "A. Writer"), ("user.email", "writer@example.com")] {
            fixture.git(&["config", key, value]);
        }
        fixture
    }

    /// A small crate `counter` on `main`, and on `patch` one more function with one good test.
    pub fn counter() -> Fixture {
        let fixture = Fixture::unborn();
        fixture.crate_files("counter", "pub fn zero() -> u32 {\n    0\n}\n");
        fixture.commit("base");
        fixture.git(&["checkout", "-q", "-b", "patch"]);
        fixture.grow_counter();
        fixture.commit("patch");
        fixture
    }

    /// The patch of [`Fixture::counter`], not committed.
    pub fn grow_counter(&self) {
        let text = "pub fn zero() -> u32 {\n    0\n}\n\npub fn next(n: u32) -> u32 {\n    n + 1\n}\n";
        self.write("src/lib.rs", text);
        let test = "#[test]\nfn one_follows_zero() {\n    assert_eq!(counter::next(counter::zero()), 1);\n}\n";
        self.write("tests/next.rs", test);
    }

    /// A manifest, a lock file, a `.gitignore` and a library.
    pub fn crate_files(&self, name: &str, lib: &str) {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        self.write("Cargo.toml", &manifest);
        self.write("src/lib.rs", lib);
        self.write(".gitignore", "target/\n");
        self.lock("");
    }

    /// Has cargo write the lock file of the workspace in a folder of the repository.
    pub fn lock(&self, folder: &str) {
        let mut cargo = clean("cargo", &self.root().join(folder));
        cargo.args(["generate-lockfile", "--quiet", "--offline"]);
        let ran = finish(cargo);
        assert_eq!(ran.code, Some(0), "{}", ran.transcript());
    }

    /// The root of the repository.
    pub fn root(&self) -> PathBuf {
        // A space, because paths have them.
        self.temp.path().canonicalize().unwrap().join("a repo")
    }

    /// Where the program's runs find `TMPDIR`.
    pub fn temporary(&self) -> PathBuf {
        self.temp.path().join("tmp")
    }

    /// Where a case leaves its evidence: outside of the repository.
    pub fn evidence(&self) -> PathBuf {
        self.temp.path().join("evidence")
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.root().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
    }

    /// Lays a folder of files over the repository, or over a folder of it.
    pub fn overlay(&self, from: &Path, folder: &str) {
        fn copy(from: &Path, to: &Path) {
            std::fs::create_dir_all(to).unwrap();
            for entry in std::fs::read_dir(from).unwrap_or_else(|why| panic!("{}: {why}", from.display())) {
                let entry = entry.unwrap();
                let to = to.join(entry.file_name());
                if entry.file_type().unwrap().is_dir() {
                    copy(&entry.path(), &to);
                } else {
                    std::fs::write(&to, std::fs::read(entry.path()).unwrap()).unwrap();
                }
            }
        }
        copy(from, &self.root().join(folder));
    }

    /// Runs git there and gives back what it prints, without the last line end.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let mut git = clean("git", &self.root());
        git.args(["-c", "protocol.file.allow=always"]).args(args);
        let ran = finish(git);
        assert_eq!(ran.code, Some(0), "{}", ran.transcript());
        ran.stdout.trim_end().to_owned()
    }

    /// Commits everything there is and gives back the commit's ID.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs the program in a folder of the repository.
    pub fn hunkmut_in(&self, folder: &str, args: &[&str]) -> Ran {
        let mut command = hunkmut(&self.root().join(folder));
        command.args(args).env("TMPDIR", self.temporary());
        finish(command)
    }

    /// Runs the program at the root of the repository.
    pub fn hunkmut(&self, args: &[&str]) -> Ran {
        self.hunkmut_in("", args)
    }
}
