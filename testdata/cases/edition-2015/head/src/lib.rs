pub mod inner;

use inner::plain;

pub fn one_more(async: &u32) -> u32 {
    plain(*async) + 1
}

pub fn shown(x: &::std::fmt::Display) -> String {
    format!("<{}>", x)
}
