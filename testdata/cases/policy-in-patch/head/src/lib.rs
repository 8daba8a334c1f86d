//! Weather.

pub fn fahrenheit(degrees: i32) -> i32 {
    degrees * 9 / 5 + 32
}
