pub fn plain(n: u32) -> u32 { n }
