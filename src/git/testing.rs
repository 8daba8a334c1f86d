//! Temporary git repositories for tests, cut off from the configuration of whoever runs them.

use crate::process::Cmd;
use camino::{Utf8Path, Utf8PathBuf};

/// A repository in a temporary folder with one identity and the branch `main`.
pub(crate) struct TempRepo {
    _temp: tempfile::TempDir,
    pub root: Utf8PathBuf,
}

impl TempRepo {
    /// An empty one without a commit.
    pub fn unborn() -> TempRepo {
        let repo = TempRepo::empty_folder();
        repo.git(&["init", "-q", "-b", "main"]);
        repo.git(&["config", "user.name", "Test"]);
        repo.git(&["config", "user.email", "test@example.com"]);
        repo.git(&["config", "commit.gpgsign", "false"]);
        repo
    }

    /// One with these files committed.
    pub fn with(files: &[(&str, &str)]) -> TempRepo {
        let repo = TempRepo::unborn();
        repo.commit(files);
        repo
    }

    /// No repository at all.
    pub fn empty_folder() -> TempRepo {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(temp.path()).unwrap().canonicalize_utf8().unwrap();
        TempRepo { _temp: temp, root }
    }

    /// The program's view of it.
    pub fn open(&self) -> super::Repo {
        super::Repo::discover(&self.root).unwrap()
    }

    /// Runs git there and gives back what it prints, without the last line end.
    pub fn git(&self, args: &[&str]) -> String {
        git_in(&self.root, args)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.root.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.root.join(path)).unwrap();
    }

    /// Writes the files and commits everything.
    pub fn commit(&self, files: &[(&str, &str)]) -> String {
        for (path, text) in files {
            self.write(path, text);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "commit"]);
        self.git(&["rev-parse", "HEAD"])
    }
}

pub(crate) fn git_in(dir: &Utf8Path, args: &[&str]) -> String {
    let cmd = Cmd::new("git").args(["-c", "protocol.file.allow=always"]).args(args).cwd(dir);
    cmd.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .run()
        .unwrap()
        .text()
        .trim_end()
        .to_owned()
}
