//! One call of cargo, and what it says in JSON.

use super::Builder;
use crate::error::{Context, Error, Result};
use crate::process::Cmd;
use crate::wrapper::{MANIFEST_VARIABLE, Manifest};
use camino::Utf8PathBuf;
use cargo_metadata::Message;
use cargo_metadata::diagnostic::{DiagnosticLevel, DiagnosticSpan};
use std::collections::BTreeSet;
use std::ops::Range;

/// An error of the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code, e.g. `E0308`.
    pub code: Option<String>,
    /// Its first line.
    pub message: String,
    /// As rustc renders it.
    pub rendered: String,
    /// Where it points, the main places first.
    pub places: Vec<Place>,
}

/// A place that a diagnostic points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as the compiler names it.
    pub file: Utf8PathBuf,
    /// Bytes of the file that was compiled.
    pub bytes: Range<usize>,
    /// First line.
    pub line: u32,
    /// Whether this is the place of the error itself.
    pub primary: bool,
}

/// A build that did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildFailure {
    /// Errors of the compiler; empty when cargo itself gave up.
    pub errors: Vec<Diagnostic>,
    /// cargo's own words.
    pub said: String,
}

impl BuildFailure {
    /// The failure as the end of the run.
    pub fn into_error(self, doing: &str) -> Error {
        let rendered: Vec<&str> = self.errors.iter().map(|error| error.rendered.trim_end()).collect();
        let why =
            if rendered.is_empty() { self.said } else { format!("it does not compile\n{}", rendered.join("\n\n")) };
        Error::new(doing, why)
    }
}

impl Diagnostic {
    /// Reads a compiler message; `None` unless it is an error that points somewhere or says something.
    pub fn read(message: &cargo_metadata::diagnostic::Diagnostic) -> Option<Diagnostic> {
        if !matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) {
            return None;
        }
        if message.spans.is_empty() && message.message.starts_with("aborting due to") {
            return None;
        }
        let mut places = Vec::new();
        message.spans.iter().for_each(|span| collect(span, &mut places));
        for child in &message.children {
            child.spans.iter().for_each(|span| collect(span, &mut places));
        }
        places.sort_by_key(|place| !place.primary);
        Some(Diagnostic {
            code: message.code.as_ref().map(|code| code.code.clone()),
            message: message.message.clone(),
            rendered: message.rendered.clone().unwrap_or_else(|| message.message.clone()),
            places,
        })
    }
}

/// A span and the places it was expanded from.
fn collect(span: &DiagnosticSpan, places: &mut Vec<Place>) {
    places.push(Place {
        file: span.file_name.as_str().into(),
        bytes: span.byte_start as usize..span.byte_end as usize,
        line: span.line_start as u32,
        primary: span.is_primary,
    });
    if let Some(expansion) = &span.expansion {
        let mut from = Vec::new();
        collect(&expansion.span, &mut from);
        places.extend(from.into_iter().map(|place| Place { primary: span.is_primary, ..place }));
    }
}

impl Builder<'_> {
    /// The cargo command that builds the test targets in use; with a manifest, through the wrapper.
    pub(super) fn cargo(&self, manifest: Option<&Manifest>) -> Cmd {
        self.cargo_as(&["test", "--no-run"], &self.target_flags(), manifest)
    }

    /// The cargo command that checks, without code generation, all that `cargo test` would build of some packages.
    pub(super) fn cargo_check(&self, manifest: &Manifest, packages: &BTreeSet<usize>) -> Cmd {
        let packages = packages.iter().flat_map(|at| ["-p".to_owned(), self.workspace.packages[*at].id.clone()]);
        let kinds = ["--tests", "--examples"].map(str::to_owned);
        self.cargo_as(&["check"], &packages.chain(kinds).collect::<Vec<_>>(), Some(manifest))
    }

    fn cargo_as(&self, command: &[&str], choice: &[String], manifest: Option<&Manifest>) -> Cmd {
        let cargo = std::env::var_os("CARGO").filter(|cargo| !cargo.is_empty()).unwrap_or_else(|| "cargo".into());
        let mut cmd = Cmd::new(cargo)
            .args(command)
            .args(["--message-format=json", "--color=never"])
            .args(self.options.cargo_flags())
            .args(choice)
            .cwd(&self.workspace.root)
            .env("CARGO_TARGET_DIR", self.hunkmut_dir.join("target"));
        if let Some(dir) = self.build_dir {
            cmd = cmd.env("CARGO_BUILD_BUILD_DIR", dir);
        }
        if let Some(manifest) = manifest {
            cmd = cmd.env("RUSTC_WORKSPACE_WRAPPER", self.program).env(MANIFEST_VARIABLE, self.manifest_file());
            for (name, digest) in manifest.environment() {
                cmd = cmd.env(name, digest);
            }
        }
        cmd
    }

    /// `-p` and target flags for exactly the targets in use.
    fn target_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        for (package, target) in self.targets {
            let package = &self.workspace.packages[*package];
            let chosen = [["-p".to_owned(), package.id.clone()].to_vec(), package.targets[*target].flags()];
            for flag in chosen {
                if !flags.windows(flag.len()).any(|window| window == flag) {
                    flags.extend(flag);
                }
            }
        }
        flags
    }

    /// Runs cargo and collects its messages.
    ///
    /// # Errors
    /// When cargo cannot be started or the run ends first; a build that fails is the inner error.
    pub(super) fn run_cargo(&self, cmd: &Cmd) -> Result<std::result::Result<Vec<Message>, BuildFailure>> {
        let out = crate::exec::output(cmd, self.ending, None)?;
        let messages: Vec<Message> = Message::parse_stream(out.stdout.as_slice())
            .collect::<std::io::Result<_>>()
            .doing(|| format!("read what `{cmd}` printed"))?;
        if out.status.success() {
            return Ok(Ok(messages));
        }
        let errors = messages.iter().filter_map(|message| match message {
            Message::CompilerMessage(message) => Diagnostic::read(&message.message),
            _ => None,
        });
        let errors: Vec<Diagnostic> = errors.collect();
        Ok(Err(BuildFailure {
            errors,
            said: format!("`{cmd}` ended with {}\n{}", out.status, out.err_text().trim_end()),
        }))
    }

    /// Builds the unmutated tree through the wrapper, nothing woven: what cargo has to compile for the test targets in
    /// use is then just what the woven build has to compile, also where the user has built the tree already.
    ///
    /// # Errors
    /// As [`Builder::build_plain`].
    pub fn build_unwoven(&self) -> Result<Vec<Message>> {
        let manifest = self.lay(super::Texts::new(), false)?;
        let cmd = self.cargo(Some(&manifest));
        self.run_cargo(&cmd)?.map_err(|failure| failure.into_error("build the tests of the unmutated tree"))
    }

    /// Builds the test targets in use with text that has been woven before.
    ///
    /// # Errors
    /// As [`Builder::build_plain`].
    pub fn build_again(&self, texts: &super::Texts) -> Result<Vec<Message>> {
        let manifest = self.lay(texts.clone(), true)?;
        let cmd = self.cargo(Some(&manifest));
        self.run_cargo(&cmd)?.map_err(|failure| failure.into_error("build more tests with the same mutants"))
    }

    /// Builds the unmutated tree without the wrapper, as the user would.
    ///
    /// # Errors
    /// When cargo cannot be started, and when the tree does not compile, with the compiler's words.
    pub fn build_plain(&self) -> Result<Vec<Message>> {
        let cmd = self.cargo(None);
        self.run_cargo(&cmd)?.map_err(|failure| failure.into_error("build the tests of the unmutated tree"))
    }
}
