//! Without process groups: the process itself is waited for and killed; limits of memory are not enforced.

use crate::exec::End;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Nothing to prepare.
pub fn no_core_dumps() {}

/// Nothing to prepare.
pub fn own_group(_command: &mut Command) {}

/// Not enforced here.
pub fn cap(_child: &Child, _memory: Option<u64>, _file: u64, _seconds: u64) {}

/// Not found here.
pub fn kill_abandoned(_key: &str) {}

/// A child that is being waited for.
pub struct Watch;

impl Watch {
    /// Watches `child`.
    pub fn new(_child: &Child) -> std::io::Result<Watch> {
        Ok(Watch)
    }

    /// Whether the child ended before `deadline`. The standard library offers no wait with a limit here, so this
    /// looks every few milliseconds.
    pub fn ended_by(&self, child: &mut Child, deadline: Instant) -> bool {
        loop {
            match child.try_wait() {
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                Ok(None) => return false,
                Ok(Some(_)) | Err(_) => return true,
            }
        }
    }
}

/// Nobody tells here: whoever waits has to look.
pub fn tell_end(_child: &Child, then: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    then();
    Ok(())
}

/// Not known without reaping the child here; it is waited for.
pub fn has_ended(_child: &Child) -> std::io::Result<bool> {
    Ok(true)
}

/// There is no gentle way here.
pub fn terminate_group(_child: &mut Child) {}

/// Kills the process.
pub fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// Not possible here by ID alone; the run goes on to its limit.
pub fn kill_group_of(_id: u32) {}

/// Not found here.
pub fn kill_strays(_marker: &str) {}

/// Not asked here.
pub fn free_space(_dir: &std::path::Path) -> Option<u64> {
    None
}

/// Translates an exit status.
pub fn end_of(status: ExitStatus) -> End {
    match status.code() {
        Some(0) => End::Passed,
        Some(code) => End::Failed { code },
        None => End::Failed { code: -1 },
    }
}
