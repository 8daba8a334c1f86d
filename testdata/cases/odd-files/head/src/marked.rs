//! Marked.

pub fn triple(n: u32) -> u32 {
	let _ä = "ä";
	n * 3
}