//! Independent pieces of work on a fixed number of threads.

use super::Ending;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Applies `work(worker, index)` to `0..count`; `None` where the ending came first or `work` gave up. Each worker
/// number is in use by one thread only.
pub fn each<T: Send>(
    workers: usize,
    count: usize,
    ending: &Ending,
    work: impl Fn(usize, usize) -> Option<T> + Sync,
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new((0..count).map(|_| None).collect::<Vec<Option<T>>>());
    let (next, shared, work) = (&next, &results, &work);
    std::thread::scope(|scope| {
        for worker in 0..workers.clamp(1, count.max(1)) {
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || ending.reached() {
                        return;
                    }
                    let result = work(worker, index);
                    shared.lock().expect("no worker panics while it holds the lock")[index] = result;
                }
            });
        }
    });
    results.into_inner().expect("no worker panics while it holds the lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_and_in_its_place() {
        let done = each(4, 100, &Ending::default(), |_, index| Some(index * 2));
        assert_eq!(done, (0..100).map(|index| Some(index * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn after_the_ending_nothing_new_begins() {
        let ending = Ending::default();
        let done = each(1, 3, &ending, |_, index| {
            ending.stop(super::super::Cause::Interrupted);
            Some(index)
        });
        assert_eq!(done, [Some(0), None, None]);
    }
}
