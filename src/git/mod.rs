//! The user's repository, read only.
//!
//! Everything that asks git a question is here. No call writes the work tree, the index, the stash or a ref; the
//! one thing ever added is a detached worktree below the hunkmut directory, taken away when its guard is dropped.

mod changes;
mod command;
mod comparison;
mod content;
mod digest;
mod repo;
mod revision;
mod state;
#[cfg(test)]
pub(crate) mod testing;
mod worktree;

pub use changes::{Change, Changes, differing};
pub use comparison::Comparison;
pub use repo::Repo;
pub use revision::CommitId;
pub use state::mark_as_cache;
pub use worktree::Worktree;
