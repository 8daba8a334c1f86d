//! What a run leaves behind: the report's types and one file per output format.

pub mod model;
