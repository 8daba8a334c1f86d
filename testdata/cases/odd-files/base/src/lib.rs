pub mod marked;
pub mod windows;
