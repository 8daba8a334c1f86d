pub mod inner;

use inner::plain;

pub fn one_more(plain_value: &u32) -> u32 {
    plain(*plain_value) + 1
}

pub fn shown(x: &::std::fmt::Display) -> String {
    format!("<{}>", x)
}

pub fn first(text: &str) -> Result<u32, ::std::num::ParseIntError> {
    let number: u32 = try!(text.parse());
    Ok(number + 3)
}
