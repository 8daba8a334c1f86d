//! An oven.

pub fn heat(degrees: u32) -> Result<u32, String> {
    if degrees > 250 {
        panic!("too hot");
    }
    Ok(degrees)
}
