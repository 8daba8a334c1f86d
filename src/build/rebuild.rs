//! The rebuild engine: one mutant as a real source change, one incremental build of the targets in use.

use super::cargo::BuildFailure;
use super::{Builder, Texts};
use crate::error::Result;
use crate::plan::Planned;
use cargo_metadata::Message;

/// Builds the tree with one mutant as plain text and nothing woven.
///
/// # Errors
/// When files cannot be written or cargo cannot be started. A mutant that does not compile is the inner error.
pub fn rebuild(builder: &Builder<'_>, mutant: &Planned) -> Result<std::result::Result<Vec<Message>, BuildFailure>> {
    let (path, _) = builder.file_of(mutant);
    rebuild_texts(builder, Texts::from([(path.to_owned(), builder.mutated(mutant))]))
}

/// Builds the tree with other texts for some files.
///
/// # Errors
/// As [`rebuild`].
pub fn rebuild_texts(builder: &Builder<'_>, texts: Texts) -> Result<std::result::Result<Vec<Message>, BuildFailure>> {
    let manifest = builder.lay(texts, false)?;
    builder.run_cargo(&builder.cargo(Some(&manifest)))
}
