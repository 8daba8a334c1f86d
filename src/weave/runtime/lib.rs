//! The switch that woven code asks. Compiled once per toolchain; std only, no dependency.
//!
//! Variables, read once per process (children inherit them; one whose environment was cleared looks for the test above it
//! in the channel's folder, see `start`):
//!   HUNKMUT_ACTIVE  the live mutant's switch value, 0 for none
//!   HUNKMUT_NOTES   file that gets `hit` on the first evaluation of the live mutant, and `limit` before an abort
//!   HUNKMUT_LIMIT   most evaluations of any switch while a mutant is live
//!   HUNKMUT_TRACE   file that gets (switch, count) as two little-endian u64 whenever a count reaches a power of two;
//!                   switch 0 stands for all evaluations together
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const LIVE: u8 = 2;
const TRACE: u8 = 3;

static MODE: AtomicU8 = AtomicU8::new(UNKNOWN);
static ACTIVE: AtomicU64 = AtomicU64::new(0);
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static EVALUATIONS: AtomicU64 = AtomicU64::new(0);
static HITS: AtomicU64 = AtomicU64::new(0);
static TRACE_FILE: OnceLock<Option<File>> = OnceLock::new();
/// What the channel says, where the environment says nothing.
static TOLD: OnceLock<Vec<(String, OsString)>> = OnceLock::new();

/// Where the processes that start tests tell what they have started; see the program's `exec::channel`.
const CHANNEL: Option<&str> = option_env!("HUNKMUT_CHANNEL");

const SLOTS: usize = 1 << 16;
static KEYS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
static COUNTS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// Whether the mutant with this switch value is live.
#[inline(never)]
pub fn on(switch: u64) -> bool {
    match MODE.load(Relaxed) {
        OFF => false,
        LIVE => live(switch),
        TRACE => {
            trace(switch);
            false
        }
        _ => {
            start();
            on(switch)
        }
    }
}

#[cold]
fn start() {
    let number = |key: &str| var(key)?.to_str()?.parse::<u64>().ok();
    if let Some(active) = number("HUNKMUT_ACTIVE") {
        if active == 0 {
            return MODE.store(OFF, Relaxed);
        }
        ACTIVE.store(active, Relaxed);
        LIMIT.store(number("HUNKMUT_LIMIT").unwrap_or(u64::MAX), Relaxed);
        MODE.store(LIVE, Relaxed);
    } else if var("HUNKMUT_TRACE").is_some() {
        MODE.store(TRACE, Relaxed);
    } else {
        MODE.store(OFF, Relaxed);
    }
}

/// A variable of the environment; of the channel when the environment is not one of a test run.
fn var(key: &str) -> Option<OsString> {
    if std::env::var_os("HUNKMUT_RUN").is_some() {
        return std::env::var_os(key);
    }
    let told = TOLD.get_or_init(|| told().unwrap_or_default());
    std::env::var_os(key).or_else(|| told.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()))
}

/// Walks up to the test that this process belongs to. Outside of a run there is no such folder, and nothing is read.
#[cfg(target_os = "linux")]
fn told() -> Option<Vec<(String, OsString)>> {
    use std::os::unix::ffi::OsStringExt;
    let dir = std::path::Path::new(CHANNEL?);
    if !dir.is_dir() {
        return None;
    }
    let mut id = std::process::id();
    // 100 generations: the chain cannot be a ring, but it may be changing
    for _ in 0..100 {
        let parent = parent(id)?;
        if dir.join(format!("p{parent}")).exists() {
            let bytes = await_file(&dir.join(format!("c{id}")))?;
            let pairs = bytes.split(|byte| *byte == 0).filter_map(|pair| {
                let at = pair.iter().position(|byte| *byte == b'=')?;
                Some((String::from_utf8(pair[..at].to_vec()).ok()?, OsString::from_vec(pair[at + 1..].to_vec())))
            });
            return Some(pairs.collect());
        }
        id = parent;
    }
    None
}

#[cfg(not(target_os = "linux"))]
fn told() -> Option<Vec<(String, OsString)>> {
    None
}

/// The parent of a process; `None` at the top.
#[cfg(target_os = "linux")]
fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // after the name, which may hold anything but ends with the last bracket: state, parent
    let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
    (parent > 1).then_some(parent)
}

/// The file is written as soon as the test has been started: it may be a moment late.
#[cfg(target_os = "linux")]
fn await_file(path: &std::path::Path) -> Option<Vec<u8>> {
    for _ in 0..500 {
        if let Ok(bytes) = std::fs::read(path) {
            return Some(bytes);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    None
}

fn live(switch: u64) -> bool {
    if EVALUATIONS.fetch_add(1, Relaxed) >= LIMIT.load(Relaxed) {
        note("limit\n");
        std::process::abort();
    }
    if switch != ACTIVE.load(Relaxed) {
        return false;
    }
    if HITS.fetch_add(1, Relaxed) == 0 {
        note("hit\n");
    }
    true
}

#[cold]
fn note(text: &str) {
    append("HUNKMUT_NOTES", text.as_bytes());
}

fn append(key: &str, bytes: &[u8]) {
    if let Some(path) = var(key) {
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
            let _ = file.write_all(bytes);
        }
    }
}

fn trace(switch: u64) {
    record(0, EVALUATIONS.fetch_add(1, Relaxed) + 1);
    let mut slot = (switch ^ (switch >> 32)) as usize % SLOTS;
    for _ in 0..SLOTS {
        let key = KEYS[slot].load(Relaxed);
        if key == switch
            || (key == 0
                && match KEYS[slot].compare_exchange(0, switch, Relaxed, Relaxed) {
                    Ok(_) => true,
                    Err(now) => now == switch,
                })
        {
            return record(switch, COUNTS[slot].fetch_add(1, Relaxed) + 1);
        }
        slot = (slot + 1) % SLOTS;
    }
    record(switch, 1);
}

fn record(switch: u64, count: u64) {
    if !count.is_power_of_two() {
        return;
    }
    let file = TRACE_FILE.get_or_init(|| {
        let path = var("HUNKMUT_TRACE")?;
        OpenOptions::new().create(true).append(true).open(path).ok()
    });
    if let Some(mut file) = file.as_ref() {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&switch.to_le_bytes());
        bytes[8..].copy_from_slice(&count.to_le_bytes());
        let _ = file.write_all(&bytes);
    }
}
