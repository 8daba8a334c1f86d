//! All mutants of a run in one build: encodings, the shadow of the user's tree, and the runtime crate.

mod encode;
pub mod runtime;
mod shadow;

pub use encode::{Encoding, Region, Thread, Woven, encodings, weave};
pub use shadow::{Shadow, write_if_changed};
