//! The example as a git repository with two branches, the same to the byte on every machine.

use super::files::{BASE, BETTER_TESTS, File, PATCH, TESTS};
use crate::error::{Context, Error, Result};
use crate::exit::Exit;
use crate::process::Cmd;
use camino::{Utf8Path, Utf8PathBuf};
use std::fmt::Write;

/// Where git looks for no configuration.
const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// The example's author and committer, and when: fixed, so that the commit IDs are.
const IDENTITY: [(&str, &str); 6] = [
    ("GIT_AUTHOR_NAME", "Hunkmut Demo"),
    ("GIT_AUTHOR_EMAIL", "demo@example.com"),
    ("GIT_AUTHOR_DATE", "2026-01-01T12:00:00Z"),
    ("GIT_COMMITTER_NAME", "Hunkmut Demo"),
    ("GIT_COMMITTER_EMAIL", "demo@example.com"),
    ("GIT_COMMITTER_DATE", "2026-01-01T12:00:00Z"),
];

/// What a git hook or a shell may have set, and what would lead git to another repository or configuration.
const REDIRECTIONS: [&str; 10] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DEFAULT_HASH",
    "GIT_TEMPLATE_DIR",
];

/// The example, written to disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoRepo {
    /// The root of the repository and of its only crate. `patch` is checked out there.
    pub root: Utf8PathBuf,
    /// The branch that the patch starts from.
    pub base: &'static str,
    /// The branch with the patch.
    pub head: &'static str,
}

/// Writes the example to `dir`, or to a new folder below the system's temporary one. It stays there.
///
/// # Errors
/// When `dir` exists and holds something, when it cannot be written, or when git cannot be run.
pub fn write(dir: Option<&Utf8Path>) -> Result<DemoRepo> {
    let root = match dir {
        Some(dir) => empty_folder(dir)?,
        None => temporary_folder()?,
    };
    let repo = DemoRepo { root, base: "main", head: "patch" };
    repo.git(&["init", "--quiet", "--template="])?;
    // Spelled so that it also works where git is older than `init --initial-branch`.
    repo.git(&["symbolic-ref", "HEAD", "refs/heads/main"])?;
    repo.commit(BASE, "Price of a day in the car park")?;
    repo.git(&["checkout", "--quiet", "-b", repo.head])?;
    repo.commit(PATCH, "Free minutes, long stays, residents and prepaid cards")?;
    Ok(repo)
}

impl DemoRepo {
    /// What to read after the run: where the example is, how to repeat the run, and which tests would make it pass.
    ///
    /// `report_dir` is where the run left its report, `exit` the code that the run itself would have ended with,
    /// `program` the way to call this program (see [`super::program`]).
    pub fn where_to_look(&self, report_dir: &Utf8Path, exit: Exit, program: &Cmd) -> String {
        let mut text = String::new();
        let mut line = |s: String| writeln!(text, "{s}").expect("a string takes every line");
        let DemoRepo { root, base, head } = self;
        line(String::new());
        line(format!("That was `cargo hunkmut --base {base}`; on this patch it ends with exit code {}.", exit.code()));
        line(String::new());
        line(format!("  the example   {root}   (`git diff {base} {head}` shows its patch)"));
        line(format!("  the report    {}", report_dir.join("report.md")));
        line(format!("                {}", report_dir.join("report.json")));
        let again = program.clone().arg("--manifest-path").arg(root.join("Cargo.toml")).args(["--base", base]);
        line(format!("  once more     {again}"));
        line(String::new());
        line(format!("These tests at the end of {} make it pass:", root.join(TESTS)));
        BETTER_TESTS.lines().for_each(|l| line(format!("    {l}").trim_end().to_owned()));
        text
    }

    fn commit(&self, files: &[File], message: &str) -> Result<()> {
        for (path, text) in files {
            let file = self.root.join(path);
            let folder = file.parent().expect("a file of the example lies in a folder");
            std::fs::create_dir_all(folder).doing(|| format!("create `{folder}`"))?;
            // A checkout with `core.autocrlf` puts other line ends into the binary.
            std::fs::write(&file, text.replace("\r\n", "\n")).doing(|| format!("write `{file}`"))?;
        }
        self.git(&["add", "--all", "--force", "."])?;
        self.git(&["commit", "--quiet", "--no-verify", "--message", message])
    }

    /// Git in the example, deaf to the configuration of whoever runs it.
    fn git(&self, args: &[&str]) -> Result<()> {
        let hooks = format!("core.hooksPath={NOWHERE}");
        let mut git = Cmd::new("git").cwd(&self.root);
        for setting in [&*hooks, "commit.gpgSign=false", "core.autocrlf=false", "core.fileMode=false"] {
            git = git.args(["-c", setting]);
        }
        git = git.args(args).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", NOWHERE);
        for (key, value) in IDENTITY {
            git = git.env(key, value);
        }
        for key in REDIRECTIONS {
            git = git.env_remove(key);
        }
        git.run().map(drop)
    }
}

fn empty_folder(dir: &Utf8Path) -> Result<Utf8PathBuf> {
    let doing = || format!("write the example to `{dir}`");
    std::fs::create_dir_all(dir).doing(doing)?;
    if std::fs::read_dir(dir).doing(doing)?.next().is_some() {
        return Err(Error::new(doing(), "the folder is not empty").hint("name a new folder with `--dir`"));
    }
    dir.canonicalize_utf8().doing(doing)
}

fn temporary_folder() -> Result<Utf8PathBuf> {
    let doing = || "make a temporary folder for the example".to_owned();
    let folder = tempfile::Builder::new().prefix("hunkmut-demo-").tempdir().doing(doing)?.keep();
    let folder = folder.canonicalize().doing(doing)?;
    Utf8PathBuf::from_path_buf(folder)
        .map_err(|path| Error::new(doing(), format!("{} is not UTF-8", path.display())).hint("use `--dir`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(repo: &DemoRepo, args: &[&str]) -> String {
        Cmd::new("git").args(args).cwd(&repo.root).run().unwrap().text().trim_end().to_owned()
    }

    fn temporary() -> (tempfile::TempDir, DemoRepo) {
        let temp = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(temp.path()).unwrap().join("new");
        let repo = write(Some(&dir)).unwrap();
        (temp, repo)
    }

    #[test]
    fn two_examples_have_the_same_commits() {
        let ((_a, one), (_b, two)) = (temporary(), temporary());
        let ids = |repo| ask(repo, &["rev-parse", "main", "patch"]);
        assert_eq!(ids(&one), ids(&two));
    }

    #[test]
    fn the_patch_is_checked_out_and_one_commit_ahead_of_main() {
        let (_temp, repo) = temporary();
        assert_eq!(ask(&repo, &["branch", "--show-current"]), repo.head);
        assert_eq!(ask(&repo, &["rev-list", "--count", "main..patch"]), "1");
        assert_eq!(ask(&repo, &["diff", "--name-only", "main", "patch"]), "src/lib.rs\ntests/price.rs");
        assert_eq!(ask(&repo, &["status", "--porcelain"]), "");
    }

    #[test]
    fn a_folder_in_use_is_left_alone() {
        let temp = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(temp.path()).unwrap();
        std::fs::write(dir.join("mine"), "x").unwrap();
        let e = write(Some(dir)).unwrap_err().to_string();
        assert!(e.contains("not empty") && e.contains("--dir"), "{e}");
        assert_eq!(std::fs::read_dir(dir).unwrap().count(), 1);
    }

    #[test]
    fn the_closing_words_name_the_report_the_repository_and_the_missing_tests() {
        let repo = DemoRepo { root: "/a demo".into(), base: "main", head: "patch" };
        let said = repo.where_to_look("/r/report".into(), Exit::Hold, &Cmd::new("cargo").arg("hunkmut"));
        for word in
            ["exit code 3", "/r/report/report.md", "cargo hunkmut --manifest-path '/a demo/Cargo.toml' --base main"]
        {
            assert!(said.contains(word), "{word} in {said}");
        }
        assert!(said.contains("fn the_last_free_minute_is_free()"));
    }
}
