//! Loops.

/// The sum of the first squares.
pub fn squares(n: u32) -> u32 {
    let mut sum = 0;
    for i in 0..n {
        sum += i * i;
    }
    sum
}

/// The first three words.
pub fn first<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    &words[..3]
}

/// Words of more than two letters.
pub fn long<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut seen = Vec::new();
    words.iter().copied().for_each(|word| {
        if word.len() > 2 { seen.push(word); }
    });
    seen
}

fn between(low: i32, high: i32, x: i32) -> bool {
    low <= x && x < high
}

/// How many lie between.
pub fn within(low: i32, high: i32, xs: Vec<i32>) -> usize {
    xs.into_iter().filter(move |&x| between(low, high, x)).count()
}

/// The place of a pair with a sum.
pub fn pair(xs: &[i32], sum: i32) -> Option<(usize, usize)> {
    'outer: for (i, a) in xs.iter().enumerate() {
        for (j, b) in xs.iter().enumerate().skip(i + 1) {
            if a + b > sum * 10 {
                continue 'outer;
            }
            if a + b == sum {
                return Some((i, j));
            }
        }
    }
    None
}

/// Adds numbers in a text.
pub fn add(text: &str) -> Result<i32, std::num::ParseIntError> {
    let mut total = 0;
    for part in text.split('+') {
        let part = part.trim();
        let part = part.parse::<i32>()?;
        total += part;
    }
    Ok(total)
}
