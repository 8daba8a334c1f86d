//! Squares.

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

pub fn sum_of_squares(a: u32, b: u32) -> u32 {
    let sum = square!(a) + square!(b);
    sum
}
