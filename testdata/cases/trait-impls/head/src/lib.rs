//! Prices.

use std::cell::Cell;
use std::fmt;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

/// Cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(pub u32);

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 { f.write_str("free") } else { write!(f, "{}.{:02}", self.0 / 100, self.0 % 100) }
    }
}

impl Add for Price {
    type Output = Price;

    fn add(self, other: Price) -> Price {
        Price(self.0 + other.0)
    }
}

impl AddAssign for Price {
    fn add_assign(&mut self, other: Price) {
        self.0 += other.0;
    }
}

impl FromStr for Price {
    type Err = std::num::ParseIntError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let euros: u32 = s.trim_end_matches(" €").parse()?;
        Ok(Price(euros * 100))
    }
}

/// Halves until nothing is left.
pub struct Halves {
    pub left: u32,
}

impl Iterator for Halves {
    type Item = Price;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 { return None; }
        let now = self.left;
        self.left /= 2;
        Some(Price(now))
    }
}

/// Counts when it goes.
pub struct Receipt<'a>(pub Price, pub &'a Cell<u32>);

impl Drop for Receipt<'_> {
    fn drop(&mut self) {
        self.1.set(self.1.get() + 1);
    }
}

/// Something that has a price.
pub trait Priced {
    /// The price of one.
    fn price(&self) -> Price;

    /// The price of two.
    fn pair(&self) -> Price {
        self.price() + self.price()
    }
}

impl Priced for str {
    fn price(&self) -> Price {
        Price(self.len() as u32 * 10)
    }
}
