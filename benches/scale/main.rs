//! A paper plan in numbers: how many machines many patches a day take, and how long one waits.
//!
//! `cargo bench --bench scale -- [--diffs N] [--crates N] [--shares N] [--again PERCENT]`
//!
//! Nothing is built or run. Patches arrive at random over a day whose working hours are busier than its nights; what each
//! costs is drawn from measured runs; workers take shares in the order of arrival. A worker that judged the same crate
//! not long ago finds the dependencies built. The drawing is the same every time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::process::ExitCode;

const DAY: f64 = 86_400.0;

/// What one patch takes on a machine of two processors, in seconds, by size: what every share has to do again (plan, woven
/// build, baseline), what is divided, and what a machine without a build of the crate has to do before. Debug builds of the
/// program on a machine that others kept busy, so rather too much than too little: humantime `9383ae2` (104 mutants),
/// heapless `be8628a` (22, no switch holds the whole patch), quick-xml `f78d112` (202 mutants, 154 tests). How often patches
/// have which size, and the middle one's cold build, are assumptions.
const MEASURED: [Cost; 3] = [
    Cost { weight: 0.70, fixed: 7.5, divided: 12.8, cold: 41.0 },
    Cost { weight: 0.25, fixed: 18.0, divided: 45.0, cold: 60.0 },
    Cost { weight: 0.05, fixed: 28.0, divided: 70.0, cold: 260.0 },
];

/// For so long a worker keeps what it has built of a crate.
const KEPT: f64 = 4.0 * 3_600.0;

/// What a second run of the same patch takes, as a part of the first: measured 0.14 to 0.17, and 0.29 to 0.39 where mutants
/// had to be compiled alone.
const REUSED: f64 = 0.39;

/// A patch with more to divide than this is divided: below it the shares spend more on what each repeats.
const LARGE: f64 = 75.0;

#[derive(Clone, Copy)]
struct Cost {
    weight: f64,
    fixed: f64,
    divided: f64,
    cold: f64,
}

struct Asked {
    diffs: u32,
    crates: u32,
    shares: u32,
    again: u32,
}

/// A generator of numbers in `0..1` (xorshift), the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn main() -> ExitCode {
    let mut asked = Asked { diffs: 100_000, crates: 10_000, shares: 4, again: 30 };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let number = words.next().and_then(|number| number.parse::<u32>().ok()).filter(|number| *number > 0);
        match (word.as_str(), number) {
            ("--diffs", Some(number)) => asked.diffs = number,
            ("--crates", Some(number)) => asked.crates = number,
            ("--shares", Some(number)) => asked.shares = number,
            ("--again", Some(number)) => asked.again = number,
            _ => {
                eprintln!("error: `{word}` is not known, or lacks its number");
                return ExitCode::from(2);
            }
        }
    }
    let Asked { diffs, crates, shares, again } = asked;
    println!(
        "{diffs} patches a day in {crates} crates, {again} % of them judged before; large ones in {shares} shares\n"
    );
    println!(
        "| workers | busy | waiting, median s | waiting, 95 % s | whole, median s | whole, 95 % s | worker-seconds a patch |"
    );
    println!("|---|---|---|---|---|---|---|");
    for workers in [60, 80, 100, 120, 150, 200] {
        day(&asked, workers);
    }
    ExitCode::SUCCESS
}

/// One day with so many workers, as a row.
fn day(asked: &Asked, workers: usize) {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut arrivals: Vec<f64> = (0..asked.diffs).map(|_| arrival(&mut chance)).collect();
    arrivals.sort_by(f64::total_cmp);
    // By when each worker is free, in milliseconds, the next one first.
    let mut free: BinaryHeap<Reverse<(u64, usize)>> = (0..workers).map(|worker| Reverse((0, worker))).collect();
    let mut last = vec![-KEPT; asked.crates as usize];
    let (mut waits, mut wholes, mut busy) = (Vec::new(), Vec::new(), 0.0);
    for at in arrivals {
        let cost = drawn(&mut chance);
        // Few crates get most patches.
        let of = ((chance.next() * chance.next()) * f64::from(asked.crates)) as usize;
        let again = chance.next() * 100.0 < f64::from(asked.again);
        // Machines share a cache of what was built by crate, as CI's caches do.
        let cold = if at - last[of] < KEPT { 0.0 } else { cost.cold };
        last[of] = at;
        let shares = if cost.divided > LARGE { asked.shares } else { 1 };
        let part = if again { REUSED } else { 1.0 };
        let each = cold + part * (cost.fixed + cost.divided / f64::from(shares));
        let (mut first, mut end) = (f64::MAX, at);
        for _ in 0..shares {
            let Reverse((ready, worker)) = free.pop().expect("there are workers");
            let begin = at.max(ready as f64 / 1e3);
            free.push(Reverse((((begin + each) * 1e3) as u64, worker)));
            first = first.min(begin);
            end = end.max(begin + each);
            busy += each;
        }
        waits.push(first - at);
        wholes.push(end - at);
    }
    let per_patch = busy / f64::from(asked.diffs);
    let share = busy / (workers as f64 * DAY) * 100.0;
    let (wait, whole) = (Quantiles::of(waits), Quantiles::of(wholes));
    println!(
        "| {workers} | {share:.0} % | {:.0} | {:.0} | {:.0} | {:.0} | {per_patch:.1} |",
        wait.median, wait.high, whole.median, whole.high
    );
}

/// Two of three patches come in the ten busy hours of a day.
fn arrival(chance: &mut Chance) -> f64 {
    let (busy_from, busy) = (8.0 * 3_600.0, 10.0 * 3_600.0);
    if chance.next() < 2.0 / 3.0 {
        return busy_from + chance.next() * busy;
    }
    let quiet = chance.next() * (DAY - busy);
    if quiet < busy_from { quiet } else { quiet + busy }
}

/// A patch's cost: a size by its weight, and up to half more or less.
fn drawn(chance: &mut Chance) -> Cost {
    let mut left = chance.next();
    let size = MEASURED.iter().find(|size| {
        left -= size.weight;
        left < 0.0
    });
    let size = size.unwrap_or(&MEASURED[0]);
    let more = 0.5 + chance.next();
    Cost { fixed: size.fixed * more, divided: size.divided * more, cold: size.cold * more, ..*size }
}

struct Quantiles {
    median: f64,
    high: f64,
}

impl Quantiles {
    fn of(mut values: Vec<f64>) -> Quantiles {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values[((values.len() - 1) as f64 * part) as usize];
        Quantiles { median: at(0.5), high: at(0.95) }
    }
}
