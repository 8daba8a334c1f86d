//! Loads.

/// A load, cut at a hundred.
pub fn capped(load: u32) -> u32 {
    if load > 100 { 100 } else { load }
}

/// Whether more fits in.
pub fn has_room(load: u32) -> bool {
    load < 100
}

/// All loads, each cut at fifty.
pub fn all_capped(loads: &[u32]) -> Vec<u32> {
    loads.iter().map(|load| if *load > 50 { 50 } else { *load }).collect()
}

/// The same for every kind of number. Other crates use it with types that are not known here.
pub fn double_capped<N: Into<u32>>(load: N) -> u32 {
    let load = load.into();
    if load > 200 { 200 } else { load }
}
