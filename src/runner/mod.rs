//! Listing tests, and the unmutated runs.
//!
//! nextest runs the baseline where it is installed, and a shim records each test's exact command; without nextest the
//! same records are made up as nextest would make them. Either way the result is a [`Baseline`] whose commands can be
//! replayed, and the IDs of tests are nextest's.

mod baseline;
mod built;
mod context;
mod direct;
mod driven;
mod environment;
mod filter;
mod list;
mod metadata;
mod nextest;
mod record;
pub mod shim;

#[cfg(all(test, unix))]
mod tests;

pub use baseline::{Baseline, BaselineTest, Patience, repeat};
pub use built::{Built, Program, Script, TestBinary};
pub use context::{Context, Driver, SHIM, Toolchain, compiler};
pub use direct::record as record_directly;
pub use driven::{STORE, driven, metadata_file};
pub use list::{Harness, ListFailure, ListedBinary, ListedTest, Listing, Source, list};
pub use metadata::summary;
pub use nextest::record as record_with_nextest;
pub use record::Recording;
