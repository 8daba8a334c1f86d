//! Every external command of the program goes through here: it prints as the line a person could type, and a
//! failure carries that line, the exit status and what the command said.

use crate::error::{Error, Result};
use camino::{Utf8Path, Utf8PathBuf};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};

/// A command that is still to be run.
#[derive(Debug, Clone)]
pub struct Cmd {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(OsString, Option<OsString>)>,
    cwd: Option<Utf8PathBuf>,
    stdin: Option<Vec<u8>>,
}

/// What a finished command left behind.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// All of its standard error, unless it was passed through.
    pub stderr: Vec<u8>,
}

impl Output {
    /// Standard output as text, broken bytes replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text, broken bytes replaced.
    pub fn err_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

impl Cmd {
    /// A command without arguments, in the current directory and environment.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Cmd { program: program.as_ref().to_owned(), args: Vec::new(), env: Vec::new(), cwd: None, stdin: None }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds several arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable for the command.
    pub fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((key.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Removes an environment variable for the command.
    pub fn env_remove(mut self, key: impl AsRef<OsStr>) -> Self {
        self.env.push((key.as_ref().to_owned(), None));
        self
    }

    /// Runs in this directory.
    pub fn cwd(mut self, dir: impl AsRef<Utf8Path>) -> Self {
        self.cwd = Some(dir.as_ref().to_owned());
        self
    }

    /// Feeds these bytes to standard input (otherwise it is empty).
    pub fn stdin(mut self, bytes: Vec<u8>) -> Self {
        self.stdin = Some(bytes);
        self
    }

    /// The standard library's builder for this command, with empty standard input.
    pub fn to_command(&self) -> Command {
        let mut c = Command::new(&self.program);
        c.args(&self.args).stdin(Stdio::null());
        for (key, value) in &self.env {
            match value {
                Some(value) => c.env(key, value),
                None => c.env_remove(key),
            };
        }
        if let Some(dir) = &self.cwd {
            c.current_dir(dir);
        }
        c
    }

    /// Runs to the end and captures both streams, whatever the exit status.
    ///
    /// # Errors
    /// Only when the program cannot be started or its streams cannot be read.
    pub fn output(&self) -> Result<Output> {
        let mut c = self.to_command();
        c.stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.stdin.is_some() {
            c.stdin(Stdio::piped());
        }
        let mut child = c.spawn().map_err(|why| self.cannot_start(why))?;
        let feeder = self.stdin.clone().zip(child.stdin.take()).map(|(bytes, mut pipe)| {
            std::thread::spawn(move || {
                // A command that stops reading early shows that in its status; the broken pipe adds nothing.
                let _ = pipe.write_all(&bytes);
            })
        });
        let out = child.wait_with_output().map_err(|why| self.cannot_start(why))?;
        if let Some(feeder) = feeder {
            let _ = feeder.join();
        }
        Ok(Output { status: out.status, stdout: out.stdout, stderr: out.stderr })
    }

    /// Runs to the end and wants success.
    ///
    /// # Errors
    /// When it cannot be started or ends with another status than 0; the error has its last words.
    pub fn run(&self) -> Result<Output> {
        let out = self.output()?;
        if out.status.success() { Ok(out) } else { Err(self.failed(&out)) }
    }

    /// The error that a finished, unsuccessful run stands for.
    pub fn failed(&self, out: &Output) -> Error {
        let said = out.err_text();
        let said = if said.trim().is_empty() { out.text() } else { said };
        Error::new(format!("run `{self}`"), format!("{}\n{}", out.status, said.trim_end()).trim_end())
    }

    fn cannot_start(&self, why: std::io::Error) -> Error {
        Error::new(format!("run `{self}`"), why)
    }
}

impl fmt::Display for Cmd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in &self.env {
            if let Some(value) = value {
                write!(f, "{}={} ", key.to_string_lossy(), quoted(&value.to_string_lossy()))?;
            }
        }
        write!(f, "{}", quoted(&self.program.to_string_lossy()))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(&arg.to_string_lossy())))
    }
}

/// A word as a POSIX shell wants it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_prints_as_one_could_type_it() {
        let cmd = Cmd::new("git").args(["diff", "--", "a file"]).env("LC_ALL", "C");
        assert_eq!(cmd.to_string(), "LC_ALL=C git diff -- 'a file'");
    }

    #[test]
    fn a_failure_carries_the_commands_last_words() {
        let e = Cmd::new("/bin/sh").args(["-c", "echo no luck >&2; exit 3"]).run().unwrap_err().to_string();
        assert!(e.contains("no luck") && e.contains("exit status: 3"), "{e}");
    }

    #[test]
    fn standard_input_reaches_the_command() {
        let out = Cmd::new("git").args(["hash-object", "--stdin"]).stdin(b"abc".to_vec()).run().unwrap();
        assert_eq!(out.text().trim(), "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f");
    }
}
