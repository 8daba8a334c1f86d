//! Two dice.

/// A pair counts double.
pub fn score(a: u32, b: u32) -> u32 {
    if a == b { a * 4 } else { a + b }
}

#[cfg(any(test, feature = "fixtures"))]
pub fn pair_of(sides: u32) -> u32 {
    score(sides, sides) + 1 - 1
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_pair_doubles() {
        assert_eq!(super::pair_of(3), 12);
    }
}

#[cfg(all(test, unix))]
mod unix_tests {
    #[test]
    fn no_pair_adds() {
        assert_eq!(super::score(3, 1), 4);
        assert_eq!(super::score(6, 5), 11);
    }
}
