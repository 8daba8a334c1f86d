pub mod strict;

pub fn easy(a: u32, b: u32) -> u32 {
    if a > b { a * 2 } else { b * 3 }
}
