//! Lengths.

pub fn yards(metres: u32) -> u32 {
    let mut rounded = metres;
    #[cfg(feature = "imperial")]
    {
        rounded = metres * 11 / 10;
    }
    rounded
}
