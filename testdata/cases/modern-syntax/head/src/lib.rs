//! Running.

/// The sum of the first two values when the first is above a minimum.
pub fn start(values: impl IntoIterator<Item = u32>, min: u32) -> u32 {
    let mut values = values.into_iter();
    if let Some(first) = values.next() && first > min && let Some(second) = values.next() {
        return first + second;
    }
    0
}

/// Twice the sum of a measure.
pub fn doubled<T, F>(items: &[T], f: F) -> u32
where
    F: Fn(&T) -> u32,
{
    items.iter().map(|x| f(x) * 2).sum()
}

/// A name for a number of laps.
pub fn laps(n: u32) -> &'static str {
    match n {
        0 => "none",
        n if n % 2 == 0 => "even",
        _ => "odd",
    }
}

/// The zone of a pace.
pub fn zone(text: &str) -> u32 {
    let Ok(pace) = &text.parse::<u32>() else {
        return 0;
    };
    'zone: {
        if *pace > 12 { break 'zone 3; }
        if (5..=8).contains(pace) { break 'zone 2; }
        1
    }
}

/// A counter that adds a step each time.
pub fn counter(step: u32) -> impl FnMut() -> u32 {
    let mut at = 0;
    move || {
        at += step;
        at
    }
}
