use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

#[test]
fn neighbours_add_up() {
    assert_eq!(block_on(shelves::pair(3)), 70);
}

#[test]
fn heavy_shelves_bend() {
    assert_eq!(block_on(shelves::bends(2)), Ok(false));
    assert_eq!(block_on(shelves::bends(3)), Ok(true));
    assert_eq!(block_on(shelves::bends(9)), Err("no such shelf".to_string()));
}
