//! Real processes: every way a test can end, and nothing left of it afterwards.

use super::how::{Exceeded, exceeded};
use super::*;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The compiled stand-in for a test binary.
fn probe() -> PathBuf {
    static PROBE: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = PROBE.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let (source, path) = (dir.path().join("probe.rs"), dir.path().join("probe"));
        std::fs::write(&source, include_str!("testdata/probe.rs")).unwrap();
        crate::process::Cmd::new("rustc").args(["--edition=2024", "-o"]).arg(&path).arg(&source).run().unwrap();
        (dir, path)
    });
    path.clone()
}

pub(crate) fn recorded(args: &[&str]) -> Recorded {
    let mut argv = vec![probe().into_os_string()];
    argv.extend(args.iter().map(std::ffi::OsString::from));
    let env = vec![("KEPT".into(), "yes".into()), ("TMPDIR".into(), "/users/own".into())];
    Recorded { argv, cwd: "/".into(), env, group: None, confinement: Confinement::Full, by_nextest: false }
}

struct Room {
    dir: tempfile::TempDir,
    worker: Worker,
    running: Arc<Running>,
}

fn room() -> Room {
    let dir = tempfile::tempdir().unwrap();
    let running = Arc::new(Running::default());
    let worker = Worker::new(dir.path(), 0, running.clone(), Sandbox::default()).unwrap();
    Room { dir, worker, running }
}

const GENEROUS: Limits = Limits { wall: Duration::from_secs(120), hits: None, memory: None };
const SHORT: Limits = Limits { wall: Duration::from_millis(300), ..GENEROUS };
/// For a parent that has to get somewhere before its time is up, on a busy machine.
const LONGER: Limits = Limits { wall: Duration::from_secs(2), ..GENEROUS };

fn run(args: &[&str], live: Live<'_>, limits: Limits) -> Ran {
    room().worker.run(&recorded(args), live, limits)
}

#[test]
fn each_way_to_end_is_told_apart() {
    let end = |args: &[&str]| run(args, Live::Off, GENEROUS).end;
    assert_eq!(end(&["pass"]), End::Passed);
    assert_eq!(end(&["exit", "3"]), End::Failed { code: 3 });
    assert_eq!(end(&["fail"]), End::Failed { code: 101 });
    assert_eq!(end(&["abort"]), End::Signal { number: 6 });
    assert_eq!(run(&["hang"], Live::Off, SHORT).end, End::TimedOut);
    let nowhere = Recorded { argv: vec!["/no/such/binary".into()], ..recorded(&[]) };
    assert!(matches!(room().worker.run(&nowhere, Live::Off, GENEROUS).end, End::CannotStart(_)));
}

#[test]
fn a_failure_has_its_words_and_a_pass_keeps_none() {
    let failed = run(&["fail"], Live::Off, GENEROUS);
    assert!(failed.began && failed.text().contains("on purpose"), "{}", failed.text());
    let passed = run(&["pass"], Live::Off, GENEROUS);
    assert!(passed.began && passed.output.is_empty());
}

#[test]
fn of_endless_output_the_end_is_kept_and_the_beginning_is_remembered() {
    let ran = run(&["chatter"], Live::Off, GENEROUS);
    assert!(ran.began && ran.output.len() == 64 * 1024 && ran.text().ends_with("line 39999\n"));
}

#[test]
fn a_test_that_ignores_the_request_to_end_is_killed() {
    assert_eq!(run(&["hang-deaf"], Live::Off, SHORT).end, End::TimedOut);
}

/// Waits for the end of a process that somebody else reaps, without looking again and again.
fn ends(id: &str) -> bool {
    let pid = Pid::from_raw(id.parse().unwrap()).unwrap();
    let Ok(fd) = pidfd_open(pid, PidfdFlags::empty()) else { return true };
    let timeout = Timespec { tv_sec: 30, tv_nsec: 0 };
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&timeout)).unwrap() == 1
}

#[test]
fn nothing_that_a_test_started_outlives_its_run() {
    let cases =
        [("hang", "leave", GENEROUS), ("hang", "hang", LONGER), ("hang-in-a-session-of-its-own", "hang", LONGER)];
    for (child, parent, limits) in cases {
        let mut room = room();
        let file = room.dir.path().join("child");
        room.worker.run(&recorded(&["parent", file.to_str().unwrap(), child, parent]), Live::Off, limits);
        assert!(ends(&std::fs::read_to_string(file).unwrap()), "{child} below a parent that should {parent}");
    }
}

#[test]
fn what_left_its_group_is_ended_with_the_last_worker() {
    let Room { mut worker, running, dir } = room();
    let file = dir.path().join("child");
    let test = recorded(&["parent", file.to_str().unwrap(), "hang-in-a-session-of-its-own", "leave"]);
    assert_eq!(worker.run(&test, Live::Off, GENEROUS).end, End::Passed);
    drop((worker, running));
    assert!(ends(&std::fs::read_to_string(file).unwrap()));
}

#[test]
fn a_file_that_grows_without_end_is_cut_off() {
    assert_eq!(run(&["flood"], Live::Off, GENEROUS).end, End::Signal { number: 25 });
}

#[test]
fn what_a_child_still_holds_open_does_not_keep_the_run_waiting() {
    let mut room = room();
    let file = room.dir.path().join("child");
    let ran = room.worker.run(&recorded(&["parent", file.to_str().unwrap(), "hang", "leave"]), Live::Off, GENEROUS);
    assert_eq!(ran.end, End::Passed);
}

#[test]
fn a_memory_limit_ends_the_test_and_is_named() {
    let limits = Limits { memory: Some(256 << 20), ..GENEROUS };
    let ran = run(&["eat-when-limited"], Live::Off, limits);
    assert_eq!(exceeded(&ran), Some(Exceeded::Memory), "{ran:?}");
    assert_eq!(run(&["eat"], Live::Off, GENEROUS).end, End::Passed);
    let free = Recorded { confinement: Confinement::Off, ..recorded(&["eat"]) };
    assert_eq!(room().worker.run(&free, Live::Off, limits).end, End::Passed);
}

#[test]
fn each_run_finds_its_temporary_directory_empty() {
    let mut room = room();
    for _ in 0..2 {
        let ran = room.worker.run(&recorded(&["litter"]), Live::Off, GENEROUS);
        assert_eq!(ran.end, End::Passed, "{}", ran.text());
    }
}

#[test]
fn the_recorded_environment_is_the_whole_environment() {
    let said = |test: Recorded| room().worker.run(&test, Live::Off, GENEROUS).text().into_owned();
    assert_eq!(said(recorded(&["env", "KEPT"])), "yes\n");
    assert_eq!(said(recorded(&["env", "PATH"])), "unset\n");
    assert_eq!(said(recorded(&["env", "RUST_BACKTRACE"])), "0\n");
    assert_ne!(said(recorded(&["env", "TMPDIR"])), "/users/own\n");
    assert_eq!(said(Recorded { confinement: Confinement::Off, ..recorded(&["env", "TMPDIR"]) }), "/users/own\n");
}

#[test]
fn a_live_mutant_is_switched_on_and_its_notes_are_read() {
    let off = run(&["mutated"], Live::Off, GENEROUS);
    assert_eq!((off.end, off.hit), (End::Passed, false));
    let on = run(&["mutated"], Live::Switch(1), GENEROUS);
    assert_eq!((on.end, on.hit, on.limit), (End::Failed { code: 101 }, true, false));
    let harmless = run(&["mutated"], Live::Switch(9), GENEROUS);
    assert_eq!((harmless.end, harmless.hit), (End::Passed, true));
    let endless = run(&["mutated"], Live::Switch(2), GENEROUS);
    assert_eq!(exceeded(&endless), Some(Exceeded::Hits));
}

#[test]
fn an_interruption_ends_a_running_test_at_once() {
    let Room { mut worker, running, dir } = room();
    let file = dir.path().join("child");
    let test = recorded(&["parent", file.to_str().unwrap(), "hang", "hang"]);
    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        sender.send(()).unwrap();
        worker.run(&test, Live::Off, GENEROUS)
    });
    receiver.recv().unwrap();
    while !thread.is_finished() {
        running.kill_all();
        std::thread::yield_now();
    }
    assert_eq!(thread.join().unwrap().end, End::Signal { number: 9 });
}
