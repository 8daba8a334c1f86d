//! Tests without processes.

use crate::exec::{End, Execute, Live, Ran};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A run that passes.
pub fn passes() -> Ran {
    with(End::Passed)
}

/// A run that fails by an assertion.
pub fn fails() -> Ran {
    let said = "thread 't' panicked at src/lib.rs:1:1:\nassertion failed: x\n";
    Ran { output: said.into(), ..with(End::Failed { code: 101 }) }
}

/// A run that executes the mutant and ends so.
pub fn with(end: End) -> Ran {
    Ran {
        end,
        duration: Duration::from_millis(1),
        hit: true,
        limit: false,
        began: true,
        starved: false,
        disk_full: false,
        output: Vec::new(),
    }
}

/// A call of [`Execute::run`]: the test and the live switch, 0 for none.
pub type Call = (usize, u64);

type Answer = dyn Fn(usize, Live<'_>) -> Ran + Sync + Send;

/// Answers by script or by rule, and remembers what it was asked.
pub struct Fake {
    script: Mutex<VecDeque<Ran>>,
    rule: Option<Box<Answer>>,
    calls: Mutex<Vec<Call>>,
}

impl Fake {
    /// Answers with these runs in this order.
    pub fn script(runs: Vec<Ran>) -> Fake {
        Fake { script: Mutex::new(runs.into()), rule: None, calls: Mutex::default() }
    }

    /// Answers by a rule.
    pub fn rule(rule: impl Fn(usize, Live<'_>) -> Ran + Sync + Send + 'static) -> Fake {
        Fake { script: Mutex::default(), rule: Some(Box::new(rule)), calls: Mutex::default() }
    }

    /// A test fails exactly on the listed switches: `(test, switch)`.
    pub fn kills(kills: &'static [(usize, u64)]) -> Fake {
        Fake::rule(move |test, live| match live {
            Live::Switch(switch) if kills.contains(&(test, switch)) => fails(),
            Live::Switch(_) | Live::Off | Live::Traced(_) | Live::Binaries(_) => passes(),
        })
    }

    /// Scripted runs that were not asked for.
    pub fn left(&self) -> usize {
        self.script.lock().unwrap().len()
    }

    /// All calls in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }
}

impl Execute for Fake {
    fn run(&self, _worker: usize, test: usize, live: Live<'_>, _until: Option<Instant>) -> Ran {
        let switch = match live {
            Live::Switch(switch) => switch,
            Live::Off | Live::Traced(_) | Live::Binaries(_) => 0,
        };
        self.calls.lock().unwrap().push((test, switch));
        match &self.rule {
            Some(rule) => rule(test, live),
            None => self.script.lock().unwrap().pop_front().expect("the script is long enough"),
        }
    }
}
