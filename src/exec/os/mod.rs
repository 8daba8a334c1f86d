//! What differs between operating systems when a process and its descendants must be waited for and ended.
//!
//! On Unix a test leads its own process group and the whole group is ended. Elsewhere only the process itself is.

#[cfg(target_os = "linux")]
mod landlock;
#[cfg(not(target_os = "linux"))]
mod no_landlock;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(target_os = "linux")]
pub(super) use landlock::*;
#[cfg(not(target_os = "linux"))]
pub(super) use no_landlock::*;
#[cfg(not(unix))]
pub(super) use other::*;
#[cfg(unix)]
pub(super) use unix::*;
