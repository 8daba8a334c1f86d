//! Long commands (cargo, nextest, listing binaries) that end with the run.
//!
//! A build may take minutes: the budget and a Ctrl-C hold for it as for a test. The command leads a process group of
//! its own, is asked to end, and is killed with its group if it does not.

use super::{Ending, RUN, os};
use crate::error::{Error, Result};
use crate::process::{Cmd, Output};
use std::io::Read;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a command may take to end on request: nextest passes the request on to its tests.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a command (without standard input) to its end or to the run's, and captures both streams. With a `mark`, every
/// process that it starts carries `HUNKMUT_RUN=<mark>`, and what is left of them when the run ends early is killed.
///
/// # Errors
/// When it cannot be started, and when the run ended first.
pub fn output(cmd: &Cmd, ending: &Ending, mark: Option<&str>) -> Result<Output> {
    let failed = |why: &dyn std::fmt::Display| Error::new(format!("run `{cmd}`"), why);
    if ending.reached() {
        return Err(failed(&"the run has ended"));
    }
    let mut command = cmd.to_command();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(mark) = mark {
        command.env(RUN, mark);
    }
    os::own_group(&mut command);
    let mut child = command.spawn().map_err(|why| failed(&why))?;
    let streams = (reader(child.stdout.take()), reader(child.stderr.take()));
    let in_time = ended_in_time(&mut child, ending).map_err(|why| failed(&why))?;
    let status = child.wait().map_err(|why| failed(&why))?;
    if !in_time {
        if let Some(mark) = mark {
            os::kill_strays(&format!("{RUN}={mark}"));
        }
        return Err(failed(&"the run ended first"));
    }
    let whole = |reader: std::thread::JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    Ok(Output { status, stdout: whole(streams.0), stderr: whole(streams.1) })
}

fn reader(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still what the command said.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        bytes
    })
}

/// Waits for the child; says whether it ended before the run did. Ends its group otherwise.
fn ended_in_time(child: &mut Child, ending: &Ending) -> std::io::Result<bool> {
    let (sender, receiver) = ending.requests();
    os::tell_end(child, move || {
        let _ = sender.send(());
    })?;
    if waited(&receiver, ending.deadline()) && !ending.reached() {
        return Ok(true);
    }
    if ended(child)? && !ending.reached() {
        return Ok(true);
    }
    os::terminate_group(child);
    let grace = Instant::now() + GRACE;
    while !ended(child)? && waited(&receiver, Some(grace)) {}
    os::kill_group(child);
    Ok(false)
}

/// Waits for a message; `false` when `until` came first.
fn waited(receiver: &Receiver<()>, until: Option<Instant>) -> bool {
    match until {
        None => receiver.recv().is_ok(),
        Some(until) => {
            let left = until.saturating_duration_since(Instant::now());
            !matches!(receiver.recv_timeout(left), Err(RecvTimeoutError::Timeout))
        }
    }
}

fn ended(child: &Child) -> std::io::Result<bool> {
    os::has_ended(child)
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::ending::Cause;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_command_that_ends_by_itself_has_both_streams_and_its_status() {
        let cmd = Cmd::new("/bin/sh").args(["-c", "echo out; echo err >&2; exit 3"]);
        let out = output(&cmd, &Ending::default(), None).unwrap();
        assert_eq!((out.status.code(), out.text().as_str(), out.err_text().as_str()), (Some(3), "out\n", "err\n"));
    }

    #[test]
    fn the_budget_ends_a_command_and_what_it_started() {
        let ending = Ending::at(Some(Instant::now() + Duration::from_millis(100)));
        let started = Instant::now();
        // the child of the shell would keep the streams open
        let cmd = Cmd::new("/bin/sh").args(["-c", "/bin/sleep 600 & /bin/sleep 600"]);
        assert!(output(&cmd, &ending, None).is_err());
        assert!(started.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_command_that_does_not_heed_the_request_is_killed() {
        let ending = Arc::new(Ending::default());
        let (dir, asked) = (tempfile::tempdir().unwrap(), ending.clone());
        let ready = dir.path().join("ready");
        let cmd = Cmd::new("/bin/sh")
            .args(["-c", "trap '' TERM; /usr/bin/mkfifo $0; echo > $0; while :; do /bin/sleep 600; done"]);
        let cmd = cmd.arg(&ready);
        let running = std::thread::spawn(move || output(&cmd, &asked, None));
        // opening the other end of the pipe waits until the shell is deaf
        while std::fs::read(&ready).is_err() {
            std::thread::yield_now();
        }
        ending.stop(Cause::Interrupted);
        assert!(running.join().unwrap().is_err());
    }

    #[test]
    fn after_the_end_nothing_is_started() {
        let ending = Ending::at(Some(Instant::now()));
        assert!(output(&Cmd::new("/no/such/program"), &ending, None).unwrap_err().to_string().contains("has ended"));
    }
}
