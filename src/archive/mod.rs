//! One file with everything that a machine without a compiler needs to run mutants.
//!
//! The file is an archive as nextest writes and reads it (`cargo nextest run --archive-file` runs its tests with no mutant
//! live), and holds besides, below `target/hunkmut`, what the compiler and cargo have said and the executables of mutants
//! that no switch can hold. `label` comes first: whoever may not use the archive hears of it before anything is unpacked.
//! `contents` comes last, with a digest of every file: an archive that was cut off has none. `paths` carries what it says
//! over to another place on another disk.

mod contents;
mod label;
mod pack;
mod paths;
mod unpack;

pub use contents::{Alone, BaseList, Build, Contents, Stored};
pub use label::{Label, Question, Roots, platform};
pub use pack::Packer;
pub use paths::Moves;
pub use unpack::{Reader, Unpacked};

/// The label's place in the archive.
const LABEL: &str = "target/hunkmut/label.json";
/// The contents' place in the archive.
const CONTENTS: &str = "target/hunkmut/contents.json";
/// The name of this form of archives.
const SCHEMA: &str = "hunkmut-archive/1";
