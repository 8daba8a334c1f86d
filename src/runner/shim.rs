//! The program as nextest's target runner: runs one test, writes down how, and ends exactly as the test did.
//!
//! nextest calls it for listing as well; that, and everything without a folder to record into, passes straight
//! through.

use super::record::Started;
use crate::exec::End;
use crate::exec::channel::Channel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::Instant;

pub use crate::exec::{CHANNEL, RECORD_DIR};

/// Runs `command`: the user's own target runner, if any, the test binary, and its arguments.
///
/// A failure of the shim itself is told on standard error and ends with 2: no test harness ends so, and nextest
/// shows the words.
pub fn shim_main(command: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::from(run(command))
}

/// As [`shim_main`]; the exit code, if the process does not end in another way.
pub(super) fn run(command: impl IntoIterator<Item = OsString>) -> u8 {
    let argv: Vec<OsString> = command.into_iter().collect();
    let Some((program, args)) = argv.split_first() else {
        eprintln!("error: could not record a test: there is no command");
        return 2;
    };
    let mut test = Command::new(program);
    test.args(args).env_remove(RECORD_DIR).env_remove(CHANNEL);
    let dir = std::env::var_os(RECORD_DIR).map(PathBuf::from).filter(|_| args.iter().any(|arg| arg == "--exact"));
    let done = match dir {
        Some(dir) => recorded(&mut test, &argv, &dir),
        None => transparent(&mut test),
    };
    done.unwrap_or_else(|why| {
        eprintln!("error: could not record `{}`: {why}", program.to_string_lossy());
        2
    })
}

fn recorded(test: &mut Command, argv: &[OsString], dir: &Path) -> std::io::Result<u8> {
    let env: Vec<_> = std::env::vars_os().filter(|(key, _)| key != RECORD_DIR && key != CHANNEL).collect();
    let started = Started::write(dir, argv, &std::env::current_dir()?, &env)?;
    test.env(crate::exec::TRACE, started.trace());
    // nextest asks the whole group to end when its own limit is reached; the shim has to outlive the test
    let asked_to_end = os::outlive_requests_to_end();
    let begun = Instant::now();
    let channel = std::env::var_os(CHANNEL).and_then(|dir| Channel::open(Path::new(&dir)).ok());
    let run = |test: &mut Command| {
        let mut child = test.spawn()?;
        if let Some(channel) = &channel {
            let told = [(crate::exec::TRACE, started.trace().into_os_string())];
            channel.tell(child.id(), &told)?;
        }
        // nobody but this process, which starts one test only, could give the same ID to another
        let status = child.wait();
        channel.iter().for_each(|channel| {
            channel.forget(child.id());
            channel.close();
        });
        status
    };
    let status = match run(test) {
        Ok(status) => status,
        Err(why) => {
            started.end(&End::CannotStart(why.to_string()), begun.elapsed())?;
            return Err(why);
        }
    };
    // the test may be gone before the same request has reached the shim: whoever dies of it was asked as well
    let end = if asked_to_end() || os::obeyed_a_request(status) { End::TimedOut } else { os::end_of(status) };
    started.end(&end, begun.elapsed())?;
    Ok(os::end_like(status))
}

/// Becomes the command, where a process can.
#[cfg(unix)]
fn transparent(test: &mut Command) -> std::io::Result<u8> {
    Err(std::os::unix::process::CommandExt::exec(test))
}

#[cfg(not(unix))]
fn transparent(test: &mut Command) -> std::io::Result<u8> {
    test.status().map(os::end_like)
}

#[cfg(unix)]
mod os {
    use super::*;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use std::os::unix::process::ExitStatusExt;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// From now on, requests to end are remembered instead of obeyed; tells whether one came.
    pub fn outlive_requests_to_end() -> impl Fn() -> bool {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
            // it can only fail for signals that cannot be caught
            let _ = signal_hook::flag::register(signal, asked.clone());
        }
        move || asked.load(Ordering::SeqCst)
    }

    /// Whether it died of the signal that nextest ends tests with.
    pub fn obeyed_a_request(status: ExitStatus) -> bool {
        status.signal() == Some(SIGTERM)
    }

    pub fn end_of(status: ExitStatus) -> End {
        match (status.code(), status.signal()) {
            (Some(0), _) => End::Passed,
            (Some(code), _) => End::Failed { code },
            (None, number) => End::Signal { number: number.unwrap_or(0) },
        }
    }

    /// Ends by the same signal, without a second core dump.
    pub fn end_like(status: ExitStatus) -> u8 {
        if let Some(signal) = status.signal() {
            use rustix::process::{Resource, Rlimit, Signal, getpid, getrlimit, kill_process, setrlimit};
            let maximum = getrlimit(Resource::Core).maximum;
            let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum });
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            // what has no default handler to emulate
            if let Some(signal) = Signal::from_named_raw(signal) {
                let _ = kill_process(getpid(), signal);
            }
            return u8::try_from(128 + signal).unwrap_or(1);
        }
        status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
    }
}

#[cfg(not(unix))]
mod os {
    use super::*;

    /// Nothing of the kind here.
    pub fn outlive_requests_to_end() -> impl Fn() -> bool {
        || false
    }

    /// Nothing of the kind here.
    pub fn obeyed_a_request(_status: ExitStatus) -> bool {
        false
    }

    pub fn end_of(status: ExitStatus) -> End {
        match status.code() {
            Some(0) => End::Passed,
            code => End::Failed { code: code.unwrap_or(1) },
        }
    }

    /// Exit codes have 32 bits here, and crashes use them.
    pub fn end_like(status: ExitStatus) -> u8 {
        std::process::exit(status.code().unwrap_or(1))
    }
}
