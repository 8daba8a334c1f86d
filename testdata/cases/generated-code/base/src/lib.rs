pub mod claimed;
pub mod listed;
pub mod table;
