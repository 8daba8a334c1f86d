//! The switch that woven code asks. Compiled once per toolchain; std only, no dependency.
//!
//! Variables, read once per process (children inherit them):
//!   HUNKMUT_ACTIVE  the live mutant's switch value
//!   HUNKMUT_NOTES   file that gets `hit` on the first evaluation of the live mutant, and `limit` before an abort
//!   HUNKMUT_LIMIT   most evaluations of any switch while a mutant is live
//!   HUNKMUT_TRACE   file that gets (switch, count) as two little-endian u64 whenever a count reaches a power of two;
//!                   switch 0 stands for all evaluations together
#![forbid(unsafe_code)]

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
    let number = |key: &str| std::env::var(key).ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(active) = number("HUNKMUT_ACTIVE") {
        ACTIVE.store(active, Relaxed);
        LIMIT.store(number("HUNKMUT_LIMIT").unwrap_or(u64::MAX), Relaxed);
        MODE.store(LIVE, Relaxed);
    } else if std::env::var_os("HUNKMUT_TRACE").is_some() {
        MODE.store(TRACE, Relaxed);
    } else {
        MODE.store(OFF, Relaxed);
    }
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
    if let Some(path) = std::env::var_os(key) {
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
        let path = std::env::var_os("HUNKMUT_TRACE")?;
        OpenOptions::new().create(true).append(true).open(path).ok()
    });
    if let Some(mut file) = file.as_ref() {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&switch.to_le_bytes());
        bytes[8..].copy_from_slice(&count.to_le_bytes());
        let _ = file.write_all(&bytes);
    }
}
