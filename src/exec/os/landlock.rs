//! Landlock: a thread, and all processes that it starts from then on, may write only below some folders.
//!
//! The domain belongs to a thread and is inherited by what that thread starts, so that a restricted thread can start
//! tests without a hook between fork and exec. It can never be lifted again.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use std::path::PathBuf;

/// What the kernel enforces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restricted {
    /// Whether writing outside is denied.
    pub writes: bool,
    /// Whether everything that was asked for is denied.
    pub all: bool,
}

/// Restricts the calling thread to writing below `writable` and, without `tcp`, to no TCP at all. Signals to processes
/// outside are denied as well. Paths that do not exist are left out. What this kernel does not know is not enforced.
///
/// # Errors
/// When the rules cannot be made.
pub fn restrict(writable: &[PathBuf], tcp: bool) -> std::io::Result<Restricted> {
    rules(writable, tcp).map_err(std::io::Error::other)
}

fn rules(writable: &[PathBuf], tcp: bool) -> Result<Restricted, RulesetError> {
    let writes = AccessFs::from_write(ABI::V3);
    let mut ruleset =
        Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(writes)?.scope(Scope::Signal)?;
    if !tcp {
        ruleset = ruleset.handle_access(AccessNet::from_all(ABI::V4))?;
    }
    let status = ruleset.create()?.add_rules(path_beneath_rules(writable, writes))?.restrict_self()?;
    Ok(match status.ruleset {
        RulesetStatus::FullyEnforced => Restricted { writes: true, all: true },
        RulesetStatus::PartiallyEnforced => Restricted { writes: true, all: false },
        RulesetStatus::NotEnforced => Restricted { writes: false, all: false },
    })
}
