//! What woven code tells about a run: which mutants a test executes, and whether the live one was reached.
//!
//! Both files are appended to by every process of the test (`O_APPEND`), so they hold for subprocesses too.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Which mutants a test executed and about how often.
///
/// The file holds records of 16 bytes, switch and count as little-endian `u64`s, written whenever a switch's hits in
/// one process reach a power of two; switch 0 counts all evaluations of the process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The highest count recorded for all switches together in one process.
    total: u64,
    /// The highest count recorded for a switch in one process.
    hits: BTreeMap<u64, u64>,
}

impl Trace {
    /// Reads a trace file; none at all means that nothing was executed.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn read(path: &Path) -> io::Result<Trace> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(Trace::parse(&bytes)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Trace::default()),
            Err(why) => Err(why),
        }
    }

    /// Parses records; a torn last one (its process was killed) is left out.
    pub fn parse(bytes: &[u8]) -> Trace {
        let mut trace = Trace::default();
        let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("a record is two halves of 8 bytes"));
        for record in bytes.chunks_exact(16) {
            let (switch, count) = (word(&record[..8]), word(&record[8..]));
            let slot = if switch == 0 { &mut trace.total } else { trace.hits.entry(switch).or_default() };
            *slot = count.max(*slot);
        }
        trace
    }

    /// Adds what another run of the same test executed.
    pub fn join(&mut self, other: &Trace) {
        self.total = self.total.max(other.total);
        for (&switch, &count) in &other.hits {
            let slot = self.hits.entry(switch).or_default();
            *slot = count.max(*slot);
        }
    }

    /// The switches that were evaluated, each with an upper bound of its hits in one process.
    pub fn executed(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.hits.iter().map(|(&switch, &count)| (switch, count.saturating_mul(2)))
    }

    /// The upper bound of a switch's hits in one process; `None` when it was not executed.
    pub fn hits(&self, switch: u64) -> Option<u64> {
        self.hits.get(&switch).map(|count| count.saturating_mul(2))
    }

    /// The upper bound of all evaluations of one process.
    pub fn total(&self) -> u64 {
        self.total.max(self.hits.values().copied().max().unwrap_or(0)).saturating_mul(2)
    }
}

/// What the processes of a run noted about the live mutant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Notes {
    /// It was evaluated.
    pub hit: bool,
    /// A process ended itself at the hits limit.
    pub limit: bool,
}

impl Notes {
    /// Parses the lines `hit` and `limit`.
    pub fn parse(bytes: &[u8]) -> Notes {
        let has = |word: &[u8]| bytes.split(|b| *b == b'\n').any(|line| line == word);
        Notes { hit: has(b"hit"), limit: has(b"limit") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(pairs: &[(u64, u64)]) -> Vec<u8> {
        pairs.iter().flat_map(|(s, c)| [s.to_le_bytes(), c.to_le_bytes()].concat()).collect()
    }

    #[test]
    fn a_trace_keeps_the_highest_count_of_each_switch_and_doubles_it_as_upper_bound() {
        let trace = Trace::parse(&records(&[(7, 1), (0, 1), (7, 2), (0, 2), (7, 1), (9, 1), (0, 4)]));
        assert_eq!(trace.executed().collect::<Vec<_>>(), [(7, 4), (9, 2)]);
        assert_eq!((trace.total(), trace.hits(7), trace.hits(8)), (8, Some(4), None));
    }

    #[test]
    fn what_another_run_executed_is_added() {
        let mut trace = Trace::parse(&records(&[(0, 4), (7, 1)]));
        trace.join(&Trace::parse(&records(&[(0, 2), (7, 2), (9, 1)])));
        assert_eq!((trace.total(), trace.hits(7), trace.hits(9)), (8, Some(4), Some(2)));
    }

    #[test]
    fn a_torn_record_is_left_out() {
        let mut bytes = records(&[(7, 1)]);
        bytes.extend([1, 2, 3]);
        assert_eq!(Trace::parse(&bytes), Trace::parse(&records(&[(7, 1)])));
    }

    #[test]
    fn no_trace_file_means_nothing_was_executed() {
        assert_eq!(Trace::read(Path::new("/no/such/trace")).unwrap(), Trace::default());
    }

    #[test]
    fn notes_are_whole_lines() {
        assert_eq!(Notes::parse(b"hit\nhit\nlimit\n"), Notes { hit: true, limit: true });
        assert_eq!(Notes::parse(b"hitlimit\n"), Notes::default());
    }
}
