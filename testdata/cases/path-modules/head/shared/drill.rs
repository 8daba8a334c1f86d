pub fn holes(bits: u32) -> u32 {
    bits * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn drills() {
        assert_eq!(super::holes(4), 8);
    }
}
