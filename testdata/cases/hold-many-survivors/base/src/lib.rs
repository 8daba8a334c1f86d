//! Bicycle gears.
