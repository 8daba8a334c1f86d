pub mod vice;
