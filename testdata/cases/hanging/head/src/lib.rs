//! Counting.

/// Binary digits of a number.
pub fn digits(mut n: u64) -> i32 {
    let mut digits = 0;
    while n > 0 {
        n /= 2;
        digits += 1;
    }
    digits
}

/// Words of more than one letter.
pub fn words(words: &[&str]) -> usize {
    let mut at = 0;
    let mut found = 0;
    while at < words.len() {
        if words[at].len() > 1 {
            found += 1;
        }
        at += 1;
    }
    found
}

/// Waits for the second sign.
pub fn second(signs: &std::sync::mpsc::Receiver<bool>) -> u32 {
    let mut seen = 0;
    loop {
        if seen >= 2 {
            return seen;
        }
        if signs.try_recv().unwrap_or(true) {
            seen += 1;
        }
    }
}
