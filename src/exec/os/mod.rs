//! What differs between operating systems when a process and its descendants must be waited for and ended.
//!
//! On Unix a test leads its own process group and the whole group is ended. Elsewhere only the process itself is.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::*;
#[cfg(unix)]
pub(super) use unix::*;
