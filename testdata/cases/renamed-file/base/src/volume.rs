//! Areas and volumes.

/// The area of a square.
pub fn square(a: u32) -> u32 {
    a * a
}

/// The volume of a box.
pub fn cuboid(a: u32, b: u32, c: u32) -> u32 {
    a * b + c
}

/// The area of a rectangle.
pub fn rectangle(a: u32, b: u32) -> u32 {
    a * b
}
