//! A lamp.

pub fn brightness(step: u32) -> u32 {
    step * 10
}

#[mutants::skip]
pub fn colour(step: u32) -> u32 {
    2700 + step * 300
}

#[cfg_attr(test, mutants::skip)]
pub fn warmth(step: u32) -> u32 {
    step - 1
}
