#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, unreachable_pub)]
//! Clamping.
