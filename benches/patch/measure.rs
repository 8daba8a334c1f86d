//! Seconds, CPU seconds and memory of a child process, and what a finished run says of itself.

use serde_json::Value;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a command cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Wall clock.
    pub seconds: f64,
    /// CPU time of it and of everything that it waited for.
    pub cpu: f64,
}

/// A finished run of the program.
pub struct Run {
    /// What it cost.
    pub cost: Cost,
    /// Most memory that the program's own process held.
    pub memory_mib: f64,
    /// Its `report.json`.
    pub report: Value,
    /// What `--timings` printed.
    pub timings: String,
}

impl Run {
    /// Seconds of a phase.
    pub fn phase(&self, name: &str) -> f64 {
        self.report["timings_ms"][name].as_f64().unwrap_or(0.0) / 1e3
    }

    /// How many mutants it judged.
    pub fn mutants(&self) -> usize {
        self.report["mutants"].as_array().map_or(0, Vec::len)
    }

    /// How many tests the delta has.
    pub fn tests(&self) -> usize {
        self.report["tests"]["delta"].as_array().map_or(0, Vec::len)
    }

    /// How many mutants no switch could hold.
    pub fn rebuilt(&self) -> usize {
        let mutants = self.report["mutants"].as_array();
        mutants.into_iter().flatten().filter(|mutant| mutant["engine"] == "rebuilt").count()
    }
}

/// The middle one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs a command to its end, quietly, and measures it. The exit code is for the caller to judge.
pub fn run(command: &mut Command) -> std::io::Result<(Cost, f64, std::process::Output)> {
    let before = children_cpu();
    let started = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let watch = Watch::of(&child);
    let output = child.wait_with_output()?;
    let cost = Cost { seconds: started.elapsed().as_secs_f64(), cpu: children_cpu() - before };
    Ok((cost, watch.end(), output))
}

/// Reads the peak memory of a process while it lives. `VmHWM` never falls, so a late look is enough.
struct Watch {
    peak: std::thread::JoinHandle<f64>,
}

impl Watch {
    fn of(child: &Child) -> Watch {
        let status = format!("/proc/{}/status", child.id());
        let peak = std::thread::spawn(move || {
            let mut peak: f64 = 0.0;
            // The file vanishes, or loses the line, with the process.
            while let Some(now) = std::fs::read_to_string(&status).ok().and_then(|text| high_water(&text)) {
                peak = peak.max(now);
                std::thread::sleep(Duration::from_millis(10));
            }
            peak
        });
        Watch { peak }
    }

    fn end(self) -> f64 {
        self.peak.join().unwrap_or(0.0)
    }
}

fn high_water(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

/// CPU seconds of all children that have been waited for (Linux; elsewhere 0).
fn children_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in brackets, may hold spaces; the fields after it are counted from the third.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index - 3).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    const TICKS_PER_SECOND: f64 = 100.0; // USER_HZ on every Linux
    (ticks(16) + ticks(17)) / TICKS_PER_SECOND
}
