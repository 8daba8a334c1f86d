//! Lengths.

pub fn yards(metres: u32) -> u32 {
    let mut rounded = metres;
    #[cfg(feature = "imperial")]
    {
        rounded = metres * 12 / 11;
    }
    rounded
}

pub fn centimetres(metres: u32) -> u32 {
    metres * 100
}

#[cfg(feature = "imperial")]
pub fn inches(metres: u32) -> u32 {
    metres * 39
}

#[cfg(windows)]
pub fn drive(metres: u32) -> u32 {
    metres + 1
}
