//! Bicycle gears.

pub fn largest(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

pub fn stops(km: u32, range: u32) -> u32 {
    let full = km / range;
    let rest = km % range;
    let spare = if rest > 5 { 1 } else { 0 };
    full + spare
}

pub fn wheel_turns(teeth_front: u32, teeth_rear: u32, cadence: u32) -> u32 {
    teeth_front * cadence / teeth_rear
}

pub fn brake_force(mass: u32, speed: u32) -> u32 {
    let energy = mass * speed * speed / 2;
    if energy > 4000 { energy - 4000 } else { 0 }
}

pub fn worn(chain_mm: u32, kilometres: u32) -> bool {
    chain_mm >= 132 || kilometres > 5000
}
