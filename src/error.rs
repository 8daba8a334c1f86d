//! The one error type of the program: what was being done, to what, why it failed, what to do next.
//!
//! Every error that reaches `main` ends the run with [`crate::exit::Exit::Error`]: no verdict was reached.

use std::fmt;

/// A failure that ends the run without a verdict.
///
/// Renders as `could not <doing>: <why>` and, when there is one, `(hint: <next>)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    doing: String,
    why: String,
    hint: Option<String>,
}

/// Result with the program's own error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// `doing` completes "could not …" and names its object; `why` is the cause, lowercase.
    pub fn new(doing: impl Into<String>, why: impl fmt::Display) -> Self {
        Error { doing: doing.into(), why: why.to_string(), hint: None }
    }

    /// Adds what the user can do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The cause alone.
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not {}: {}", self.doing, self.why.trim_end())?;
        match &self.hint {
            Some(hint) => write!(f, "\n  (hint: {hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Adds "what was being done" to any error.
pub trait Context<T> {
    /// `doing` is evaluated only on failure; see [`Error::new`].
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: fmt::Display> Context<T> for std::result::Result<T, E> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|why| Error::new(doing(), why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_why_and_what_next() {
        let e = Error::new("read policy `.config/hunkmut.toml`", "unknown key `flor`").hint("did you mean `floor`?");
        assert_eq!(
            e.to_string(),
            "could not read policy `.config/hunkmut.toml`: unknown key `flor`\n  (hint: did you mean `floor`?)"
        );
    }

    #[test]
    fn context_keeps_the_cause() {
        let e = std::fs::read("/no/such/file").doing(|| "read `/no/such/file`".into()).unwrap_err();
        assert!(e.why().contains("No such file") || e.why().contains("cannot find"), "{e}");
    }
}
