//! Parts.

pub fn count(list: &[&str]) -> usize {
    list.len() + 1
}

#[cfg(test)]
mod tests {
    #[test]
    fn parts_are_counted() {
        assert_eq!(super::count(&["a", "b"]), 3);
    }
}
