//! Whether one assertion is another one made looser: a wider tolerance, a bound moved away, a pattern with more holes.

use super::profile::Assertion;

/// Why `head` lets more through than `base`, when it is the same assertion in another form. `None` when they are not
/// versions of each other, or the head's is no looser.
pub fn looser(base: &Assertion, head: &Assertion) -> Option<String> {
    if base.name != head.name {
        return None;
    }
    let holes = |words: &[String]| words.iter().filter(|word| *word == "_" || *word == "..").count();
    if base.words.iter().any(|word| word == "matches") || base.name.contains("match") {
        let subject = |words: &[String]| words.iter().take_while(|word| *word != ",").cloned().collect::<Vec<_>>();
        if subject(&base.words) == subject(&head.words) && holes(&head.words) > holes(&base.words) {
            return Some("its pattern has more holes".to_owned());
        }
    }
    if base.words.len() != head.words.len() {
        return None;
    }
    let differing: Vec<usize> = (0..base.words.len()).filter(|at| base.words[*at] != head.words[*at]).collect();
    let mut why = None;
    for at in differing {
        let (old, new) = (base.words[at].as_str(), head.words[at].as_str());
        match (number(old), number(new)) {
            (Some(old_value), Some(new_value)) => {
                if room(&base.words, at, &base.name).is_some_and(|more| (new_value > old_value) == more) {
                    why = Some(format!("`{old}` became `{new}`"));
                }
            }
            _ if (old == "<" && new == "<=") || (old == ">" && new == ">=") => {
                why = Some(format!("`{old}` became `{new}`"));
            }
            _ => return None,
        }
    }
    why
}

/// Whether a larger number at this place lets more through (`true`), or a smaller one (`false`).
fn room(words: &[String], at: usize, name: &str) -> Option<bool> {
    const NAMES: [&str; 9] = ["epsilon", "max_relative", "max_ulps", "tolerance", "tol", "delta", "ulps", "abs", "rel"];
    let before = at.checked_sub(2).map(|from| (words[from].as_str(), words[at - 1].as_str()));
    if let Some((key, "=" | "<=")) = before
        && NAMES.contains(&key)
    {
        return Some(true);
    }
    let comparison = |word: &str| match word {
        "<" | "<=" => Some(true),
        ">" | ">=" => Some(false),
        _ => None,
    };
    // The comparison that the number stands right of, else left of, within its argument.
    let left = words[..at].iter().rev().take_while(|word| *word != ",").find_map(|word| comparison(word));
    let right = words[at + 1..].iter().take_while(|word| *word != ",").find_map(|word| comparison(word));
    let close = ["approx", "close", "near", "delta", "relative", "ulps", "within"].iter().any(|w| name.contains(w));
    left.or(right.map(|more| !more))
        .or((close && words[..at].iter().filter(|w| *w == ",").count() >= 2).then_some(true))
}

/// The value of a number literal.
fn number(word: &str) -> Option<f64> {
    let plain = word.replace('_', "");
    let suffixes =
        ["f32", "f64", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];
    let digits = suffixes.iter().find_map(|suffix| plain.strip_suffix(suffix)).unwrap_or(&plain);
    digits.starts_with(|c: char| c.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::super::profile::Profile;
    use super::*;

    fn is_looser(base: &str, head: &str) -> bool {
        let of = |code: &str| Profile::of(code.parse().unwrap()).assertions.remove(0);
        looser(&of(base), &of(head)).is_some()
    }

    #[test]
    fn a_wider_tolerance_is_looser() {
        assert!(is_looser("assert!((a - b).abs() < 1e-9)", "assert!((a - b).abs() < 1e-3)"));
        assert!(!is_looser("assert!((a - b).abs() < 1e-3)", "assert!((a - b).abs() < 1e-9)"));
        assert!(is_looser("assert_relative_eq!(a, b, epsilon = 0.1)", "assert_relative_eq!(a, b, epsilon = 0.5)"));
        assert!(is_looser("assert_approx_eq!(a, b, 0.1)", "assert_approx_eq!(a, b, 0.5)"));
    }

    #[test]
    fn a_bound_moved_away_is_looser() {
        assert!(is_looser("assert!(n > 10)", "assert!(n > 1)"));
        assert!(is_looser("assert!(n < 10)", "assert!(n <= 10)"));
        assert!(is_looser("assert!(10 > n)", "assert!(11 > n)"));
        assert!(!is_looser("assert!(n > 1)", "assert!(n > 10)"));
    }

    #[test]
    fn another_expected_value_is_no_looser() {
        assert!(!is_looser("assert_eq!(f(3), 0)", "assert_eq!(f(3), 1)"));
        assert!(!is_looser("assert!(f(3) < 9)", "assert!(f(4) < 9)"));
    }

    #[test]
    fn a_pattern_with_more_holes_is_looser() {
        assert!(is_looser("assert!(matches!(x, Ok(3)))", "assert!(matches!(x, Ok(_)))"));
        assert!(!is_looser("assert!(matches!(x, Ok(_)))", "assert!(matches!(x, Ok(3)))"));
    }
}
