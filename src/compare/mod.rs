//! What a patch did to the detection that the base had.

pub mod beside;
pub mod judge;
pub mod markdown;
pub mod model;
mod write;

pub use write::FILE;
