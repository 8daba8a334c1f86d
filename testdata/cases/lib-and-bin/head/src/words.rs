//! Words.

#[allow(dead_code)]
pub fn twice(word: &str) -> usize {
    word.len() * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn twice_is_two_times() {
        assert_eq!(super::twice("abc"), 6);
    }
}
