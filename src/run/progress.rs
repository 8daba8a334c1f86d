//! What a person sees on standard error while a run goes on: cargo-like status lines, and one live line: the time that has
//! gone by, or how far the mutants are.

use crate::campaign;
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

const HEAD: Style = AnsiColor::Green.on_default().bold();

/// Where progress goes.
#[derive(Debug)]
pub struct Progress {
    quiet: bool,
    bar: ProgressBar,
}

impl Progress {
    /// Progress on standard error; nothing when quiet, no live bar when it is not a terminal.
    pub fn new(quiet: bool, color: anstream::ColorChoice) -> Progress {
        color.write_global();
        let bar = ProgressBar::hidden();
        let progress = Progress { quiet, bar };
        if !quiet && std::io::stderr().is_terminal() {
            progress.bar.set_draw_target(ProgressDrawTarget::stderr());
            progress.wait();
            progress.bar.enable_steady_tick(Duration::from_millis(120));
        }
        progress
    }

    /// What has no count shows how long the run has been going on, below the line that says what it is doing.
    fn wait(&self) {
        let style = ProgressStyle::with_template("{spinner:>12} {elapsed}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        self.bar.set_style(style.tick_chars("-\\|/ "));
        self.bar.unset_length();
    }

    /// A status line as cargo prints them: a verb and its object.
    pub fn status(&self, verb: &str, what: &str) {
        if !self.quiet {
            self.bar.suspend(|| anstream::eprintln!("{HEAD}{verb:>12}{HEAD:#} {what}"));
        }
    }

    /// Opens the live bar for so many mutants.
    pub fn start(&self, total: usize) {
        let style = ProgressStyle::with_template("{prefix:>12.green.bold} [{bar:25}] {pos}/{len} ({eta}) {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar.reset_eta();
        self.bar.set_style(style.progress_chars("=> "));
        self.bar.set_prefix("Testing");
        self.bar.set_length(total as u64);
        self.bar.set_position(0);
    }

    /// Takes the bar away; the time goes on.
    pub fn finish(&self) {
        self.wait();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl campaign::Progress for Progress {
    fn done(&self, done: usize, killed: usize, survived: usize) {
        self.bar.set_position(done as u64);
        self.bar.set_message(format!("{killed} killed, {survived} survived"));
    }
}
