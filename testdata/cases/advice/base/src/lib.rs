//! How long a kettle takes.

/// A kettle with some water in it.
pub struct Kettle {
    pub litres: u32,
}

pub fn watts(kettle: &Kettle) -> u32 {
    kettle.litres * 700
}
