/// A ticket machine.
#[derive(Default)]
pub struct Queue {
    last: i64,
}
