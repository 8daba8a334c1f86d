pub use core_parts as parts;
