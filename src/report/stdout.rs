//! Standard output carries the result, and only the result.

use crate::error::{Context, Result};
use std::io::{ErrorKind, Write};

/// Writes a rendered report to standard output; escape codes are passed on only with `color`.
///
/// A reader that has seen enough (`… | head`) is no failure of the run.
///
/// # Errors
/// When standard output cannot be written to for any other reason, a full disk for example.
pub fn print(text: &str, color: bool) -> Result<()> {
    let choice = if color { anstream::ColorChoice::Always } else { anstream::ColorChoice::Never };
    let mut out = anstream::AutoStream::new(std::io::stdout().lock(), choice);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.doing(|| "write the result to standard output".to_owned()),
    }
}
