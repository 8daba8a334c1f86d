#[macro_use]
mod support;

both_ways! {
    one: 1 => "I",
    five: 5 => "V",
}

both_ways! {
    nine: 9 => "IX",
}
