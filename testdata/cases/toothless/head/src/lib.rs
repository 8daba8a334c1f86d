/// A ticket machine.
#[derive(Default)]
pub struct Queue {
    last: i64,
}

impl Queue {
    /// Draws the next number.
    pub fn draw(&mut self) -> i64 {
        self.last += 1;
        self.last
    }
}
