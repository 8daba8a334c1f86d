//! One run of the built program, as `cargo hunkmut` starts it.

use cargo_hunkmut::report::model::Report;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// No run of these small crates takes longer, unless it hangs.
const PATIENCE: Duration = Duration::from_secs(240);

/// What a run left behind.
pub struct Ran {
    pub line: String,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Everything the run said.
    pub fn said(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    /// The run as one would see it in a terminal, for the message of a failing test.
    pub fn transcript(&self) -> String {
        format!("$ {}\n{}\n{}\n[exit {:?}]", self.line, self.stdout.trim_end(), self.stderr.trim_end(), self.code)
    }

    /// Fails unless the run ended with `code` and said every one of `words`, in any case of letters.
    #[track_caller]
    pub fn ends(&self, code: i32, words: &[&str]) {
        let said = self.said().to_lowercase();
        let missing: Vec<_> = words.iter().filter(|w| !said.contains(&w.to_lowercase())).collect();
        assert!(
            self.code == Some(code) && missing.is_empty(),
            "wanted exit {code}, missing {missing:?}\n{}",
            self.transcript()
        );
    }
}

/// A command that knows nothing of the cargo, git and nextest that run this test.
pub fn clean(program: impl AsRef<OsStr>, dir: &Path) -> Command {
    let mut command = Command::new(program);
    for (key, _) in std::env::vars_os() {
        let name = key.to_string_lossy();
        let inherited = ["CARGO", "NEXTEST", "RUSTC", "RUSTFLAGS", "RUSTDOC", "RUST_", "GIT_", "HUNKMUT", "LD_LIBRARY"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        if inherited && name != "CARGO_HOME" {
            command.env_remove(&key);
        }
    }
    command
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
        .env("CARGO_NET_OFFLINE", "true")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    command
}

/// The built program, called as cargo calls a subcommand.
pub fn hunkmut(dir: &Path) -> Command {
    let mut command = clean(env!("CARGO_BIN_EXE_cargo-hunkmut"), dir);
    command.arg("hunkmut");
    if let Some(path) = super::nextest::path() {
        command.env("PATH", path);
    }
    command
}

/// Runs to the end; a run that hangs is ended and fails the test.
pub fn finish(mut command: Command) -> Ran {
    let line = format!("{command:?}");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.unwrap_or_else(|why| panic!("{line}: {why}"));
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(out) = receiver.recv_timeout(PATIENCE) else {
        // The default signal, so that the program can end what it started.
        let _ = Command::new("kill").arg(id.to_string()).status();
        panic!("{line}: still running after {PATIENCE:?}");
    };
    let out = out.unwrap_or_else(|why| panic!("{line}: {why}"));
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Ran { line, code: out.status.code(), stdout: text(&out.stdout), stderr: text(&out.stderr) }
}

/// The report of the last run in the workspace at `root`.
pub fn report(root: &Path) -> Option<Report> {
    report_at(&root.join("target/hunkmut/report"))
}

/// The report in a folder given with `--report-dir`.
pub fn report_at(dir: &Path) -> Option<Report> {
    let path: PathBuf = dir.join("report.json");
    let text = std::fs::read_to_string(&path).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display())))
}
