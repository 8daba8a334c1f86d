//! A place where tests run one after the other: its temporary directory, its output file, its limits.

use super::channel::{self, Channel};
use super::notes::Notes;
use super::sandbox::Spawner;
use super::{Confinement, End, Live, Ran, Recorded, Running, Sandbox, os};
use crate::error::{Context, Result};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// How much of a failed test's output is kept.
const TAIL: u64 = 64 * 1024;
/// Where the harness's announcement is looked for.
const HEAD: usize = 4 * 1024;
/// The size of a file that a mutant which writes without end may reach; its output is one.
const LARGEST_FILE: u64 = 1 << 30;
/// A test that fails with less space than this may have failed for that.
const LITTLE_SPACE: u64 = 64 << 20;
/// With less space than this nothing can be run.
const NO_SPACE: u64 = 1 << 20;
/// How long a process group may take to end on request before it is killed.
const GRACE: Duration = Duration::from_millis(200);
/// nextest's number of the place where a test runs, which no other test has meanwhile; tests choose ports by it.
const SLOT: &str = "NEXTEST_TEST_GLOBAL_SLOT";
/// A limit that can be added to any instant.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// What a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Wall clock.
    pub wall: Duration,
    /// Site evaluations of one process while a mutant is live.
    pub hits: Option<u64>,
    /// Bytes of address space of one process (Linux; elsewhere not enforced).
    pub memory: Option<u64>,
}

/// One worker; two of them never share a file.
#[derive(Debug)]
pub struct Worker {
    /// The tests' `TMPDIR`, empty between runs.
    tmp: PathBuf,
    /// Beside it: output and notes.
    dir: PathBuf,
    index: usize,
    runs: u64,
    running: Arc<Running>,
    sandbox: Sandbox,
    /// For processes with a cleared environment; `None` where it cannot be opened.
    channel: Option<Channel>,
    /// Made when a test needs one.
    spawners: BTreeMap<Confinement, Spawner>,
}

impl Worker {
    /// A worker whose files lie in `scratch`. Keep `scratch` short: tests put Unix sockets into their `TMPDIR`, and
    /// a socket's path may have 107 bytes. `running` learns of every process while it runs.
    ///
    /// # Errors
    /// When the directories cannot be made.
    pub fn new(scratch: &Path, index: usize, running: Arc<Running>, sandbox: Sandbox) -> Result<Worker> {
        static CORES: Once = Once::new();
        CORES.call_once(os::no_core_dumps);
        let dir = scratch.join(format!("w{index}"));
        let tmp = scratch.join(format!("t{index}"));
        for made in [&dir, &tmp] {
            std::fs::create_dir_all(made).doing(|| format!("make the workers' directory `{}`", made.display()))?;
        }
        empty(&tmp);
        let channel = Channel::open(&scratch.join(channel::FOLDER)).ok();
        Ok(Worker { tmp, dir, index, runs: 0, running, sandbox, channel, spawners: BTreeMap::new() })
    }

    /// Runs `test` with `live` to its end, or to its limits, and ends everything that it started.
    pub fn run(&mut self, test: &Recorded, live: Live<'_>, limits: Limits) -> Ran {
        self.runs += 1;
        // a new file each time: something of an earlier run may still hold the old one
        let out = self.dir.join(format!("{}.out", self.runs));
        let notes = self.dir.join(format!("{}.notes", self.runs));
        let mut ran = self.run_into(test, live, limits, &out, &notes);
        ran.starved = !ran.end.passed() && os::free_space(&self.dir).is_some_and(|bytes| bytes < LITTLE_SPACE);
        let _ = std::fs::remove_file(&out);
        let _ = std::fs::remove_file(&notes);
        empty(&self.tmp);
        ran.disk_full = ran.starved && os::free_space(&self.dir).is_some_and(|bytes| bytes < NO_SPACE);
        ran
    }

    fn run_into(&mut self, test: &Recorded, live: Live<'_>, limits: Limits, out: &Path, notes: &Path) -> Ran {
        let marker = format!("{}{}.{}.", self.running.mark(), self.index, self.runs);
        let started = Instant::now();
        let ended = self.command(test, live, limits, notes, &marker).and_then(|mut command| {
            let output = File::options().create_new(true).read(true).append(true).open(out)?;
            command.stdout(output.try_clone()?).stderr(output.try_clone()?);
            if test.by_nextest {
                let records = self.records();
                let _ = std::fs::remove_dir_all(&records);
                std::fs::create_dir_all(&records)?;
                command.env(super::RECORD_DIR, records);
                if let Some(channel) = &self.channel {
                    command.env(super::CHANNEL, channel.dir());
                }
            }
            let told = told(&command);
            let mut child = self.spawner(test.confinement)?.spawn(command)?;
            if let Some(Err(why)) = self.channel.as_ref().map(|channel| channel.tell(child.id(), &told)) {
                os::kill_group(&mut child);
                child.wait()?;
                return Err(why);
            }
            if test.confinement == Confinement::Full {
                os::cap(&child, limits.memory, LARGEST_FILE, processor_time(limits.wall));
            }
            let end = self.to_the_end(&mut child, started, limits.wall)?;
            Ok((end, output))
        });
        let duration = started.elapsed();
        let (end, mut output) = match ended {
            Ok(ended) => ended,
            Err(why) => {
                return Ran { duration, ..Ran::cannot_start(why.to_string()) };
            }
        };
        let end = if test.by_nextest { self.told_end(end, &mut output) } else { end };
        if end == End::TimedOut {
            os::kill_strays(&format!("{}={marker}", super::RUN));
        }
        let noted = std::fs::read(notes).map(|bytes| Notes::parse(&bytes)).unwrap_or_default();
        let began = announced(&mut output);
        let output = if end.passed() { Vec::new() } else { tail(&mut output) };
        Ran { end, duration, hit: noted.hit, limit: noted.limit, began, output, ..Ran::cannot_start(String::new()) }
    }

    /// A file that tests may write to.
    pub fn trace_file(&self) -> PathBuf {
        self.dir.join("trace")
    }

    /// Where the shim of a nextest of this worker writes.
    fn records(&self) -> PathBuf {
        self.dir.join("records")
    }

    /// How the test ended that a nextest ran, which ended so itself.
    fn told_end(&self, nextest: End, output: &mut File) -> End {
        if nextest == End::TimedOut {
            return nextest;
        }
        let files = std::fs::read_dir(self.records()).into_iter().flatten().flatten().map(|entry| entry.path());
        let files: Vec<PathBuf> = files.collect();
        let with = |extension: &str| files.iter().find(|file| file.extension().is_some_and(|of| of == extension));
        match (with("end").and_then(|file| super::end_file::read(file)), with("run")) {
            (Some((end, _)), _) => end,
            // killed together with its shim
            (None, Some(_)) => End::TimedOut,
            (None, None) => {
                End::CannotStart(format!("nextest did not run it: {}", String::from_utf8_lossy(&tail(output))))
            }
        }
    }

    fn spawner(&mut self, confinement: Confinement) -> std::io::Result<&Spawner> {
        let own = || vec![self.tmp.clone(), self.dir.clone()];
        Ok(match self.spawners.entry(confinement) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let made = Spawner::new(&self.sandbox, confinement, own()).map_err(std::io::Error::other)?;
                entry.insert(made)
            }
        })
    }

    fn command(
        &self,
        test: &Recorded,
        live: Live<'_>,
        limits: Limits,
        notes: &Path,
        marker: &str,
    ) -> std::io::Result<Command> {
        let argv = test.argv_for(live);
        let (program, args) = argv.split_first().ok_or_else(|| std::io::Error::other("its record has no command"))?;
        let mut command = Command::new(program);
        command.args(args).current_dir(&test.cwd).env_clear().envs(test.env_for(live)).stdin(Stdio::null());
        command.env(super::RUN, marker);
        if test.var(SLOT).is_some() {
            command.env(SLOT, self.index.to_string());
        }
        if test.confinement != Confinement::Off {
            command.env(if cfg!(windows) { "TMP" } else { "TMPDIR" }, &self.tmp);
        }
        match live {
            Live::Traced(file) => {
                command.env(super::TRACE, file);
            }
            // the same variables, so that a test that looks at its environment sees no difference
            Live::Off | Live::Binaries(_) => {
                command.env(super::ACTIVE, "0");
            }
            Live::Switch(switch) => {
                command.env(super::ACTIVE, switch.to_string());
            }
        }
        command.env(super::NOTES, notes).env(super::LIMIT, limits.hits.unwrap_or(u64::MAX).to_string());
        os::own_group(&mut command);
        Ok(command)
    }

    /// Waits for the child, ends its group in any case, and reaps it.
    fn to_the_end(&self, child: &mut Child, started: Instant, wall: Duration) -> std::io::Result<End> {
        self.running.add(child);
        let watched = os::Watch::new(child).map(|watch| {
            let in_time = watch.ended_by(child, started + wall.min(FAR));
            if !in_time {
                os::terminate_group(child);
                watch.ended_by(child, Instant::now() + GRACE);
            }
            in_time
        });
        // before it is reaped: until then its ID cannot name another group
        os::kill_group(child);
        if let Some(channel) = &self.channel {
            channel.forget(child.id());
        }
        self.running.remove(child);
        let status = child.wait()?;
        Ok(if watched? { os::end_of(status) } else { End::TimedOut })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.channel.iter().for_each(Channel::close);
    }
}

/// What no process can use within its wall-clock limit, in seconds: it ends what runs on because this program was killed.
fn processor_time(wall: Duration) -> u64 {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    wall.as_secs().saturating_add(10).saturating_mul(processors)
}

/// The variables that woven code reads.
fn told(command: &Command) -> Vec<(&'static str, OsString)> {
    let of = |key: &'static str| {
        let value = command.get_envs().find(|(name, _)| *name == key)?.1?;
        Some((key, value.to_owned()))
    };
    [super::ACTIVE, super::TRACE, super::NOTES, super::LIMIT].into_iter().filter_map(of).collect()
}

fn announced(output: &mut File) -> bool {
    let mut head = [0; HEAD];
    let read = output.seek(SeekFrom::Start(0)).and_then(|_| output.read(&mut head)).unwrap_or(0);
    head[..read].split(|byte| *byte == b'\n').any(|line| line.starts_with(b"running 1 test"))
}

fn tail(output: &mut File) -> Vec<u8> {
    let length = output.metadata().map(|meta| meta.len()).unwrap_or(0);
    let mut bytes = Vec::new();
    let _ = output
        .seek(SeekFrom::Start(length.saturating_sub(TAIL)))
        .and_then(|_| output.take(TAIL).read_to_end(&mut bytes));
    bytes
}

/// Removes what a test left in its temporary directory. What cannot be removed stays: it is below the program's own
/// directory and harms nobody but a test that insists on an empty one.
fn empty(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        let _ = std::fs::create_dir_all(dir);
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let removed = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
        let _ = removed;
    }
}
