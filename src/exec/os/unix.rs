//! Process groups, waiting with a limit but without polling, and resource limits.

use crate::exec::End;
use rustix::process::{Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

/// Mutants crash by design: neither this process nor those it starts leave core dumps from now on.
pub fn no_core_dumps() {
    let old = rustix::process::getrlimit(Resource::Core);
    let _ = rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: old.maximum });
}

/// The process that `command` starts leads a group of its own.
pub fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// Limits the address space of `child`, if asked to, and the size of each file that it writes, in bytes, and its
/// processor time. They hold
/// from soon after its start: set from outside, so that it can be started without a fork of this whole process.
#[cfg(target_os = "linux")]
pub fn cap(child: &Child, memory: Option<u64>, file: u64, seconds: u64) {
    let caps = [(Resource::As, memory), (Resource::Fsize, Some(file)), (Resource::Cpu, Some(seconds))];
    for (resource, bytes) in caps.into_iter().filter(|(_, bytes)| bytes.is_some()) {
        let limit = Rlimit { current: bytes, maximum: bytes };
        let _ = rustix::process::prlimit(Some(pid(child)), resource, limit);
    }
}

/// Not enforced here: the limits of another process cannot be set.
#[cfg(not(target_os = "linux"))]
pub fn cap(_child: &Child, _memory: Option<u64>, _file: u64, _seconds: u64) {}

/// A child that is being waited for; its process ID stays reserved until it is reaped.
pub enum Watch {
    /// Linux: readable once the process has ended.
    #[cfg(target_os = "linux")]
    Fd(std::os::fd::OwnedFd),
    /// Elsewhere, and on kernels before 5.3: a thread waits and says so.
    Thread(Receiver<()>),
}

impl Watch {
    /// Watches `child`, which must not have been reaped.
    pub fn new(child: &Child) -> std::io::Result<Watch> {
        #[cfg(target_os = "linux")]
        if let Ok(fd) = rustix::process::pidfd_open(pid(child), rustix::process::PidfdFlags::empty()) {
            return Ok(Watch::Fd(fd));
        }
        Watch::thread(child)
    }

    fn thread(child: &Child) -> std::io::Result<Watch> {
        let (sender, receiver) = channel();
        tell_end(child, move || {
            let _ = sender.send(());
        })?;
        Ok(Watch::Thread(receiver))
    }

    /// Blocks until the child has ended or `deadline` is reached; says whether it has ended.
    pub fn ended_by(&self, _child: &mut Child, deadline: Instant) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Watch::Fd(fd) => readable_by(fd, deadline),
            Watch::Thread(receiver) => {
                let left = deadline.saturating_duration_since(Instant::now());
                !matches!(receiver.recv_timeout(left), Err(RecvTimeoutError::Timeout))
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn readable_by(fd: &std::os::fd::OwnedFd, deadline: Instant) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(fd, PollFlags::IN)], timeout.as_ref()) {
            Ok(0) if Instant::now() >= deadline => return false,
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // an error other than an interruption cannot come from a valid descriptor; the reaping wait will block
            Ok(_) | Err(_) => return true,
        }
    }
}

/// Calls `then` once when the child has ended, from another thread. The child is left to be reaped by its owner, so
/// that its ID cannot name another process meanwhile.
pub fn tell_end(child: &Child, then: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let pid = pid(child);
    std::thread::Builder::new().name("wait".into()).spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = rustix::process::waitid(WaitId::Pid(pid), options) {}
        then();
    })?;
    Ok(())
}

/// Whether the child has ended; it stays to be reaped.
pub fn has_ended(child: &Child) -> std::io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Ok(rustix::process::waitid(WaitId::Pid(pid(child)), options)?.is_some())
}

/// Asks the child's group to end. The child must not have been reaped.
pub fn terminate_group(child: &mut Child) {
    let _ = rustix::process::kill_process_group(pid(child), Signal::TERM);
}

/// Ends the child's group: the child and what it left behind. The child must not have been reaped.
pub fn kill_group(child: &mut Child) {
    kill_group_of(child.id());
}

/// As [`kill_group`], by the ID of a child that has not been reaped.
pub fn kill_group_of(id: u32) {
    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
}

/// Kills processes that left their group, if a variable of their environment (`KEY=value`) begins with `marker`.
#[cfg(target_os = "linux")]
pub fn kill_strays(marker: &str) {
    // a stray may fork while being looked for
    for _ in 0..5 {
        let strays = marked(marker);
        if strays.is_empty() {
            return;
        }
        for pid in strays {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}

/// Kills what the tests of a program left behind that was itself killed: processes whose environment has the variable
/// `key` with the ID of a program that is no more, as `ID-…`.
#[cfg(target_os = "linux")]
pub fn kill_abandoned(key: &str) {
    let start = format!("{key}=");
    let is_abandoned = |environ: &[u8]| {
        let mut values = environ.split(|byte| *byte == 0).filter_map(|var| var.strip_prefix(start.as_bytes()));
        let owner =
            values.next().and_then(|value| std::str::from_utf8(value).ok()?.split('-').next()?.parse::<i32>().ok());
        owner
            .and_then(Pid::from_raw)
            .is_some_and(|owner| rustix::process::test_kill_process(owner) == Err(rustix::io::Errno::SRCH))
    };
    for pid in processes(is_abandoned) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Not found here.
#[cfg(not(target_os = "linux"))]
pub fn kill_abandoned(_key: &str) {}

#[cfg(target_os = "linux")]
fn marked(marker: &str) -> Vec<Pid> {
    processes(|environ| environ.split(|byte| *byte == 0).any(|var| var.starts_with(marker.as_bytes())))
}

/// The processes with such an environment, as far as this user may see it.
#[cfg(target_os = "linux")]
fn processes(has: impl Fn(&[u8]) -> bool) -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers
        .filter(|number| has(&std::fs::read(format!("/proc/{number}/environ")).unwrap_or_default()))
        .filter_map(Pid::from_raw)
        .collect()
}

/// Not found here: other processes' environments cannot be read.
#[cfg(not(target_os = "linux"))]
pub fn kill_strays(_marker: &str) {}

/// The bytes that may still be written to the file system of a folder; `None` when it does not say.
pub fn free_space(dir: &std::path::Path) -> Option<u64> {
    let said = rustix::fs::statvfs(dir).ok()?;
    Some(said.f_bavail.saturating_mul(said.f_frsize))
}

/// Translates an exit status.
pub fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(0), _) => End::Passed,
        (Some(code), _) => End::Failed { code },
        (None, Some(number)) => End::Signal { number },
        (None, None) => End::Failed { code: -1 },
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;
    use std::time::Duration;

    fn start(program: &str, args: &[&str]) -> Child {
        Command::new(program).args(args).stdin(Stdio::null()).process_group(0).spawn().unwrap()
    }

    #[test]
    fn the_thread_that_stands_in_for_a_pidfd_sees_the_end_and_leaves_the_child_to_be_reaped() {
        let mut child = start("/bin/true", &[]);
        let watch = Watch::thread(&child).unwrap();
        assert!(watch.ended_by(&mut child, Instant::now() + Duration::from_secs(60)));
        assert!(child.wait().unwrap().success());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_killed_program_left_behind_is_ended() {
        let mut gone = start("/bin/true", &[]);
        let id = gone.id();
        gone.wait().unwrap();
        let left = |owner: u32| {
            let mut command = Command::new("/bin/sleep");
            command.arg("600").env("HUNKMUT_TEST_OF_ABANDONED", format!("{owner}-0-"));
            command.stdin(Stdio::null()).process_group(0).spawn().unwrap()
        };
        let (mut abandoned, mut other) = (left(id), left(std::process::id()));
        // until it has become the other program, its environment is this one's
        while marked("HUNKMUT_TEST_OF_ABANDONED=").len() < 2 {
            std::thread::yield_now();
        }
        kill_abandoned("HUNKMUT_TEST_OF_ABANDONED");
        assert_eq!(end_of(abandoned.wait().unwrap()), End::Signal { number: 9 });
        assert!(other.try_wait().unwrap().is_none());
        kill_group(&mut other);
        other.wait().unwrap();
    }

    #[test]
    fn a_process_that_runs_on_is_reported_at_the_deadline_by_either_watch() {
        let mut child = start("/bin/sleep", &["600"]);
        for watch in [Watch::new(&child).unwrap(), Watch::thread(&child).unwrap()] {
            assert!(!watch.ended_by(&mut child, Instant::now()));
        }
        kill_group(&mut child);
        assert_eq!(end_of(child.wait().unwrap()), End::Signal { number: 9 });
    }
}
